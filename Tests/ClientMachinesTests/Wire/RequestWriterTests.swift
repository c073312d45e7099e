import HTTPBasics
import NIOCore
import TestSupport
import Testing

@testable import ClientMachines

/// The head of a request, field by field.
@Suite struct RequestWriterTests {
    private static let url = URLReference(scheme: "http", host: "example.com", path: "/a", query: "b=c")

    private func request(
        _ method: String = "GET", _ fields: [Fields.Field] = [], body: String? = nil, url: URLReference = url
    ) -> ClientRequest {
        ClientRequest(method: method, url: url, fields: Fields(fields), body: body.map { ByteBuffer(string: $0) })
    }

    private func head(
        _ request: ClientRequest, additional: [Fields.Field] = [], defaults: [Fields.Field] = [],
        authorization: String? = nil
    ) -> String {
        var settings = ClientSettings()
        settings.additionalFields = Fields(additional)
        settings.defaultFields = StandingFields(Fields(defaults))
        return String(buffer: RequestWriter.head(of: request, settings: settings, authorization: authorization))
    }

    /// The lines between the Host line and the Connection line.
    private func middle(_ head: String) -> [String] {
        #expect(head.hasSuffix("\r\nConnection: keep-alive\r\n\r\n"))
        return Array(head.split(separator: "\r\n").map(String.init).dropFirst(2).dropLast())
    }

    // BEHAVIOUR 2.F2-host, 2.F2-connection
    @Test func `the whole of a plain request`() {
        #expect(head(request()) == "GET /a?b=c HTTP/1.1\r\nHost: example.com\r\nConnection: keep-alive\r\n\r\n")
    }

    @Test func `defaults are the same lines whether or not a request has fields of its own`() {
        let defaults = ["Host", "A", "connection", "Content-Length", "B"].map { Fields.Field($0, "1\r\n2") }
        #expect(middle(head(request(), defaults: defaults)) == ["A: 1  2", "B: 1  2"])
        #expect(middle(head(request("GET", [.init("C", "3")]), defaults: defaults)) == ["A: 1  2", "B: 1  2", "C: 3"])
    }

    // BEHAVIOUR 2.F13
    @Test func `the request wins over the session, the session over the defaults (F13)`() {
        let text = head(
            request("GET", [.init("accept", "r"), .init("X-Own", "r")]),
            additional: [.init("ACCEPT", "s"), .init("x-own", "s"), .init("X-Session", "s"), .init("user-agent", "s")],
            defaults: [
                .init("User-Agent", "d"), .init("Accept", "d"), .init("Accept-Language", "d"), .init("X-Session", "d"),
            ])
        #expect(middle(text) == ["Accept-Language: d", "accept: r", "X-Own: r", "X-Session: s", "user-agent: s"])
    }

    // BEHAVIOUR 2.F2-encoding
    @Test func `over TLS more codings are accepted, with fields of its own or without`() {
        var settings = ClientSettings()
        settings.defaultFields = StandingFields(
            Fields([Fields.Field("Accept-Encoding", "a"), Fields.Field("B", "1")]), secureEncoding: "a, b")
        for (scheme, accepted) in [("http", "a"), ("https", "a, b")] {
            for fields in [[], [Fields.Field("C", "3")]] {
                let url = URLReference(scheme: scheme, host: "example.com", path: "/")
                let sent = request("GET", fields, url: url)
                let text = String(buffer: RequestWriter.head(of: sent, settings: settings, authorization: nil))
                #expect(Array(middle(text).prefix(2)) == ["Accept-Encoding: \(accepted)", "B: 1"])
            }
        }
    }

    @Test func `the defaults come first and in their order (F2)`() {
        let text = head(
            request("GET", [.init("X", "1"), .init("X", "2")]), additional: [.init("Y", "3")],
            defaults: [.init("User-Agent", "u"), .init("Accept", "*/*")])
        #expect(middle(text) == ["User-Agent: u", "Accept: */*", "X: 1", "X: 2", "Y: 3"])
    }

    // BEHAVIOUR 2.F2-host, 2.A20
    @Test(arguments: [
        (URLReference(scheme: "http", host: "h", port: 80), "h"),
        (URLReference(scheme: "http", host: "h", port: 8080), "h:8080"),
        (URLReference(scheme: "HTTP", host: "H", port: 80), "H"),
        (URLReference(scheme: "http", host: "::1", port: 81), "[::1]:81"),
        (URLReference(scheme: "http", host: "fe80::1%25eth0"), "[fe80::1]"),
        (URLReference(scheme: "http", userInformation: "ann:secret", host: "h"), "h"),
        (URLReference(scheme: "http", host: "h\r\nX"), "h%0D%0AX"), (URLReference(scheme: "http", host: "ü"), "%C3%BC"),
    ])
    func `Host is the authority, with the port when it is not the scheme's own`(url: URLReference, host: String) {
        #expect(head(request(url: url)) == "GET / HTTP/1.1\r\nHost: \(host)\r\nConnection: keep-alive\r\n\r\n")
    }

