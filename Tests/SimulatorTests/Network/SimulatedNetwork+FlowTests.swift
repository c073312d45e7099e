import ClientMachines
import HTTPBasics
import NIOCore
import ServerScript
import Testing

@testable import Simulator

@Suite struct FlowTests {
    @Test func `bytes arrive whole, after the latency, and their writer is told`() throws {
        let bench = NetworkBench()
        let link = try #require(bench.open())
        let start = bench.scheduler.now.nanoseconds / 1_000
        bench.network.write(link, from: .client, ByteBuffer(string: "hello"))
        bench.run()
        #expect(bench.client == [.init(microseconds: start, text: "wrote c1 5")])
        #expect(bench.server == [.init(microseconds: start + 100, text: "received #0 5B \"hello\"")])
    }

    @Test func `a pipe holds 64 KiB, and the writer goes on as its reader reads`() throws {
        let bench = NetworkBench()
        let link = try #require(bench.open())
        let body = counted(200_000)
        bench.network.setReading(link, at: .client, false)
        bench.network.write(link, from: .server, body)
        bench.run()
        #expect(bench.serverWrote == 65_536)
        #expect(bench.clientBytes.readableBytes == 0)
        bench.network.setReading(link, at: .client, true)
        bench.run()
        #expect(bench.serverWrote == 200_000)
        #expect(bench.clientBytes == body)
    }

    @Test func `a reader who stops gets nothing more, not even what has arrived`() throws {
        let bench = NetworkBench()
        let link = try #require(bench.open())
        bench.network.write(link, from: .server, ByteBuffer(string: "a"))
        bench.network.write(link, from: .server, ByteBuffer(string: "b"))
        bench.network.closeOutput(link, from: .server)
        bench.network.setReading(link, at: .client, false)
        bench.run()
        #expect(bench.client.isEmpty)
        bench.network.setReading(link, at: .client, true)
        bench.run()
        #expect(bench.clientTexts == ["received c1 1B \"a\"", "received c1 1B \"b\"", "inputClosed c1"])
    }

    @Test func `a seed divides the bytes and loses none`() throws {
        var pieces: Set<[Int]> = []
        for seed in UInt64(0)..<24 {
            let bench = NetworkBench(seed: seed)
            let link = try #require(bench.open())
            let body = counted(5_000)
            bench.network.write(link, from: .server, body)
            bench.run()
            #expect(bench.clientBytes == body)
            pieces.insert(bench.clientPieces)
        }
        #expect(pieces.count > 6)
        #expect(pieces.contains { $0.count > 2 })
    }

    @Test func `over a line with a rate bytes come when they are through, and what follows waits for them`() throws {
        let bench = NetworkBench(latency: .milliseconds(50), rate: 100_000)
        let link = try #require(bench.open())
        let begun = bench.scheduler.now
        for _ in 0..<3 { bench.network.write(link, from: .server, ByteBuffer(repeating: 1, count: 10_000)) }
        bench.network.close(link, from: .server)
        bench.run()
        #expect(bench.clientBytes.readableBytes == 30_000)
        #expect(bench.clientPieces.allSatisfy { $0 <= 2_000 })
        #expect(bench.scheduler.now - begun >= .milliseconds(350))
        #expect(bench.scheduler.now - begun < .milliseconds(460))
    }

    @Test func `a reset waits for what a slow line still has`() throws {
        let bench = NetworkBench(rate: 10_000)
        let link = try #require(bench.open())
        bench.network.write(link, from: .server, ByteBuffer(repeating: 1, count: 10_000))
        bench.network.reset(link, from: .server)
        bench.run()
        #expect(bench.clientBytes.readableBytes == 10_000)
    }

    @Test func `a split rule divides exactly there`() throws {
        let rules = [3, 1, 9].map { FaultRule.split(SplitRule(connection: 0, offset: $0)) }
        let bench = NetworkBench(rules: rules)
        let link = try #require(bench.open())
        bench.network.write(link, from: .server, ByteBuffer(string: "ab"))
        bench.network.write(link, from: .server, ByteBuffer(string: "cdefghijkl"))
        bench.run()
        #expect(bench.clientPieces == [1, 1, 1, 6, 3])
    }

    @Test func `what both directions carried is on record, with what it means`() throws {
        let bench = NetworkBench()
        let link = try #require(bench.open())
        bench.network.write(link, from: .client, ByteBuffer(string: "GET /x HTTP/1.1\r\n\r\n"))
        bench.network.write(link, from: .server, ByteBuffer(string: "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi"))
        bench.run()
        let record = link.record
        #expect(String(buffer: record.fromClient) == "GET /x HTTP/1.1\r\n\r\n")
        #expect(record.counts.fromServer == 40)
        #expect(
            record.spans == [
                WireSpan(kind: .head, exchange: 0, range: 0..<38), WireSpan(kind: .body, exchange: 0, range: 38..<40),
            ])
        #expect(record.pieces.map(\.count) == [19, 40])
    }

    @Test func `a record is bounded and goes on counting`() throws {
        let bench = NetworkBench()
        let link = try #require(bench.open())
        bench.network.write(link, from: .server, counted(1_500_000))
        bench.run()
        #expect(link.record.counts.fromServer == 1_500_000)
        #expect(link.record.fromServer.readableBytes == WireRecord.keptBytes)
    }
}
