import ClientMachines
import Foundation
import HTTPBasics
import NIOCore
import TestSupport
import Testing

@testable import SessionNetworking

@Suite(.endsInTime) struct HTTPURLResponseTests {
    private func received(
        _ fields: [(String, String)], status: Int = 200, url: String = "http://a.example/d/f.txt", length: Int64 = -1
    ) throws -> HTTPURLResponse {
        let head = ResponseHead(status: status, Fields(fields.map { Fields.Field($0.0, $0.1) }))
        return HTTPURLResponse(
            Response(head: head, url: try #require(URLReference(url)), expectedLength: DeclaredLength(length)))
    }

    // BEHAVIOUR 1.A5-repeated, 2.F21, 2.F22, 2.F30
    @Test func `a received response shows what was received`() throws {
        let response = try received(
            [("content-type", "text/plain; charset=latin1"), ("Set-Cookie", "a"), ("set-cookie", "b")], status: 201,
            length: 5)
        #expect(response.statusCode == 201)
        #expect(response.url == URL(string: "http://a.example/d/f.txt"))
        #expect(response.mimeType == "text/plain")
        #expect(response.textEncodingName == "latin1")
        #expect(response.suggestedFilename == "f.txt")
        #expect(response.expectedContentLength == 5)
        #expect(response.value(forHTTPHeaderField: "SET-COOKIE") == "a, b")
        let fields = try #require(response.allHeaderFields as? [String: String])
        #expect(fields == ["Content-Type": "text/plain; charset=latin1", "Set-Cookie": "a, b"])
    }

    // BEHAVIOUR 2.F24
    @Test func `values that are not UTF-8 are Latin-1`() throws {
        var bytes = ByteBuffer()
        bytes.writeString("X")
        bytes.writeBytes([0xE9])
        let block = FieldBlock(bytes: bytes, lines: [.init(name: 0..<1, value: 1..<2)])
        let head = ResponseHead(status: 200, fields: block)
        let response = HTTPURLResponse(
            Response(head: head, url: try #require(URLReference("http://a/")), expectedLength: nil))
        #expect(response.value(forHTTPHeaderField: "x") == "é")
    }

    @Test func `a response is the same whether received or made`() throws {
        let made = try #require(
            HTTPURLResponse(
                url: try url("http://a.example/d/f.txt"), statusCode: 200, httpVersion: nil, headerFields: ["A": "1"]))
        let same = try received([("A", "1")])
        #expect(made == same)
        #expect(made.hash == same.hash)
        #expect(try received([("A", "1")], status: 404) != same)
        #expect(try received([("A", "2")]) != same)
        #expect(try received([("A", "1")], url: "http://b.example/") != same)
        #expect(try received([("A", "1")], length: 1) != same)
    }

    @Test func `an archive gives the same response`() throws {
        let response = try received([("Content-Type", "a/b"), ("X", "1"), ("x", "2")], status: 302, length: 9)
        let read = try #require(
            try NSKeyedUnarchiver.unarchivedObject(ofClass: HTTPURLResponse.self, from: try archive(response)))
        #expect(read == response)
        #expect(read.statusCode == 302)
        #expect(read.value(forHTTPHeaderField: "X") == "1, 2")

        let plain = URLResponse(
            url: try url("http://a/"), mimeType: "a/b", expectedContentLength: 3, textEncodingName: "x")
        let plainRead = try NSKeyedUnarchiver.unarchivedObject(ofClass: URLResponse.self, from: try archive(plain))
        #expect(plainRead == plain)
        #expect(plain != response)
    }

    @Test func `first access from many threads gives every thread the same`() async throws {
        for _ in 0..<50 {
            let response = try received([("Content-Type", "Text/HTML;charset=UTF-8"), ("a", "1")])
            let seen = await withTaskGroup(of: String.self) { group in
                for _ in 0..<8 {
                    group.addTask {
                        "\(response.url as Any) \(response.mimeType as Any) \(response.suggestedFilename as Any) "
                            + "\(response.allHeaderFields.count)"
                    }
                }
                return await group.reduce(into: Set()) { $0.insert($1) }
            }
            #expect(seen.count == 1)
        }
    }

    // BEHAVIOUR 2.F22-shown
    @Test func `no text of a response or a request has a secret's value`() throws {
        let secrets = ["Set-Cookie", "set-cookie", "Authentication-Token", "X-Api-Key", "Authorization", "Cookie"]
        let response = try received(secrets.map { ($0, "Basic s3cret") } + [("X-Plain", "plain")])
        var request = URLRequest(url: try url("http://a/"))
        for name in secrets { request.setValue("Basic s3cret", forHTTPHeaderField: name) }
        let made = try #require(
            HTTPURLResponse(
                url: url("http://a/"), statusCode: 200, httpVersion: nil, headerFields: ["Set-Cookie": "s3cret"]))
        for value: Any in [response, request, made, [response], response.source, request.values.fields as Any] {
            var text = "\(value) \(String(reflecting: value))"
            dump(value, to: &text)
            #expect(!text.contains("s3cret") && !text.contains("115, 51, 99"))
        }
        #expect(response.description.contains("X-Plain: plain") && response.description.contains("Cookie: ***"))
        #expect(response.value(forHTTPHeaderField: "Cookie") == "Basic s3cret")
        #expect(request.allHTTPHeaderFields?["Cookie"] == "Basic s3cret")
    }

    @Test func `a description lists the fields in one order`() throws {
        let text = try received([("B", "2"), ("A", "1")], status: 404).description
        #expect(text.hasSuffix("{ URL: http://a.example/d/f.txt } { Status: 404, Headers {\n    A: 1\n    B: 2\n} }"))
    }
}