    // BEHAVIOUR 1.A5-reserved, 2.F14
    @Test func `the caller's own Host wins, once`() {
        #expect(head(request("GET", [.init("host", "other"), .init("Host", "third")])).contains("\r\nHost: other\r\n"))
        #expect(middle(head(request("GET", [.init("host", "other"), .init("Host", "third")]))).isEmpty)
        #expect(head(request(), additional: [.init("Host", "session")]).contains("\r\nHost: session\r\n"))
        #expect(
            head(request("GET", [.init("Host", "own")]), additional: [.init("Host", "session")])
                .hasPrefix("GET /a?b=c HTTP/1.1\r\nHost: own\r\nConnection"))
    }

    @Test(
        arguments: [
            ("", nil, "/"), ("/", "", "/?"), ("", "q", "/?q"), ("/a%20b", "c=%3F", "/a%20b?c=%3F"), ("a", nil, "/a"),
            ("/ü/x y", "z=\u{7f}", "/%C3%BC/x%20y?z=%7F"), ("/\r\nEvil: 1", "\n\0", "/%0D%0AEvil:%201?%0A%00"),
            ("//x", nil, "//x"),
        ] as [(String, String?, String)])
    func `the target is in origin form and printable`(path: String, query: String?, target: String) {
        let url = URLReference(
            scheme: "http", userInformation: "ann:secret", host: "h", path: path, query: query, fragment: "fragment")
        #expect(head(request(url: url)).hasPrefix("GET \(target) HTTP/1.1\r\nHost: h\r\n"))
    }

    // BEHAVIOUR 1.A5-reserved, 1.I1-length, 1.I1-type, 1.I1-empty, 2.F14
    @Test(
        arguments: [
            ("GET", nil, []), ("GET", "", []), ("DELETE", nil, []), ("DELETE", "", []), ("HEAD", nil, []),
            ("DELETE", "x", ["Content-Length: 1"]),
            ("POST", nil, ["Content-Length: 0"]), ("POST", "", ["Content-Length: 0"]),
            ("PUT", nil, ["Content-Length: 0"]), ("PATCH", nil, ["Content-Length: 0"]),
            ("POST", "a=b", ["Content-Type: application/x-www-form-urlencoded", "Content-Length: 3"]),
            ("PUT", "a=b", ["Content-Length: 3"]), ("PATCH", "a=b", ["Content-Length: 3"]),
        ] as [(String, String?, [String])])
    func `length and type follow the body`(method: String, body: String?, lines: [String]) {
        #expect(middle(head(request(method, body: body))) == lines)
        // What the caller says about framing does not count.
        let lying: [Fields.Field] = [
            .init("content-length", "99"), .init("Transfer-Encoding", "chunked"), .init("connection", "close"),
        ]
        #expect(middle(head(request(method, lying, body: body))) == lines)
        #expect(middle(head(request(method, body: body), additional: lying, defaults: lying)) == lines)
    }

    @Test func `a given Content-Type stays, wherever it was given`() {
        let given = Fields.Field("content-type", "text/plain")
        let lines = ["content-type: text/plain", "Content-Length: 1"]
        #expect(middle(head(request("POST", [given], body: "x"))) == lines)
        #expect(middle(head(request("POST", body: "x"), additional: [given])) == lines)
        #expect(middle(head(request("POST", body: "x"), defaults: [given])) == lines)
    }

    // BEHAVIOUR 1.A5-reserved, 2.F14
    @Test func `our own Authorization replaces the caller's`() {
        let callers = Fields.Field("authorization", "Bearer old")
        #expect(middle(head(request("GET", [callers]))) == ["authorization: Bearer old"])
        #expect(middle(head(request("GET", [callers]), authorization: "Basic new")) == ["Authorization: Basic new"])
        #expect(
            middle(head(request(), additional: [callers], defaults: [callers], authorization: "Basic new"))
                == ["Authorization: Basic new"])
    }

    @Test func `no text of a caller can end a line early`() {
        let evil = "a\r\nEvil: 1\n\0b"
        let clean = "a  Evil: 1  b"
        let text = head(
            request("GET", [.init("X", evil)]), additional: [.init("Y", evil), .init("Z\r\nEvil", "1")],
            defaults: [.init("D", evil)], authorization: evil)
        #expect(middle(text) == ["D: \(clean)", "X: \(clean)", "Y: \(clean)", "Authorization: \(clean)"])
        #expect(head(request("GET", [.init("X\r\nEvil", "1")])).contains("X  Evil: 1\r\n"))
        let method = "GET / HTTP/1.1\r\nEvil: 1\r\n\r\nGET"
        #expect(head(request(method)).hasPrefix("GETHTTP1.1Evil1GET /a?b=c HTTP/1.1\r\n"))
    }

    /// Sizes around a power of two, to which buffers are rounded up: an estimate that is too low shows at one of them.
    @Test func `head and body fit into one buffer without moving, and waste none`() {
        func many(_ name: String) -> [Fields.Field] { (0..<50).map { .init("\(name)-\($0)", "1234567890") } }
        func long(_ letter: String) -> String { String(repeating: letter, count: 300) }
        var settings = ClientSettings()
        settings.additionalFields = Fields(many("additional"))
        settings.defaultFields = StandingFields(Fields(many("default")))
        let url = URLReference(scheme: "http", host: long("h"), path: "/" + long("p"), query: long("q"))
        for count in stride(from: 3000, through: 5000, by: 20) {
            let body = String(repeating: "x", count: count)
            let request = request(long("M"), many("own"), body: body, url: url)
            let head = RequestWriter.head(of: request, settings: settings, authorization: nil)
            let size = head.readableBytes + count
            #expect(head.storageCapacity >= size)
            #expect(head.storageCapacity < 2 * (size + 100))
        }
    }

    @Test func `a large body is not expected behind its head`() {
        for (count, isExpected) in [(64 * 1024, true), (64 * 1024 + 1, false)] {
            let request = request("POST", body: String(repeating: "x", count: count))
            let head = RequestWriter.head(of: request, settings: ClientSettings(), authorization: nil)
            #expect((head.storageCapacity > count) == isExpected)
        }
    }

    // BEHAVIOUR 1.B12-scheme, 1.B12-url
    @Test(
        arguments: [
            (URLReference(host: "h"), .unsupportedURL), (URLReference(scheme: "ftp", host: "h"), .unsupportedURL),
            (URLReference(scheme: "http"), .badURL), (URLReference(scheme: "http", host: ""), .badURL),
            (URLReference(scheme: "http", host: "h", port: 65536), .badURL),
            (URLReference(scheme: "http", host: "h", port: -1), .badURL),
            (URLReference(scheme: "Http", host: "h", port: 65535), nil),
        ] as [(URLReference, Failure.Kind?)])
    func `a URL without http or a host is refused`(url: URLReference, kind: Failure.Kind?) {
        #expect(RequestWriter.refusal(for: request(url: url))?.kind == kind)
    }

    // BEHAVIOUR 1.A5-method, 2.F15, 2.F17
    @Test func `what cannot be written as HTTP is refused (F15, F17)`() {
        #expect(RequestWriter.refusal(for: request())?.kind == nil)
        #expect(RequestWriter.refusal(for: request("get"))?.kind == nil)
        for method in ["", "GE T", "GET\r\n", "GÊT"] {
            #expect(RequestWriter.refusal(for: request(method))?.kind == .cannotParseResponse, "\(method)")
        }
        for name in ["", "a b", "a:", "a\r\n", "ä"] {
            #expect(
                RequestWriter.refusal(for: request("GET", [.init(name, "x")]))?.kind == .cannotParseResponse, "\(name)")
        }
        #expect(RequestWriter.refusal(for: request("GET", body: "x"))?.kind == .dataLengthExceedsMaximum)
        #expect(RequestWriter.refusal(for: request("GET", body: ""))?.kind == nil)
        #expect(RequestWriter.refusal(for: request("POST", body: "x"))?.kind == nil)
    }

    // BEHAVIOUR 2.F15-large
    @Test func `a head beyond what a buffer should hold is refused`() {
        let large = String(repeating: "x", count: 16 * 1024 * 1024)
        #expect(
            RequestWriter.refusal(for: request(url: URLReference(scheme: "http", host: "h", path: "/" + large)))?.kind
                == .dataLengthExceedsMaximum)
        #expect(RequestWriter.refusal(for: request("GET", [.init("A", large)]))?.kind == .dataLengthExceedsMaximum)
        #expect(RequestWriter.refusal(for: request(), Fields([.init("A", large)]))?.kind == .dataLengthExceedsMaximum)
        #expect(RequestWriter.refusal(for: request("GET", [.init("A", String(large.prefix(64 * 1024)))])) == nil)
    }

    // BEHAVIOUR 2.F15-value
    @Test(arguments: ["\0", "a\0b", "a\r", "\nb", "a\r\nB: c"])
    func `a value that would end its line is refused`(value: String) {
        #expect(RequestWriter.refusal(for: request("GET", [.init("A", value)]))?.kind == .cannotParseResponse)
    }

    @Test(arguments: ["", "x", "a\tb", "\u{1}", "\u{7f}", "ä"])
    func `any other value is sent`(value: String) {
        #expect(RequestWriter.refusal(for: request("GET", [.init("A", value)]))?.kind == nil)
    }

    // BEHAVIOUR 1.B12-url
    @Test(arguments: [(-1, Failure.Kind.badURL), (0, nil), (65_535, nil), (65_536, .badURL)])
    func `a port is a number of 16 bits`(port: Int, refusal: Failure.Kind?) {
        var url = Self.url
        url.port = port
        #expect(RequestWriter.refusal(for: request(url: url))?.kind == refusal)
    }

    // BEHAVIOUR 1.I2-empty
    @Test func `an expectation needs a body`() {
        let expecting = Fields.Field("Expect", "100-continue")
        #expect(middle(head(request("GET", [expecting]))) == [])
        #expect(middle(head(request("PUT", [expecting], body: ""))) == ["Content-Length: 0"])
        #expect(middle(head(request("GET"), additional: [expecting])) == [])
        #expect(middle(head(request("PUT", [expecting], body: "a"))) == ["Expect: 100-continue", "Content-Length: 1"])
    }
}
