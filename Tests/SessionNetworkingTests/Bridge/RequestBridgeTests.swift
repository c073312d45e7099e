import ClientMachines
import Foundation
import HTTPBasics
import NIOCore
import Testing

@testable import SessionNetworking

@Suite struct RequestBridgeTests {
    @Test func `everything that is sent reaches the machines`() throws {
        var request = URLRequest(url: try url("http://amy:pw@h.example:81/a%20b?c#d"))
        request.httpMethod = "PUT"
        request.setValue("1", forHTTPHeaderField: "X-B")
        request.setValue("2", forHTTPHeaderField: "X-A")
        request.httpBody = Data("body".utf8)
        let (client, refusal) = RequestBridge.clientRequest(request)
        #expect(refusal == nil)
        #expect(client.method == "PUT")
        #expect(client.url == URLReference("http://amy:pw@h.example:81/a%20b?c#d"))
        #expect(client.fields == Fields([.init("X-B", "1"), .init("X-A", "2")]))
        #expect(client.body == .bytes(ByteBuffer(string: "body")))
    }

    // BEHAVIOUR 1.A5-method, 1.B12-scheme, 1.B12-url, 2.F17
    @Test(
        arguments: [
            ("http://h/", "GET", nil, nil), ("HTTP://h:8080", "GET", nil, nil), ("http://[::1]/", "HEAD", nil, nil),
            ("https://h/", "GET", nil, nil), ("ftp://h/", "GET", nil, .unsupportedURL),
            ("file:///etc/passwd", "GET", nil, .unsupportedURL), ("relative", "GET", nil, .unsupportedURL),
            ("http:///nohost", "GET", nil, .badURL), ("http:opaque", "GET", nil, .badURL),
            ("http://h/", "GET", "x", .dataLengthExceedsMaximum), ("http://h/", "GET", "", nil),
            ("http://h/", "POST", "x", nil), ("http://h/", "get", "x", .dataLengthExceedsMaximum),
            ("http://h/", "A B", nil, .cannotParseResponse), ("http://h/", "", nil, .cannotParseResponse),
            ("http://h/", "GET / HTTP/1.1\r\n", nil, .cannotParseResponse),
        ] as [(String, String, String?, Failure.Kind?)])
    func `what cannot be sent is refused`(location: String, method: String, body: String?, refusal: Failure.Kind?)
        throws
    {
        var request = URLRequest(url: try url(location))
        request.httpMethod = method
        request.httpBody = body.map { Data($0.utf8) }
        #expect(whole(request) == refusal)
    }

    // BEHAVIOUR 2.F15
    @Test(arguments: [
        ("X", "fine\tvalue é", true), ("X", "", true), ("", "x", false), ("A B", "x", false), ("A:", "x", false),
        ("X\n", "a", false), ("X\r\nY", "a", false),
    ])
    func `field names cannot carry other fields`(name: String, value: String, good: Bool) throws {
        var request = URLRequest(url: try url("http://h/"))
        request.setValue(value, forHTTPHeaderField: name)
        #expect(whole(request) == (good ? nil : .cannotParseResponse))
    }

    // BEHAVIOUR 2.F15-value
    @Test(arguments: [("a\r\nX-C: d", false), ("a\nb", false), ("a\rb", false), ("a\0b", false), ("a\u{1}b", true)])
    func `field values cannot carry other fields`(value: String, good: Bool) throws {
        var request = URLRequest(url: try url("http://h/"))
        // Setting the value alone would not take it (BEHAVIOUR 2.F16-value).
        request.allHTTPHeaderFields = ["X": value]
        #expect(whole(request) == (good ? nil : .cannotParseResponse))
    }

    /// What the bridge sees, and what the machine sees when the bridge lets it pass.
    private func whole(_ request: URLRequest) -> Failure.Kind? {
        let (client, refusal) = RequestBridge.clientRequest(request)
        return refusal ?? RequestWriter.refusal(for: client)?.kind
    }

    // BEHAVIOUR 2.F17, 2.F18
    @Test(arguments: [("GET", Failure.Kind.dataLengthExceedsMaximum), ("POST", nil)])
    func `a GET carries no stream, not even an empty one`(method: String, refusal: Failure.Kind?) throws {
        var request = URLRequest(url: try url("http://h/"))
        request.httpMethod = method
        request.httpBodyStream = InputStream(data: Data())
        #expect(RequestBridge.clientRequest(request).request.body == .stream(.first))
        #expect(whole(request) == refusal)
    }

