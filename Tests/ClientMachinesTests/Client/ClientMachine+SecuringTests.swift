import HTTPBasics
import MachineContract
import TLSBasics
import TestSupport
import Testing

@testable import ClientMachines

@Suite struct SecuringTests {
    private static func plan(asks: QuestionKinds = [], scope: Int? = nil) -> TaskPlan {
        var plan = ClientPlay.plan(asks: asks, scheme: "https")
        plan.trustScope = scope
        return plan
    }

    private static let facts = TLSFacts(
        version: .tls13, cipherSuite: 0x1301, applicationProtocol: "http/1.1", isResumed: false)
    private static let peer = PeerCertificates(chain: [CertificateBytes(der: [1, 2, 3])])
    private static let untrusted = SecureFailure(
        TLSFailure(.untrusted, .notRequested, "not trusted"), problem: TrustProblem(.expired, "It has expired."),
        peer: peer)
    private static let identity = TLSIdentity(chain: peer.chain, privateKey: [7])

    @Test func nothingIsSentBeforeTheConnectionIsSecured() throws {
        try ClientPlay.play { play in
            play.start(1, Self.plan())
            play.open(1)
            try play.expect([
                "resolve 1 example.com:443", "connect 1 192.0.2.1:80", "secure 1 example.com",
            ])
            play.feed(.secured(ConnectionID(1), Self.facts))
            try play.expect(["write 1 GET /a HTTP/1.1"])
        }
    }

    @Test func withoutADelegateTheRulesDecide() throws {
        try ClientPlay.play { play in
            try Self.secure(play, Self.plan())
            play.feed(.trustAsked(ConnectionID(1), Self.peer))
            try play.expect(["evaluate the certificates of 1"])
            play.feed(.identityAsked(ConnectionID(1), issuers: []))
            try play.expect(["present nothing on 1"])
            play.feed(.secureFailed(ConnectionID(1), Self.untrusted))
            try play.expect(["close 1", "task 1: complete serverCertificateUntrusted"])
        }
    }

    private static func secure(_ play: Playbook<ClientMachine>, _ plan: TaskPlan) throws {
        play.start(1, plan)
        play.open(1)
        try play.expect(["resolve 1 example.com:443", "connect 1 192.0.2.1:80", "secure 1 example.com"])
    }

    @Test(arguments: [
        (ConnectionAnswer.trust, "accept the certificates of 1"),
        (.performDefaultHandling, "evaluate the certificates of 1"),
        (.present(identity), "evaluate the certificates of 1"),
    ])
    func aDelegateDecides(_ answer: ConnectionAnswer, _ outcome: String) throws {
        try ClientPlay.play { play in
            try Self.secure(play, Self.plan(asks: .connection))
            play.feed(.trustAsked(ConnectionID(1), Self.peer))
            try play.expect(["task 1 asks 1: server trust"])
            play.feed(.answer(QuestionID(1), .connection(answer)))
            try play.expect([outcome])
            // Answered twice: nothing happens.
            play.feed(.answer(QuestionID(1), .connection(.cancel)))
            try play.expect([])
        }
    }

    @Test func aDelegateThatCancelsCancelsTheTaskAndTheConnectionServesNobody() throws {
        try ClientPlay.play { play in
            try Self.secure(play, Self.plan(asks: .connection))
            play.feed(.trustAsked(ConnectionID(1), Self.peer), .answer(QuestionID(1), .connection(.cancel)))
            try play.expect(
                [
                    "task 1 asks 1: server trust", "forget tickets of example.com", "close 1",
                    "task 1: complete cancelled",
                ])
            play.start(2, Self.plan(asks: .connection))
            try play.expect(["resolve 2 example.com:443"])
        }
    }

    @Test func anIdentityIsPresented() throws {
        try ClientPlay.play { play in
            try Self.secure(play, Self.plan(asks: .connection))
            play.feed(.identityAsked(ConnectionID(1), issuers: [[48, 0]]))
            try play.expect(["task 1 asks 1: client certificate"])
            play.feed(.answer(QuestionID(1), .connection(.present(Self.identity))))
            try play.expect(["present an identity on 1"])
        }
    }

    @Test func aTaskThatLeavesTakesItsQuestionAlongAndTheNextOneIsAskedForAConnectionOfItsOwn() throws {
        try ClientPlay.play(limit: 1) { play in
            try Self.secure(play, Self.plan(asks: .connection))
            play.start(2, Self.plan(asks: .connection))
            play.feed(.trustAsked(ConnectionID(1), Self.peer))
            try play.expect(["task 1 asks 1: server trust"])
            play.feed(.cancel(TaskID(1), keepingResumeData: false))
            try play.expect(["close 1", "task 1: complete cancelled"])
            play.feed(.timePassed)
            try play.expect(["resolve 2 example.com:443"])
            play.feed(.answer(QuestionID(1), .connection(.trust)))
            try play.expect([])
        }
    }

    @Test func timeDoesNotCountWhileTheUserIsAsked() throws {
        try ClientPlay.play { play in
            try Self.secure(play, Self.plan(asks: .connection))
            play.feed(.trustAsked(ConnectionID(1), Self.peer))
            try play.expect(["task 1 asks 1: server trust"])
            play.sleep(.seconds(3600))
            play.feed(.timePassed)
            try play.expect([])
            play.feed(.answer(QuestionID(1), .connection(.trust)))
            try play.expect(["accept the certificates of 1"])
            play.sleep(.seconds(61))
            play.feed(.timePassed)
            try play.expect(["close 1", "task 1: complete timedOut"])
        }
    }

