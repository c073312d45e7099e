import HTTPBasics
import ClientMachines
import NIOCore
import Testing

@testable import Simulator

@Suite struct AnswerShapeTests {
    @Test("Every answer of a connection has a number, informational ones among them")
    func answers() {
        var record = WireRecord(connection: 2, session: 0, client: ConnectionID(1), host: "a", opened: .zero)
        record.append(method: "GET")
        let answer = """
            HTTP/1.1 103 Early Hints\r\n\r\nHTTP/1.1 200 OK\r\nDate: 1\r\nTransfer-Encoding: chunked\r\n\r
            1\r\na\r\n0\r\nChecksum: 1\r\n\r\n
            """
        record.append(ByteBuffer(string: answer), from: .server, at: .zero)
        let answers = record.answers
        #expect(answers.map(\.connection) == [2, 2])
        #expect(answers.map(\.answer) == [0, 1])
        #expect(answers.map(\.chunkSizes) == [0, 2])
        #expect(answers.reduce(0) { $0 + $1.count } == answer.utf8.count)
        #expect(answers[1].head?.lines.map(\.name) == ["status", "date", "transfer-encoding", ""])
        #expect(answers[1].head?.lines.map(\.numbers.count) == [3, 1, 0, 0])
    }

    @Test("Answers behind uploads of which not all is kept have their numbers, too")
    func uploads() throws {
        let upload = "POST / HTTP/1.1\r\nContent-Length: \(WireRecord.keptBytes)\r\n\r\n"
        let bench = NetworkBench()
        let link = try #require(bench.open())
        for _ in 0..<3 {
            bench.network.write(link, from: .client, ByteBuffer(string: upload))
            bench.network.write(link, from: .client, ByteBuffer(repeating: 0, count: WireRecord.keptBytes))
            bench.run()
            bench.network.write(
                link, from: .server, ByteBuffer(string: "HTTP/1.1 201 Created\r\nContent-Length: 1\r\n\r\na"))
            bench.run()
        }
        #expect(link.record.answers.map(\.answer) == [0, 1, 2])
        #expect(link.record.answers.allSatisfy { $0.head != nil })
    }
}
