import Foundation
import ScenarioFormat
import ServerScript
import Testing

@testable import Judge

/// A client is blamed for what it makes of an answer, so an answer that is wrong must be meant so.
@Suite("Answers of scenarios")
struct WrittenAnswersTests {
    private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()

    @Test("Each is as RFC 9112 has it, or malformed.txt says what is wrong with it")
    func strict() throws {
        var root = Self.folder
        for _ in 0..<3 { root.deleteLastPathComponent() }
        let scenarios = try ScenarioLoading.load(root: root.path + "/scenarios", patterns: []).scenarios
        var found: Set<String> = []
        for scenario in scenarios {
            for scenarioCase in scenario.cases {
                for answer in answers(scenarioCase.script.steps) + replies(scenarioCase.script) {
                    guard let objection = StrictAnswer.objection(answer.bytes, to: answer.method) else { continue }
                    found.insert("\(scenario.id(of: scenarioCase)): \(objection)")
                }
            }
        }
        let file = Self.folder.appendingPathComponent("malformed.txt")
        let meant = try String(contentsOf: file, encoding: .utf8).split(separator: "\n").map(String.init)
            .filter { !$0.hasPrefix("#") }
        #expect(Set(meant).subtracting(found).sorted() == [], "listed, and nothing is wrong with it")
        #expect(
            found.subtracting(meant).sorted() == [], "malformed, and to be written into malformed.txt if it is meant")
    }

    /// What is written between an exchange without a reply and the next one of its lane.
    private func answers(_ steps: [Step]) -> [(method: String, bytes: [UInt8])] {
        var done: [(method: String, bytes: [UInt8])] = []
        var open: [String?: (method: String, bytes: [UInt8])] = [:]
        for step in steps where step.times > 0 {
            switch step.action {
            case .exchange(let exchange):
                if let answer = open.removeValue(forKey: step.lane) { done.append(answer) }
                if exchange.reply == nil, exchange.faults.isEmpty {
                    open[step.lane] = (exchange.request.method ?? "GET", [])
                }
            case .write(let bytes):
                for _ in 0..<step.times { open[step.lane]?.bytes += bytes }
            case .accept, .read, .close: break
            }
        }
        return done + open.values
    }

    /// What is left to the server to frame, unless the script frames it in its own way.
    private func replies(_ script: Script) -> [(method: String, bytes: [UInt8])] {
        let exchanges =
            script.routes.map(\.exchange)
            + script.steps.compactMap { step in
                if case .exchange(let exchange) = step.action, step.times > 0 { exchange } else { nil }
            }
        return exchanges.compactMap { exchange in
            guard exchange.faults.isEmpty, exchange.resumable == nil, let reply = exchange.reply else { return nil }
            let method = exchange.request.method ?? "GET"
            return reply.bytes(to: method).map { (method, $0) }
        }
    }

    @Test(
        "A strict reader forgives nothing",
        arguments: [
            ("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi", nil),
            ("HTTP/1.1 103 \r\n\r\nHTTP/1.1 204 \r\nX-A:\t1 2 \r\n\r\n", nil),
            ("HTTP/1.0 200 OK\r\n\r\nuntil the end", nil),
            ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2;a=b\r\nhi\r\n0\r\nX-A: 1\r\n\r\n", nil),
            ("HTTP/1.1 204\r\n\r\n", "no status line"), ("HTTP/1.1 200 OK\n\n", "a head without an end"),
            ("HTTP/1.1 200 OK\r\nX-A : 1\r\n\r\n", "no field line"),
            ("HTTP/1.1 200 OK\r\nX-A: 1\r2\r\n\r\n", "no field line"),
            ("HTTP/1.1 200 OK\r\nX-A: 1\r\n 2\r\n\r\n", "no field line"),
            ("HTTP/1.1 103 \r\nContent-Length: 5\r\n\r\n", "framing where no body can be"),
            ("HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nhi", "a body of another length"),
            ("HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 2\r\n\r\nhi", "a framing said twice"),
            ("HTTP/1.1 200 OK\r\nContent-Length: +2\r\n\r\nhi", "no length"),
            ("HTTP/1.1 304 Same\r\n\r\nhi", "bytes where no body can be"),
            ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nhi0\r\n\r\n", "a chunk without its end"),
            ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nhi\r\n0\r\n", "trailers without an end"),
            ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n\r\n", "bytes behind the end"),
        ])
    func reads(_ text: String, _ objection: String?) {
        #expect(StrictAnswer.objection(Array(text.utf8), to: "GET") == objection)
    }
}
