import ClientMachines
import HTTPBasics
import NIOCore
import ServerScript
import Testing

@testable import Simulator

@Suite struct EndingTests {
    @Test func `FIN comes behind all data, however much waits`() throws {
        let bench = NetworkBench()
        let link = try #require(bench.open())
        bench.network.write(link, from: .server, counted(150_000))
        bench.network.closeOutput(link, from: .server)
        bench.run()
        #expect(bench.clientBytes.readableBytes == 150_000)
        #expect(bench.clientTexts.last == "inputClosed c1")
        #expect(bench.clientTexts.filter { $0.hasPrefix("inputClosed") }.count == 1)
    }

    @Test func `after a half close the server goes on reading, and is closed when the client closes`() throws {
        let bench = NetworkBench()
        let link = try #require(bench.open())
        bench.network.closeOutput(link, from: .server)
        bench.run()
        bench.network.write(link, from: .client, ByteBuffer(string: "more"))
        bench.network.close(link, from: .client)
        bench.run()
        #expect(bench.clientTexts == ["inputClosed c1", "closed c1"])
        #expect(bench.serverTexts == ["received #0 4B \"more\"", "inputClosed #0", "closed #0"])
    }

    @Test func `the client's close flushes, and tells it at once that it is closed`() throws {
        let bench = NetworkBench()
        let link = try #require(bench.open())
        let body = counted(100_000)
        bench.network.setReading(link, at: .server, false)
        bench.network.write(link, from: .client, body)
        bench.network.close(link, from: .client)
        bench.run()
        #expect(bench.clientTexts == ["closed c1"])
        bench.network.setReading(link, at: .server, true)
        bench.run()
        #expect(bench.serverBytes == body)
        #expect(bench.serverTexts.last == "inputClosed #0")
    }

    @Test func `a scripted close swallows what the client still sends`() throws {
        let bench = NetworkBench()
        let link = try #require(bench.open())
        bench.network.write(link, from: .server, ByteBuffer(string: "bye"))
        bench.network.close(link, from: .server)
        bench.network.write(link, from: .client, counted(200_000))
        bench.run()
        #expect(bench.serverTexts == ["closed #0"])
        #expect(bench.clientWrote == 200_000)
        #expect(bench.clientTexts.contains("received c1 3B \"bye\""))
        #expect(bench.clientTexts.filter { $0.hasPrefix("closed") }.isEmpty)
    }

    @Test func `data for a closed client is answered with a reset`() throws {
        let bench = NetworkBench()
        let link = try #require(bench.open())
        bench.network.close(link, from: .client)
        bench.run()
        bench.network.write(link, from: .server, counted(300_000))
        bench.run()
        #expect(bench.clientTexts == ["closed c1"])
        #expect(bench.serverTexts.first == "inputClosed #0")
        #expect(bench.serverTexts.last == "closed #0")
        #expect(bench.serverWrote < 300_000)
    }

    @Test func `a reset loses what is unsent and what is unread`() throws {
        let bench = NetworkBench()
        let link = try #require(bench.open())
        bench.network.setReading(link, at: .client, false)
        bench.network.write(link, from: .server, counted(100_000))
        bench.network.write(link, from: .client, ByteBuffer(string: "unread"))
        bench.network.reset(link, from: .server)
        bench.run()
        bench.network.setReading(link, at: .client, true)
        bench.run()
        #expect(bench.clientBytes.readableBytes == 0)
        #expect(bench.clientTexts.last == "closed c1")
        #expect(bench.serverTexts == ["closed #0"])
    }

    @Test func `a reader who keeps pace reads what was sent before a reset`() throws {
        let bench = NetworkBench()
        let link = try #require(bench.open())
        bench.network.write(link, from: .server, ByteBuffer(string: "one"))
        bench.network.write(link, from: .server, ByteBuffer(string: "two"))
        bench.network.reset(link, from: .server)
        bench.run()
        #expect(bench.clientTexts == ["received c1 3B \"one\"", "received c1 3B \"two\"", "closed c1"])
    }

    @Test func `with seeds a reset sometimes overtakes data`() throws {
        var seen: Set<Int> = []
        for seed in UInt64(0)..<40 {
            let bench = NetworkBench(seed: seed)
            let link = try #require(bench.open())
            bench.network.write(link, from: .server, ByteBuffer(string: "one"))
            bench.network.reset(link, from: .server)
            bench.run()
            #expect(bench.clientTexts.last == "closed c1")
            seen.insert(bench.clientBytes.readableBytes)
        }
        #expect(seen.contains(0))
        #expect(seen.contains(3))
    }

    @Test func `asking twice closes once, on both sides`() throws {
        let bench = NetworkBench()
        let link = try #require(bench.open())
        for _ in 0..<2 {
            bench.network.close(link, from: .client)
            bench.network.reset(link, from: .server)
            bench.network.close(link, from: .server)
        }
        bench.run()
        #expect(bench.clientTexts == ["closed c1"])
        #expect(bench.serverTexts == ["closed #0"])
    }

    @Test(arguments: CutRule.Effect.allCases, [0, 1, 4, 7])
    func `a cut lets exactly that many bytes through and is told to the server`(
        effect: CutRule.Effect, offset: Int
    ) throws {
        let bench = NetworkBench(rules: [.cut(CutRule(connection: 0, offset: offset, effect: effect))])
        let link = try #require(bench.open())
        bench.network.write(link, from: .server, ByteBuffer(string: "abcd"))
        bench.network.write(link, from: .server, ByteBuffer(string: "efg"))
        bench.network.close(link, from: .server)
        bench.run()
        #expect(String(buffer: bench.clientBytes) == String("abcdefg".prefix(offset)))
        #expect(bench.clientTexts.last == (effect == .fin ? "inputClosed c1" : "closed c1"))
        #expect(bench.serverTexts.filter { $0 == "cut #0 sent \(offset)" }.count == 1)
        #expect(bench.serverTexts.filter { $0 == "closed #0" }.count == 1)
    }

    @Test func `a cut by reset is no end in order, even when the server had closed before`() throws {
        let rules = [FaultRule.cut(CutRule(connection: 0, offset: 300_000, effect: .reset))]
        let bench = NetworkBench(rules: rules)
        let link = try #require(bench.open())
        bench.network.write(link, from: .server, ByteBuffer(repeating: 7, count: 400_000))
        bench.network.close(link, from: .server)
        bench.run()
        #expect(bench.clientBytes.readableBytes <= 300_000)
        #expect(!bench.clientTexts.contains("inputClosed c1"))
        #expect(bench.clientTexts.last == "closed c1")
    }

    @Test func `a cut behind the last byte, or of another connection, cuts nothing`() throws {
        let rules: [FaultRule] = [
            .cut(CutRule(connection: 0, offset: 5, effect: .fin)),
            .cut(CutRule(connection: 1, offset: 0, effect: .fin)),
        ]
        let bench = NetworkBench(rules: rules)
        let link = try #require(bench.open())
        bench.network.write(link, from: .server, ByteBuffer(string: "abcd"))
        bench.run()
        #expect(bench.clientTexts == ["received c1 4B \"abcd\""])
        #expect(!bench.serverTexts.contains("cut #0"))
    }
}
