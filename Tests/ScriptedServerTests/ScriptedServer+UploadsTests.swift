import ServerScript
import TestSupport
import Testing

@testable import ScriptedServer

@Suite(.endsInTime) struct ScriptedServerUploadsTests {
    private static func request(_ line: String, _ fields: String...) -> String {
        let all = ["Host: a", "Upload-Draft-Interop-Version: 6"] + fields
        return "\(line) HTTP/1.1\r\n" + all.map { $0 + "\r\n" }.joined() + "\r\n"
    }

    @Test func `an upload that was cut goes on where the server says`() async throws {
        let server = try await ScriptedServer.start {
            let reply = ServerReply.status(201, "made").keepingUploads(below: "/uploads", of: "abcdef", maxSize: 6)
            $0.route("POST", "/in", reply: reply)
            $0.route(nil, "/uploads/*", reply: reply)
        }
        let port = try #require(server.addresses["a.test"]?.port)
        let first = try RawSocket(port: port)
        first.send(Self.request("POST /in", "Upload-Complete: ?1", "Content-Length: 6") + "abc")
        let offer = String(decoding: first.receiveHead(), as: UTF8.self)
        #expect(offer.hasPrefix("HTTP/1.1 104 Upload Resumption Supported\r\n"))
        #expect(offer.contains("\r\nLocation: /uploads/1\r\n"))
        first.close()
        let second = try RawSocket(port: port)
        second.send(Self.request("HEAD /uploads/1"))
        let told = String(decoding: second.receiveHead(), as: UTF8.self)
        #expect(told.hasPrefix("HTTP/1.1 204 No Content\r\n"))
        #expect(told.contains("\r\nUpload-Offset: 3\r\n"))
        let type = "Content-Type: application/partial-upload"
        second.send(
            Self.request(
                "PATCH /uploads/1", type, "Upload-Complete: ?1", "Upload-Offset: 3", "Content-Length: 3",
                "Connection: close") + "def")
        let answer = String(decoding: second.receiveToEnd().bytes, as: UTF8.self)
        #expect(answer.hasPrefix("HTTP/1.1 201 Created\r\n") && answer.hasSuffix("\r\n\r\nmade"))
        let verdict = try await server.stop()
        #expect(verdict.isFulfilled, "\(verdict)")
    }
}
