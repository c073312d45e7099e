import HTTPBasics
import MachineContract
import TestSupport
import Testing

@testable import ClientMachines

/// Stage `asking`: one question is open, everything else waits.
@Suite struct AskingTests {
    private static let stations: [TaskBuilder.Station] = [.askingRedirect, .askingChallenge, .askingResponse]

    @Test(arguments: stations)
    func `while a question is open nothing is read and only the resource timer runs`(
        _ station: TaskBuilder.Station
    ) throws {
        var builder = TaskBuilder()
        builder.plan.resourceTimeout = .seconds(1000)
        try builder.play(station) { book in
            try book.check("it wants no events", !book.machine.wantsEvents)
            try book.advance(by: .seconds(500))
            try book.expect()
            try book.expectDeadline(in: .seconds(500))
        }
    }

    @Test(arguments: stations)
    func `silence is measured anew after the answer`(_ station: TaskBuilder.Station) throws {
        try TaskBuilder().play(station) { book in
            try book.advance(by: .seconds(500))
            switch station {
            case .askingRedirect: book.feed(.answer(.redirect(nil)), .answer(.response(allow: true)))
            case .askingChallenge: book.feed(.answer(.challenge(.use(nil))), .answer(.response(allow: true)))
            default: book.feed(.answer(.response(allow: true)))
            }
            try book.check("stage", book.machine.stage, is: .receivingBody)
            try book.expectDeadline(in: .seconds(60))
            _ = book.take()
        }
    }

    // BEHAVIOUR 1.B1-8
    @Test func `what left while a question was open is told with its answer`() throws {
        try TaskBuilder(.post(bytes: 5)).play(.askingResponse) { book in
            book.feed(.wrote(head: 80, 5))
            try book.expect()
            book.feed(.answer(.response(allow: true)))
            try book.check("outputs", book.take().map(\.summary), is: ["tell sent 5, 5 of 5"])
        }
    }

    // BEHAVIOUR 1.F2
    @Test func `a challenge that is cancelled keeps no resume data`() throws {
        try TaskBuilder(kind: .download(resuming: .sample)).play(.askingChallenge) { book in
            book.feed(.answer(.challenge(.cancel)))
            try book.check(
                "outputs", book.take().map(\.summary), is: ["abandon", "tell complete cancelled", "finished"])
        }
    }

    @Test func `a second answer and an answer without a question are dropped`() throws {
        try TaskBuilder().play(.askingResponse) { book in
            book.feed(.answer(.response(allow: true)), .answer(.response(allow: false)))
            try book.expect()
            try book.check("stage", book.machine.stage, is: .receivingBody)
        }
    }

    @Test func `an answer of another kind than its question is our bug`() throws {
        try TaskBuilder().play(.askingResponse) { book in
            book.feed(.answer(.redirect(nil)))
            try book.expect(.bug("answer of another kind than its question"))
        }
    }

    @Test func `a redirect goes on with the request that the user gives`() throws {
        try TaskBuilder().play(.askingRedirect) { book in
            let other = ClientRequest(method: "HEAD", url: URLReference(scheme: "http", host: "other", path: "/c"))
            book.feed(.answer(.redirect(other)), .event(.body("abc")), .event(.end))
            try book.expect(
                .release, .tell(.requestChanged(other)),
                .acquire(Origin(scheme: "http", host: "other", port: 80), .any))
        }
    }

    @Test func `a redirect that the user declines is the response`() throws {
        try TaskBuilder().play(.askingRedirect) { book in
            book.feed(.answer(.redirect(nil)))
            try book.check("outputs", book.take().map(\.summary), is: ["ask response 302"])
            book.feed(.answer(.response(allow: true)), .event(.body("abc")), .event(.end))
            try book.check(
                "outputs", book.take().map(\.summary), is: ["tell data 3", "release", "tell complete", "finished"])
        }
    }

    @Test func `a response that the user declines cancels the task`() throws {
        try TaskBuilder().play(.askingResponse) { book in
            book.feed(.answer(.response(allow: false)))
            try book.check(
                "outputs", book.take().map(\.summary), is: ["abandon", "tell complete cancelled", "finished"])
        }
    }