    // BEHAVIOUR 1.I1-stream
    @Test(arguments: [
        ("7", 7 as DeclaredLength?), (nil, nil), ("seven", nil), ("-7", nil), ("99999999999999999999", nil),
    ])
    func `a stream is as long as its Content-Length says`(field: String?, length: DeclaredLength?) throws {
        var request = URLRequest(url: try url("http://h/"))
        request.httpMethod = "POST"
        request.httpBodyStream = InputStream(data: Data())
        request.setValue(field, forHTTPHeaderField: "Content-Length")
        #expect(RequestBridge.clientRequest(request).request.bodyLength == length)
    }

    @Test func `a redirected request keeps the stream that its body is read from`() throws {
        var previous = URLRequest(url: try url("http://h/a"))
        previous.httpMethod = "POST"
        let stream = InputStream(data: Data())
        previous.httpBodyStream = stream
        var next = RequestBridge.clientRequest(previous).request
        #expect(RequestBridge.urlRequest(next, basedOn: previous, stream: stream).httpBodyStream === stream)
        next.body = nil
        #expect(RequestBridge.urlRequest(next, basedOn: previous).httpBodyStream == nil)
    }

    // BEHAVIOUR 3.A1-again
    @Test func `a composed body stays what it is, there and back`() throws {
        var request = URLRequest(url: try url("http://h/a"))
        request.httpMethod = "POST"
        let body = ComposedBody([.bytes(ByteBuffer(string: "abc"))])
        request.httpBodyStream = ComposedStream(body)
        var next = RequestBridge.clientRequest(request).request
        #expect(next.body == .composed(body))
        #expect(RequestBridge.urlRequest(next, basedOn: request) == request)
        next.body = .composed(body.dropFirst(1))
        let other = RequestBridge.urlRequest(next, basedOn: request)
        #expect((other.httpBodyStream as? ComposedStream)?.body.length == 2)
    }

    // BEHAVIOUR 2.B1-idna. RFC 5891, and capitals of the Unicode kind.
    @Test(arguments: [
        ("https://b\u{fc}cher.example/", "xn--bcher-kva.example"),
        ("https://B\u{dc}CHER.example/", "xn--bcher-kva.example"),
        ("https://\u{4f8b}\u{3048}.\u{30c6}\u{30b9}\u{30c8}/", "xn--r8jz45g.xn--zckzah"),
        ("https://xn--bcher-kva.example/", "xn--bcher-kva.example"),
    ])
    func `names in other scripts are those of the DNS from the start`(text: String, host: String) throws {
        let url = try #require(URL(string: text))
        #expect(RequestBridge.clientRequest(URLRequest(url: url)).request.url.host == host)
    }

    @Test func `a request without a URL is refused`() throws {
        var request = URLRequest(url: try url("http://h/"))
        request.url = nil
        #expect(RequestBridge.clientRequest(request).refusal == .unsupportedURL)
    }

    @Test func `a redirected request takes over what the redirect cannot change`() throws {
        var previous = URLRequest(url: try url("http://h/a"), cachePolicy: .returnCacheDataDontLoad)
        previous.timeoutInterval = 7
        previous.httpMethod = "POST"
        previous.httpBody = Data("body".utf8)
        previous.setValue("1", forHTTPHeaderField: "Authorization")
        let next = ClientRequest(
            method: "GET", url: try #require(URLReference("http://other/b")), fields: Fields([.init("X", "1")]))
        let request = RequestBridge.urlRequest(next, basedOn: previous)
        #expect(request.url == URL(string: "http://other/b"))
        #expect(request.httpMethod == "GET")
        #expect(request.httpBody == nil)
        #expect(request.allHTTPHeaderFields == ["X": "1"])
        #expect(request.explicitTimeout == 7)
        #expect(request.cachePolicy == .returnCacheDataDontLoad)
    }

    @Test func `there and back changes nothing`() throws {
        var request = URLRequest(url: try url("http://amy:pw@h/a?b#c"))
        #expect(RequestBridge.urlRequest(RequestBridge.clientRequest(request).request, basedOn: request) == request)
        request.httpMethod = "POST"
        request.httpBody = Data([1, 2])
        request.setValue("1", forHTTPHeaderField: "X")
        #expect(RequestBridge.urlRequest(RequestBridge.clientRequest(request).request, basedOn: request) == request)
        var changed = RequestBridge.clientRequest(request).request
        changed.body = .bytes(ByteBuffer(bytes: [1, 3]))
        #expect(RequestBridge.urlRequest(changed, basedOn: request).httpBody == Data([1, 3]))
    }
}
