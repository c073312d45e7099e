import HTTPBasics
import ServerScript
import TestSupport
import Testing

@testable import ScriptedServer

/// What a script makes the server claim is on the wire as written, however wrong it is.
@Suite(.serialized, .endsInTime) struct LieWireTests {
    struct Lie: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var reply: ServerReply
        /// Everything, with the fixed Date left out.
        var wire: String
    }

    private static let line = "HTTP/1.1 200 OK\r\n"
    /// Fields of the script come first, as written; what the server adds follows.
    private static let given = "Connection: close\r\n"

    private static func length(_ values: String...) -> Lie {
        let fields = values.map { "Content-Length: \($0)\r\n" }.joined()
        let reply = values.reduce(ServerReply.ok("0123456789")) { $0.header("Content-Length", $1) }
        return Lie(testDescription: "length \(values)", reply: reply, wire: line + fields + given + "\r\n0123456789")
    }

    private static func chunk(_ sizeLine: String) -> Lie {
        let reply = ServerReply.ok("0123456789").chunked().paced(.chunk(10, sizeLine: sizeLine))
        let wire = line + given + "Transfer-Encoding: chunked\r\n\r\n" + "\(sizeLine)\r\n0123456789\r\n0\r\n\r\n"
        return Lie(testDescription: "chunk \(sizeLine)", reply: reply, wire: wire)
    }

    static let lies: [Lie] =
        [
            length("4"), length("11"), length("10", "10"), length("10", "4"), length("-10"), length("ten"), length(""),
            length("99999999999999999999"), chunk("4"), chunk("ff"), chunk("-a"), chunk("ten"), chunk("a;sum=45"),
            Lie(
                testDescription: "no gzip", reply: ServerReply.ok("plain").header("Content-Encoding", "gzip"),
                wire: line + "Content-Encoding: gzip\r\n" + given + "Content-Length: 5\r\n\r\nplain"),
            Lie(
                testDescription: "no informational answer",
                reply: ServerReply.ok("x").interim(raw: Array("10\r\n".utf8)),
                wire: "10\r\n" + line + given + "Content-Length: 1\r\n\r\nx"),
            Lie(
                testDescription: "many informational answers", reply: ServerReply.ok("x").interim(103, times: 500),
                wire: String(repeating: "HTTP/1.1 103 Early Hints\r\n\r\n", count: 500) + line + given
                    + "Content-Length: 1\r\n\r\nx"),
        ]

    @Test(arguments: lies)
    func `lies are sent as written`(lie: Lie) async throws {
        let bytes = try await received(lie.reply)
        let date = "Date: Thu, 01 Jan 1970 00:00:00 GMT\r\n"
        #expect(String(decoding: bytes, as: UTF8.self).replacing(date, with: "") == lie.wire)
    }

    @Test(arguments: [ServerBody.GzipDamage.truncated, .checksum, .length])
    func `gzip is damaged where it was told, and its length is that of what is left`(
        damage: ServerBody.GzipDamage
    ) async throws {
        let page = ServerBody.counter(5000)
        let whole = try await body(page.gzipped), damaged = try await body(page.gzipped(damage))
        switch damage {
        case .truncated: #expect(damaged == Array(whole.prefix(whole.count / 2)))
        case .checksum: #expect(whole.indices.filter { whole[$0] != damaged[$0] } == [whole.count - 8])
        case .length: #expect(whole.indices.filter { whole[$0] != damaged[$0] } == [whole.count - 4])
        }
    }

    private func body(_ body: ServerBody) async throws -> [UInt8] {
        let bytes = try await received(.ok(body))
        let text = String(decoding: bytes, as: UTF8.self)
        let length = text.firstRange(of: "Content-Length: ").map { text[$0.upperBound...].prefix { $0.isNumber } }
        return Array(bytes.suffix(Int(length ?? "") ?? 0))
    }

    /// All that the server sends until it closes.
    private func received(_ reply: ServerReply) async throws -> [UInt8] {
        let reply = reply.header("Connection", "close").header("Date", "Thu, 01 Jan 1970 00:00:00 GMT")
        let server = try await ScriptedServer.start { $0.get("/a", reply: reply) }
        let address = try #require(server.addresses["a.test"])
        let client = try RawSocket(port: address.port, ip: address.ip)
        client.send("GET /a HTTP/1.1\r\nHost: a\r\n\r\n")
        let (bytes, end) = client.receiveToEnd()
        #expect(end == .fin)
        #expect(try await server.stop().isFulfilled)
        return bytes
    }
}