    @Test(arguments: [
        (ChallengeAnswer.use(nil), ["ask response 401"]), (.rejectProtectionSpace, ["ask response 401"]),
        (.performDefaultHandling, ["ask response 401"]),
        (.cancel, ["abandon", "tell complete cancelled", "finished"]), (.use(Credential(user: "u", password: "p")), []),
    ])
    func `a challenge ends as its answer says`(answer: ChallengeAnswer, outputs: [String]) throws {
        try TaskBuilder().play(.askingChallenge) { book in
            book.feed(.answer(.challenge(answer)))
            try book.check("outputs", book.take().map(\.summary), is: outputs)
        }
    }

    @Test func `a credential is sent again on the same connection, and its failures are counted`() throws {
        try TaskBuilder().play(.askingChallenge) { book in
            for failures in 1...2 {
                book.feed(.answer(.challenge(.use(Credential(user: "u", password: "p")))), .event(.end))
                try book.expect(.release, .acquire(TaskBuilder.origin, .any))
                book.feed(.connected(isReused: true))
                _ = book.take()
                let isSent = book.machine.headText.contains("Authorization: Basic dTpw\r\n")
                try book.check("the credential is sent", isSent)
                book.feed(.event(.challengeHead))
                try book.check("outputs", book.take().map(\.summary), is: ["ask challenge r, failures \(failures)"])
            }
        }
    }

    // BEHAVIOUR 2.A5, 2.A4-default
    @Test func `the URL's credential is tried once by default handling, then the 401 is the response`() throws {
        var url = TaskBuilder.url
        url.userInformation = "u:p"
        var builder = TaskBuilder(ClientRequest(url: url))
        builder.plan.asks = []
        try builder.play(.awaitingHead) { book in
            book.feed(.event(.challengeHead), .event(.end))
            try book.check("outputs", book.take().map(\.summary), is: ["release", "acquire http://example.com"])
            book.feed(.connected(isReused: true), .event(.challengeHead), .event(.end))
            try book.check(
                "outputs", Array(book.take().map(\.summary).dropFirst()),
                is: ["tell response 401, expecting 0", "release", "tell complete", "finished"])
        }
    }

    // BEHAVIOUR 2.A2-proposed
    @Test func `the URL's credential is proposed until it was tried`() throws {
        let credential = Credential(user: "u", password: "p")
        var url = TaskBuilder.url
        url.userInformation = "u:p"
        try TaskBuilder(ClientRequest(url: url)).play(.awaitingHead) { book in
            for proposed in [credential, nil] {
                book.feed(.event(.challengeHead))
                let challenges = book.take().compactMap { output in
                    if case .ask(.challenge(let challenge)) = output { challenge } else { Challenge?.none }
                }
                try book.check("proposed", challenges.map(\.proposed), is: [proposed])
                book.feed(.answer(.challenge(.use(credential))), .event(.end), .connected(isReused: true))
                _ = book.take()
            }
        }
    }

    // BEHAVIOUR 2.A3
    @Test func `what nobody answers takes its default without a question`() throws {
        var builder = TaskBuilder()
        builder.plan.asks = []
        try builder.play(.awaitingHead) { book in
            book.feed(.event(.redirectHead), .event(.body("abc")), .event(.end))
            try book.check(
                "outputs", book.take().map(\.summary),
                is: ["release", "tell request GET http://example.com/b", "acquire http://example.com"])
            book.feed(.connected(isReused: true), .event(.plainHead))
            try book.check(
                "outputs", Array(book.take().map(\.summary).dropFirst()), is: ["tell response 200, expecting 20"])
        }
    }

    @Test func `an answer to a suspended task is carried out when it is resumed`() throws {
        try TaskBuilder().play(.askingResponse) { book in
            book.feed(.suspend, .answer(.response(allow: true)))
            try book.check("it wants no events", !book.machine.wantsEvents)
            try book.expectDeadline(in: nil)
            book.feed(.resume)
            try book.check("it wants events", book.machine.wantsEvents)
            try book.expectDeadline(in: .seconds(60))
        }
    }
}
