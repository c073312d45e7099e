import NIOCore
import TLSBasics
import TLSEngine
import Testing

@Suite struct TLSSessionTests {
    @Test(arguments: [TLSVersion.tls10, .tls12, .tls13])
    func aSessionIsResumedWithoutAQuestion(version: TLSVersion) throws {
        let contexts = try (TestContexts.client(version...version), TestContexts.server(.tls10 ... .tls13))
        let first = try TLSPair(contexts.0, contexts.1)
        first.run()
        let sessions = first.clientEvents.sessions
        #expect(sessions.count == (version == .tls13 ? 2 : 1))
        let second = try TLSPair(contexts.0, contexts.1, resuming: sessions.first)
        second.run()
        let facts = try #require(second.clientEvents.facts)
        #expect(facts.isResumed && second.serverEvents.facts == facts)
        #expect(second.clientEvents.questions == 0)
        #expect(second.server.requestedName == "a.test")
    }

    @Test(arguments: [TLSVersion.tls12, .tls13])
    func aServerWithoutTicketsResumesNothing(version: TLSVersion) throws {
        let pair = try TLSPair(TestContexts.client(version...version), TestContexts.server { $0.tickets = 0 })
        pair.run()
        #expect(pair.clientEvents.facts != nil)
        #expect(pair.clientEvents.sessions.isEmpty)
    }

    @Test func aServerOfTLS13GivesAsManyTicketsAsItIsTold() throws {
        let pair = try TLSPair(TestContexts.client(), TestContexts.server { $0.tickets = 5 })
        pair.run()
        #expect(pair.clientEvents.sessions.count == 5)
    }

    @Test(arguments: [TLSVersion.tls12, .tls13])
    func aServerThatDoesNotKnowTheSessionMakesAFullHandshake(version: TLSVersion) throws {
        let client = try TestContexts.client(version...version)
        let first = try TLSPair(client, TestContexts.server())
        first.run()
        let second = try TLSPair(client, TestContexts.server(), resuming: first.clientEvents.sessions.first)
        second.run()
        #expect(second.clientEvents.facts?.isResumed == false)
        #expect(second.clientEvents.questions == 1)
    }

    /// OpenSSL itself would give up the session of a connection that fails.
    @Test(arguments: [TLSVersion.tls12, .tls13])
    func aSessionOutlivesAConnectionThatFails(version: TLSVersion) throws {
        let contexts = try (TestContexts.client(version...version), TestContexts.server())
        let first = try TLSPair(contexts.0, contexts.1)
        first.run()
        let session = try #require(first.clientEvents.sessions.first)
        let second = try TLSPair(contexts.0, contexts.1, resuming: session)
        second.run()
        second.client.receive(ByteBuffer(repeating: 0, count: 100))
        second.run()
        #expect(second.clientEvents.failure != nil)
        let third = try TLSPair(contexts.0, contexts.1, resuming: session)
        third.run()
        #expect(third.clientEvents.facts?.isResumed == true)
    }

    @Test func aSessionWithACertificateOfTheClientIsResumed() throws {
        let server = try TestContexts.server { $0.clientCertificate = .required }
        let client = try TestContexts.client()
        let first = try TLSPair(client, server)
        first.identity = try TestContexts.user.get()
        first.run()
        let second = try TLSPair(client, server, resuming: first.clientEvents.sessions.first)
        second.run()
        #expect(second.clientEvents.facts?.isResumed == true)
        #expect(second.serverEvents.failure == nil)
    }
}
