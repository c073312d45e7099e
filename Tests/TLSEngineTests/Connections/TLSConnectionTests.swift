import NIOCore
import TLSBasics
import TLSEngine
import Testing

@Suite struct TLSConnectionTests {
    @Test(arguments: TLSVersion.allCases)
    func bothEndsAgreeOnEveryVersion(version: TLSVersion) throws {
        let pair = try TLSPair(TestContexts.client(version...version), TestContexts.server(.tls10 ... .tls13))
        pair.run()
        let facts = try #require(pair.clientEvents.facts)
        #expect(facts.version == version)
        #expect(!facts.isResumed)
        #expect(facts.applicationProtocol == nil)
        #expect(pair.serverEvents == [.secured(facts)])
        #expect(pair.clientEvents.first == .trustAsked(PeerCertificates(chain: try TestContexts.server.get().chain)))
        #expect(pair.clientEvents.essence.count == 2)
    }

    @Test func theNumberOfACipherSuiteIsThatOfTheRegistry() throws {
        let context = try TestContexts.server { $0.cipherSuites = "TLS_CHACHA20_POLY1305_SHA256" }
        let pair = try TLSPair(TestContexts.client(), context)
        pair.run()
        #expect(pair.clientEvents.facts?.cipherSuite == 0x1303)
    }

    @Test func versionsWithoutACommonOneAreRefused() throws {
        let pair = try TLSPair(TestContexts.client(.tls12 ... .tls12), TestContexts.server(.tls13 ... .tls13))
        pair.run()
        #expect(pair.clientEvents.failure?.kind == .refused(.protocolVersion))
        #expect(pair.serverEvents.failure?.kind == .broken(.protocolVersion))
    }

    @Test func bytesGoBothWays() throws {
        let pair = try TLSPair(TestContexts.client(), TestContexts.server())
        pair.run()
        pair.client.send(ByteBuffer(string: "question"))
        pair.server.send(ByteBuffer(string: "ans"))
        pair.server.send(ByteBuffer(string: "wer"))
        pair.run()
        #expect(pair.serverEvents.last == .received(ByteBuffer(string: "question")))
        #expect(pair.clientEvents.last == .received(ByteBuffer(string: "answer")))
    }

    @Test(arguments: TLSVersion.allCases)
    func tenMegabytesArriveIntact(version: TLSVersion) throws {
        let pair = try TLSPair(TestContexts.client(version...version), TestContexts.server(.tls10 ... .tls13))
        pair.run()
        let upload = Self.bytes(count: 10 << 20, seed: 1)
        let download = Self.bytes(count: 10 << 20, seed: 2)
        pair.client.send(upload)
        pair.server.send(download)
        pair.run()
        #expect(pair.serverEvents.plaintext == upload)
        #expect(pair.clientEvents.plaintext == download)
        // 40 pieces of 256 KiB, one handshake.
        #expect(pair.serverEvents.count == 41)
    }

    /// Blocks of an odd size, so that no two records are equal.
    private static func bytes(count: Int, seed: UInt64) -> ByteBuffer {
        let block = ByteBuffer(bytes: (0..<10_007).map { UInt8(truncatingIfNeeded: $0 &* $0 >> 3) })
        var buffer = ByteBuffer()
        while buffer.readableBytes < count {
            buffer.writeInteger(seed &+ UInt64(buffer.readableBytes))
            buffer.writeImmutableBuffer(block)
        }
        return buffer.getSlice(at: 0, length: count) ?? buffer
    }

    @Test func eachEndCanEndBeforeTheOther() throws {
        let pair = try TLSPair(TestContexts.client(), TestContexts.server())
        pair.run()
        pair.client.send(ByteBuffer(string: "question"))
        pair.client.sendEnd()
        pair.client.send(ByteBuffer(string: "dropped"))
        pair.client.sendEnd()
        pair.run()
        #expect(pair.serverEvents.suffix(2) == [.received(ByteBuffer(string: "question")), .ended])
        pair.server.send(ByteBuffer(string: "answer"))
        pair.server.sendEnd()
        pair.run()
        #expect(pair.clientEvents.suffix(2) == [.received(ByteBuffer(string: "answer")), .ended])
    }

    @Test func nothingIsSentBeforeTheHandshakeOrAfterAFailure() throws {
        let pair = try TLSPair(TestContexts.client(), TestContexts.server())
        pair.client.send(ByteBuffer(string: "early"))
        pair.client.sendEnd()
        #expect(pair.client.takeCiphertext() == nil)
        pair.run()
        #expect(pair.clientEvents.facts != nil)
        pair.client.receiveEnd()
        pair.run()
        #expect(pair.clientEvents.failure?.kind == .truncated)
        pair.client.send(ByteBuffer(string: "late"))
        pair.client.sendEnd()
        #expect(pair.client.takeCiphertext() == nil)
        #expect(pair.client.nextEvent() == nil)
    }

    /// Every prefix of an answer and its close_notify, with and without the peer's end behind it.
    @Test(arguments: [TLSVersion.tls12, .tls13])
    func onlyACompleteCloseNotifyEnds(version: TLSVersion) throws {
        let contexts = (try TestContexts.client(version...version), try TestContexts.server())
        var count = 1
        var cut = 0
        while cut <= count {
            let pair = try TLSPair(contexts.0, contexts.1)
            pair.run()
            pair.clientEvents = []
            pair.server.send(ByteBuffer(string: "answer"))
            pair.server.sendEnd()
            let answer = try #require(pair.server.takeCiphertext())
            count = answer.readableBytes
            pair.client.receive(try #require(answer.getSlice(at: answer.readerIndex, length: cut)))
            pair.run()
            let before = pair.clientEvents
            #expect(before.contains(.ended) == (cut == count))
            #expect(before.failure == nil)
            pair.client.receiveEnd()
            pair.run()
            #expect(pair.clientEvents.contains(.ended) == (cut == count))
            #expect((pair.clientEvents.failure?.kind == .truncated) == (cut < count))
            #expect(["", "answer"].contains(String(buffer: before.plaintext)))
            cut += 1
        }
    }

    @Test func anEndDuringTheHandshakeIsAFailure() throws {
        let client = try TLSConnection(client: TestContexts.client(), host: "a.test", resuming: nil)
        client.start()
        client.receiveEnd()
        guard case .failed(let failure) = client.nextEvent() else { throw TestFailure() }
        #expect(failure.kind == .ended)
        #expect(client.nextEvent() == nil)
    }

    @Test func connectionsAndContextsAreFreed() throws {
        weak var context: TLSClientContext?
        weak var client: TLSConnection?
        weak var server: TLSConnection?
        do {
            let shared = try TestContexts.client()
            let pair = try TLSPair(shared, TestContexts.server())
            (context, client, server) = (shared, pair.client, pair.server)
            pair.run()
            #expect(client != nil && server != nil && context != nil)
        }
        #expect(client == nil && server == nil && context == nil)
    }
}

struct TestFailure: Error {}
