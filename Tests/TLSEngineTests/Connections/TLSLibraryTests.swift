import NIOCore
import TLSBasics
import TLSEngine
import Testing

@Suite struct TLSLibraryTests {
    private struct Bytes: Equatable {
        let fromClient: [ByteBuffer]
        let fromServer: [ByteBuffer]
    }

    private func bytes(
        _ library: TLSLibrary, seed: UInt64, _ version: TLSVersion, _ identity: TLSIdentity
    ) throws -> Bytes {
        library.reseed(seed)
        let server = try TestContexts.server(library: library) {
            $0.identity = identity
            $0.tickets = 0
        }
        let pair = try TLSPair(TestContexts.client(version...version, library: library), server)
        pair.run()
        #expect(pair.clientEvents.facts?.version == version)
        pair.client.send(ByteBuffer(string: "question"))
        pair.server.send(ByteBuffer(string: "answer"))
        pair.run()
        #expect(String(buffer: pair.clientEvents.plaintext) == "answer")
        return Bytes(fromClient: pair.fromClient, fromServer: pair.fromServer)
    }

    @Test(arguments: TLSVersion.allCases.suffix(2), [true, false])
    func theSameSeedGivesTheSameBytes(version: TLSVersion, isRSA: Bool) throws {
        let identity = try isRSA ? TestContexts.rsaServer.get() : TestContexts.server.get()
        let first = try bytes(.seeded, seed: 7, version, identity)
        let other = try bytes(.seeded, seed: 8, version, identity)
        #expect(try bytes(.seeded, seed: 7, version, identity) == first)
        #expect(other.fromClient != first.fromClient && other.fromServer != first.fromServer)
    }

    @Test func theSystemsRandomnessIsNotSeeded() throws {
        let identity = try TestContexts.server.get()
        let first = try bytes(.system, seed: 7, .tls13, identity)
        #expect(try bytes(.system, seed: 7, .tls13, identity) != first)
    }

    @Test func seededConnectionsResumeSessions() throws {
        TLSLibrary.seeded.reseed(1)
        let client = try TestContexts.client(library: .seeded)
        let server = try TestContexts.server(library: .seeded)
        let first = try TLSPair(client, server)
        first.run()
        let second = try TLSPair(client, server, resuming: first.clientEvents.sessions.first)
        second.run()
        #expect(second.clientEvents.facts?.isResumed == true)
    }
}