    @Test func aConnectionThatEndsWhileItIsSecuredIsAFailureOfTLS() throws {
        try ClientPlay.play { play in
            try Self.secure(play, Self.plan())
            play.feed(.closed(ConnectionID(1)))
            try play.expect(["task 1: complete secureConnectionFailed"])
        }
    }

    @Test func aRefusalAfterTheRequestIsNeverSentAgain() throws {
        try ClientPlay.play { play in
            try Self.secure(play, Self.plan())
            play.feed(.secured(ConnectionID(1), Self.facts))
            try play.expect(["write 1 GET /a HTTP/1.1"])
            let refused = SecureFailure(TLSFailure(.refused(.certificateRequired), .missing, "refused"))
            play.feed(.secureFailed(ConnectionID(1), refused))
            try play.expect(["close 1", "task 1: complete clientCertificateRequired"])
        }
    }

    @Test func tasksWithOtherDelegatesShareNoConnection() throws {
        try ClientPlay.play { play in
            try Self.secure(play, Self.plan(asks: .connection, scope: 7))
            play.feed(.secured(ConnectionID(1), Self.facts))
            play.receive(1, ClientPlay.ok)
            _ = play.take()
            play.start(2, Self.plan(scope: 8))
            try play.expect(["resolve 2 example.com:443"])
            play.start(3, Self.plan(scope: 7))
            try play.expect(["write 1 GET /a HTTP/1.1"])
        }
    }

    // BEHAVIOUR 1.D2-asked
    @Test func aConnectionThatEndsWithItsQuestionOpenGivesTheTaskItsTimerBack() throws {
        try ClientPlay.play { play in
            try Self.secure(play, Self.plan(asks: .connection))
            play.feed(.trustAsked(ConnectionID(1), Self.peer))
            play.feed(.renewConnections)
            try play.expect(["task 1 asks 1: server trust", "forget tickets", "close 1", "resolve 2 example.com:443"])
            play.open(2)
            try play.expect(["connect 2 192.0.2.1:80", "secure 2 example.com"])
            play.sleep(.seconds(61))
            play.feed(.timePassed)
            try play.expect(["close 2", "task 1: complete timedOut"])
        }
    }

    // BEHAVIOUR 2.F1-spare
    @Test func aDialThatWaitsForAUsersAnswerIsNotSilent() throws {
        try ClientPlay.play { play in
            try Self.secure(play, Self.plan(asks: .connection))
            play.start(2, Self.plan())
            try play.expect(["resolve 2 example.com:443"])
            play.feed(.trustAsked(ConnectionID(1), Self.peer))
            try play.expect(["task 1 asks 1: server trust"])
            play.sleep(.seconds(11))
            // One dial is too many now: the younger one, which nobody was asked about.
            play.feed(.cancel(TaskID(2), keepingResumeData: false))
            try play.expect(["stop resolving 2", "task 2: complete cancelled"])
            play.feed(.answer(QuestionID(1), .connection(.trust)))
            try play.expect(["accept the certificates of 1"])
        }
    }

    private static let alert = SecureFailure(TLSFailure(.broken(.internalError), .notRequested, "an alert"))

    // BEHAVIOUR 2.B1-behind
    @Test func whatWasReceivedBeforeABadRecordStaysGood() throws {
        try ClientPlay.play { play in
            try Self.secure(play, Self.plan(asks: .response))
            play.feed(.secured(ConnectionID(1), Self.facts))
            play.receive(1, ClientPlay.ok)
            _ = play.take()
            play.feed(.secureFailed(ConnectionID(1), Self.alert))
            try play.expect(["close 1"])
            play.feed(.answer(QuestionID(1), .response(allow: true)))
            try play.check("it is complete", play.take().last?.summary, is: "task 1: complete")
        }
    }

    // BEHAVIOUR 1.E1
    @Test func anAlertOnAKeptConnectionBeforeAnyAnswerIsTriedAgain() throws {
        try ClientPlay.play { play in
            try Self.secure(play, Self.plan())
            play.feed(.secured(ConnectionID(1), Self.facts))
            play.receive(1, ClientPlay.ok)
            play.start(2, Self.plan())
            _ = play.take()
            play.feed(.secureFailed(ConnectionID(1), Self.alert))
            try play.expect(["close 1", "resolve 2 example.com:443"])
        }
    }

    // BEHAVIOUR 2.F1-scopes
    @Test func routesToOneHostShareItsPlaces() throws {
        try ClientPlay.play(limit: 1) { play in
            try Self.secure(play, Self.plan(scope: 7))
            play.start(2, Self.plan(scope: 8))
            play.start(3, Self.plan(scope: 7))
            play.feed(.secured(ConnectionID(1), Self.facts))
            try play.expect(["write 1 GET /a HTTP/1.1"])
            // The place goes to the one who has none; then back again.
            play.receive(1, ClientPlay.ok)
            try play.check(
                "it makes room", play.take().map(\.summary).suffix(2), is: ["close 1", "resolve 2 example.com:443"])
            play.open(2)
            play.feed(.secured(ConnectionID(2), Self.facts))
            _ = play.take()
            play.receive(2, ClientPlay.ok)
            try play.check(
                "it makes room", play.take().map(\.summary).suffix(2), is: ["close 2", "resolve 3 example.com:443"])
        }
    }
}
