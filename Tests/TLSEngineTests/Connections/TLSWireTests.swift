import NIOCore
import TLSBasics
import TLSEngine
import Testing

@Suite struct TLSWireTests {
    private func exchange(_ version: TLSVersion, cut: @escaping (ByteBuffer) -> [ByteBuffer]) throws -> TLSPair {
        let context = try TestContexts.server {
            $0.clientCertificate = .required
            $0.applicationProtocols = ["http/1.1"]
        }
        let pair = try TLSPair(TestContexts.client(version...version, protocols: ["http/1.1"]), context)
        pair.identity = try TestContexts.user.get()
        pair.cut = cut
        pair.run()
        pair.client.send(ByteBuffer(string: "question"))
        pair.client.sendEnd()
        pair.run()
        pair.server.send(ByteBuffer(repeating: 7, count: 40_000))
        pair.server.sendEnd()
        pair.run()
        pair.client.receiveEnd()
        pair.server.receiveEnd()
        pair.run()
        return pair
    }

    private static func pieces(_ bytes: ByteBuffer, _ length: () -> Int) -> [ByteBuffer] {
        var (rest, result) = (bytes, [ByteBuffer]())
        while let piece = rest.readSlice(length: min(length(), rest.readableBytes)), piece.readableBytes > 0 {
            result.append(piece)
        }
        return result
    }

    @Test(arguments: [TLSVersion.tls12, .tls13])
    func cutsMakeNoDifference(version: TLSVersion) throws {
        let whole = try exchange(version) { [$0] }
        #expect(whole.clientEvents.essence.count == 5 && whole.serverEvents.essence.count == 3)
        func check(_ pair: TLSPair) {
            #expect(pair.clientEvents.essence == whole.clientEvents.essence)
            #expect(pair.serverEvents.essence == whole.serverEvents.essence)
        }
        check(try exchange(version) { Self.pieces($0) { 1 } })
        for longest in [2, 5, 100, 2000] {
            for _ in 0..<3 { check(try exchange(version) { Self.pieces($0) { .random(in: 1...longest) } }) }
        }
    }

    /// Many pieces wait before the first is pulled.
    @Test func whatIsNotPulledWaits() throws {
        let pair = try TLSPair(TestContexts.client(), TestContexts.server())
        pair.run()
        pair.client.send(ByteBuffer(repeating: 7, count: 600_000))
        let flight = try #require(pair.client.takeCiphertext())
        for piece in Self.pieces(flight, { 1000 }) { pair.server.receive(piece) }
        var sizes: [Int] = []
        while case .received(let piece) = pair.server.nextEvent() { sizes.append(piece.readableBytes) }
        #expect(sizes == [262_144, 262_144, 75_712])
    }
}
