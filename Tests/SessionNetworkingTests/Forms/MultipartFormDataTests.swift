import BodyFiles
import ClientMachines
import Foundation
import NIOCore
import ScriptedServer
import TestSupport
import Testing

@testable import SessionNetworking

@Suite(.endsInTime) struct MultipartFormDataTests {
    private func text(_ form: MultipartFormData) -> String {
        let stream = form.makeInputStream()
        stream.open()
        defer { stream.close() }
        var bytes = [UInt8](repeating: 0, count: 65_536)
        let count = stream.read(&bytes, maxLength: bytes.count)
        return String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
    }

    // BEHAVIOUR 3.A1-parts
    @Test func `texts, data and files become parts, in order`() throws {
        let folder = try TestFolder()
        var form = MultipartFormData(boundary: "cut")
        form.append("Ann\r\nB.", name: "user")
        form.append(Data("{}".utf8), name: "meta", contentType: "application/json")
        form.append(Data([33]), name: "blob", filename: "b.bin")
        try form.append(contentsOf: folder.write("hello", as: "über uns.txt"), name: "file", contentType: "text/plain")
        let expected = [
            "--cut", "Content-Disposition: form-data; name=\"user\"", "", "Ann\r\nB.",
            "--cut", "Content-Disposition: form-data; name=\"meta\"", "Content-Type: application/json", "", "{}",
            "--cut", "Content-Disposition: form-data; name=\"blob\"; filename=\"b.bin\"",
            "Content-Type: application/octet-stream", "", "!",
            "--cut", "Content-Disposition: form-data; name=\"file\"; filename=\"über uns.txt\"",
            "Content-Type: text/plain", "", "hello",
            "--cut--", "",
        ].joined(separator: "\r\n")
        #expect(text(form) == expected)
        #expect(form.contentLength == Int64(expected.utf8.count))
        #expect(form.contentType == "multipart/form-data; boundary=cut")
    }

    @Test func `a form without parts is its end`() {
        let form = MultipartFormData(boundary: "cut")
        #expect(text(form) == "--cut--\r\n")
        #expect(form.contentLength == 9)
    }

    // BEHAVIOUR 3.A1-names
    @Test(arguments: [
        ("plain", "plain"), ("a\"b", "a%22b"), ("a\r\nb", "a%0D%0Ab"), ("a\\b", "a\\b"), ("50%", "50%"),
        ("é/💡", "é/💡"), ("e\u{301}\"", "e\u{301}%22"),
    ]) func `names cannot leave their quotes`(name: String, written: String) {
        var form = MultipartFormData(boundary: "cut")
        form.append(Data(), name: name, filename: name)
        let line = "Content-Disposition: form-data; name=\"\(written)\"; filename=\"\(written)\"\r\n"
        #expect(text(form).contains(line))
        #expect(form.contentLength == Int64(text(form).utf8.count))
    }

    // BEHAVIOUR 3.A1-names
    @Test func `a type cannot leave its line`() {
        var form = MultipartFormData(boundary: "cut")
        form.append(Data(), name: "a", contentType: "text/plain\r\nX: y\0")
        #expect(text(form).contains("\r\nContent-Type: text/plain  X: y \r\n\r\n"))
    }

    // BEHAVIOUR 3.A1-boundary
    @Test func `boundaries differ, and need no quotes`() {
        let boundaries = Set((0..<100).map { _ in MultipartFormData().boundary })
        #expect(boundaries.count == 100)
        for boundary in boundaries {
            #expect(boundary.utf8.count <= 70)
            #expect(boundary.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-") })
        }
    }

