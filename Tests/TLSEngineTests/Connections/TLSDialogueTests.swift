import NIOCore
import TLSBasics
import Testing

@testable import TLSEngine

@Suite struct TLSDialogueTests {
    @Test(arguments: [TLSVersion.tls12, .tls13], [0, 3])
    func aHandshakeWaitsForItsAnswers(version: TLSVersion, turns: Int) throws {
        let context = try TestContexts.server { $0.clientCertificate = .required }
        let pair = try TLSPair(TestContexts.client(version...version), context)
        pair.delay = turns
        pair.identity = try TestContexts.user.get()
        pair.run()
        #expect(pair.clientEvents.questions == 1)
        #expect(pair.clientEvents.essence.dropFirst().first == .identityAsked(issuers: []))
        #expect(pair.clientEvents.facts != nil)
        #expect(pair.serverEvents.facts != nil)
    }

    @Test func nothingIsSentOrReadWhileAnAnswerIsAwaited() throws {
        let client = try TLSConnection(client: TestContexts.client(), host: "a.test", resuming: nil)
        let server = try TLSConnection(server: TestContexts.server())
        client.start()
        server.receive(try #require(client.takeCiphertext()))
        #expect(server.nextEvent() == nil)
        client.receive(try #require(server.takeCiphertext()))
        #expect(client.nextEvent() == .trustAsked(PeerCertificates(chain: try TestContexts.server.get().chain)))
        client.receiveEnd()
        for _ in 0..<3 { #expect(client.nextEvent() == nil) }
        #expect(client.takeCiphertext() == nil)
        client.answerTrust(true, alert: .internalError)
        guard case .secured = client.nextEvent() else { throw TestFailure() }
    }

    private static let alerts: [TLSAlert] = [
        .handshakeFailure, .badCertificate, .unsupportedCertificate, .certificateRevoked, .certificateExpired,
        .unknownCA, .decryptError, .internalError, .certificateUnknown,
    ]

    @Test(arguments: [TLSVersion.tls12, .tls13], alerts)
    func aRefusalIsToldWithItsAlert(version: TLSVersion, alert: TLSAlert) throws {
        let pair = try TLSPair(TestContexts.client(version...version), TestContexts.server())
        pair.refusal = alert
        pair.run()
        #expect(pair.clientEvents.failure?.kind == .untrusted)
        #expect(pair.serverEvents.failure?.kind == .refused(alert))
    }

    @Test func anAlertThatIsNotForCertificatesBecomesCertificateUnknown() throws {
        let pair = try TLSPair(TestContexts.client(), TestContexts.server())
        pair.refusal = .accessDenied
        pair.run()
        #expect(pair.serverEvents.failure?.kind == .refused(.certificateUnknown))
    }

    @Test func theWholeChainIsShownAsItWasSent() throws {
        let authority = try #require(TestIdentity("authority"))
        let middle = try #require(TestIdentity("middle", by: authority))
        let own = try #require(TestIdentity("a.test", .rsa(bits: 2048), by: middle))
        let pair = try TLSPair(TestContexts.client(), TestContexts.server { $0.identity = own.identity })
        pair.run()
        #expect(own.identity.chain.count == 3)
        #expect(pair.clientEvents.first == .trustAsked(PeerCertificates(chain: own.identity.chain)))
    }

    @Test(arguments: [TLSVersion.tls12, .tls13])
    func theServersIssuersAreShown(version: TLSVersion) throws {
        let issuers = try ["one", "two"].map { try #require(TestIdentity($0)).subject }
        let context = try TestContexts.server {
            $0.clientCertificate = .optional
            $0.acceptedIssuers = issuers
        }
        let pair = try TLSPair(TestContexts.client(version...version), context)
        pair.run()
        #expect(pair.clientEvents.contains(.identityAsked(issuers: issuers)))
    }

    @Test func anUnusableIdentityEndsTheHandshake() throws {
        let broken = try TLSIdentity(
            chain: TestContexts.user.get().chain, privateKey: TestContexts.server.get().privateKey)
        let pair = try TLSPair(TestContexts.client(), TestContexts.server { $0.clientCertificate = .optional })
        pair.identity = broken
        pair.run()
        let failure = try #require(pair.clientEvents.failure)
        #expect(failure.kind == .unusableIdentity)
        #expect(failure.detail == TLSSetupError.keyOfAnotherCertificate.description)
        #expect(pair.serverEvents.failure?.kind == .refused(.internalError))
    }

    @Test(arguments: [
        ("a.test", "a.test"), ("a.test.", "a.test"), ("127.0.0.1", nil), ("127.0.0.1.", nil), ("::1", nil),
        ("[::1]", nil), ("", nil), (".", nil), ("a..", nil), ("localhost", "localhost"), ("1.a", "1.a"), ("a.1", nil),
        ("xn--bcher-kva.test", "xn--bcher-kva.test"), ("bücher.test", nil), ("a b.test", nil), ("a_b.test", "a_b.test"),
        (String(repeating: "a", count: 253), String(repeating: "a", count: 253)),
        (String(repeating: "a", count: 254), nil),
    ])
    func aHostIsAskedForByName(host: String, name: String?) throws {
        let pair = try TLSPair(TestContexts.client(), TestContexts.server(), host: host)
        pair.run()
        #expect(pair.server.requestedName == name)
        #expect(pair.clientEvents.facts != nil)
    }

    @Test(arguments: [
        (["h2", "http/1.1"], ["http/1.1", "h2"], "http/1.1"), (["h2"], ["http/1.1", "h2"], "h2"), ([], ["h2"], nil),
        (["h2"], [], nil), (["http/1.1x", "x"], ["http/1.1", "x"], "x"),
    ])
    func theServersFirstCommonProtocolIsChosen(offer: [String], preference: [String], chosen: String?) throws {
        let context = try TestContexts.server { $0.applicationProtocols = preference }
        let pair = try TLSPair(TestContexts.client(protocols: offer), context)
        pair.run()
        let facts = try #require(pair.clientEvents.facts)
        #expect(facts.applicationProtocol == chosen)
        #expect(pair.serverEvents.facts == facts)
    }

    @Test func aClientWithoutACommonProtocolIsRefused() throws {
        let context = try TestContexts.server { $0.applicationProtocols = ["h2"] }
        let pair = try TLSPair(TestContexts.client(protocols: ["http/1.1"]), context)
        pair.run()
        #expect(pair.clientEvents.failure?.kind == .refused(.noApplicationProtocol))
        #expect(pair.serverEvents.failure?.kind == .broken(.noApplicationProtocol))
    }

    @Test func theAlertsThatRefuseACertificateAreThoseThatOpenSSLHasAnErrorFor() {
        let refusing = (0...255).map { TLSAlert(rawValue: $0) }.filter { TLSDialogue.error(for: $0) != nil }
        #expect(Set(refusing) == Set(TLSAlert.refusals))
    }
}