    // BEHAVIOUR 3.A1-missing
    @Test func `a file that cannot be read is not added`() throws {
        let folder = try TestFolder()
        var form = MultipartFormData(boundary: "cut")
        let error = #expect(throws: URLError.self) {
            try form.append(contentsOf: folder.url.appendingPathComponent("none"), name: "a")
        }
        #expect(error?.code == .fileDoesNotExist)
        #expect(form.contentLength == 9)
    }

    @Test func `a sum that no number holds is refused`() throws {
        let folder = try TestFolder()
        let huge = try folder.write("")
        // Sparse: nothing lies on the disk.
        guard truncate(huge.path, 1 << 42) == 0 else { return }
        var form = MultipartFormData(boundary: "cut")
        try form.append(contentsOf: huge, name: "a")
        #expect(form.contentLength > 1 << 42)
    }

    // BEHAVIOUR 3.A1-length 3.A1-again
    @Test func `a session sends what the stream of a form stands for, and asks nobody for another`() throws {
        let folder = try TestFolder(), world = FakeWorld()
        let file = try folder.write("0123456789")
        let identity = BodyFile(path: file.path, version: try SourceFile.version(of: file))
        var form = MultipartFormData(boundary: "cut")
        try form.append(contentsOf: file, name: "a", filename: "f")
        var request = URLRequest(url: Sample.url)
        request.httpMethod = "POST"
        request.setBody(form)
        let task = world.makeSession().dataTask(with: request)
        #expect(task.countOfBytesExpectedToSend == form.contentLength)
        task.resume()
        let plan = try #require(world.engine.takePlans().first)
        #expect(!plan.asks.contains(.bodyStream))
        guard case .composed(let body)? = plan.request.body else {
            Issue.record("the body is to be read")
            return
        }
        #expect(body.stretches.count == 3)
        #expect(body.stretches.dropFirst().first == .file(identity, 0..<10))
        #expect(body.length == form.contentLength)
        let end = ByteBuffer(string: "\r\n--cut--\r\n")
        #expect(body.stretches.last == .bytes(end))
        let rest = ComposedBody([.file(identity, 8..<10), .bytes(end)])
        let given = task.body(from: form.makeInputStream(from: form.contentLength - Int64(end.readableBytes) - 2))
        #expect(given == .composed(rest))
    }

    // BEHAVIOUR 3.A1-length 3.A1-again
    @Test func `a form goes out with its length, and again without anybody's help`() async throws {
        let folder = try TestFolder()
        var form = MultipartFormData(boundary: "cut")
        form.append("Ann", name: "user")
        try form.append(contentsOf: folder.write(String(repeating: "0123456789", count: 20_000)), name: "file")
        let server = try await ScriptedServer.start { script in
            for target in ["/old", "/new", "/new"] {
                script.post(
                    target,
                    where: [
                        .header("Content-Type", form.contentType), .header("Content-Length", "\(form.contentLength)"),
                        .absent("Transfer-Encoding"),
                    ],
                    reply: target == "/old" ? .redirect(to: "/new", status: 307) : .status(204))
            }
        }
        let session = URLSession(configuration: .ephemeral)
        for target in ["/old", "/new"] {
            var request = URLRequest(url: try #require(URL(string: server.url + target)))
            request.httpMethod = "POST"
            request.setBody(form)
            let (_, response) = try await session.data(for: request)
            #expect((response as? HTTPURLResponse)?.statusCode == 204)
        }
        session.invalidateAndCancel()
        let verdict = try await server.stop()
        #expect(verdict.isFulfilled, "\(verdict)")
        #expect(verdict.requests.map(\.bodyCount) == Array(repeating: Int(form.contentLength), count: 3))
        #expect(Set(verdict.requests.map(\.body)).count == 1)
    }

    // BEHAVIOUR 3.A1-changed
    @Test func `a file that was written to fails the task, and the server never has the whole`() async throws {
        let folder = try TestFolder()
        let file = try folder.write("hello")
        var form = MultipartFormData()
        form.append(Data(count: 1_000_000), name: "padding")
        try form.append(contentsOf: file, name: "file")
        try folder.overwrite(file, with: "hallo")
        let server = try await ScriptedServer.start { $0.route("POST", "/", reply: .status(204)) }
        let session = URLSession(configuration: .ephemeral)
        var request = URLRequest(url: try #require(URL(string: server.url + "/")))
        request.httpMethod = "POST"
        request.setBody(form)
        let error = await #expect(throws: URLError.self) { try await session.data(for: request) }
        #expect(error?.code == .requestBodyStreamExhausted)
        let detail = error?.userInfo[NSDebugDescriptionErrorKey] as? String
        #expect(detail?.contains("file.txt has changed since its transfer was prepared") == true)
        session.invalidateAndCancel()
        _ = try await server.stop()
    }
}
