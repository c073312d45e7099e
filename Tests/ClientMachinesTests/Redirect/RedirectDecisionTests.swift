import ClientMachines
import HTTPBasics
import NIOCore
import Testing

private func url(_ text: String) throws -> URLReference { try #require(URLReference(text)) }

private func head(_ status: Int, location: String...) -> ResponseHead {
    ResponseHead(status: status, Fields(location.map { Fields.Field("Location", $0) }))
}

private func next(
    from start: String = "http://h/x/a", fields: [Fields.Field] = [], _ head: ResponseHead
) throws -> ClientRequest? {
    let request = ClientRequest(url: try url(start), fields: Fields(fields))
    guard case .follow(let next) = RedirectDecision.decide(request: request, head: head, count: 0) else { return nil }
    return next
}

@Suite struct RedirectDecisionTests {
    /// Status, method, method of the next request (nil: delivered), whether a body is sent again.
    static let methods: [(Int, String, String?, Bool)] = [
        (301, "GET", "GET", true), (301, "HEAD", "HEAD", true), (301, "POST", "GET", false), (301, "PUT", "PUT", true),
        (301, "DELETE", "DELETE", true), (301, "PATCH", "PATCH", true), (301, "post", "post", true),
        (302, "GET", "GET", true), (302, "HEAD", "HEAD", true), (302, "POST", "GET", false), (302, "PUT", "PUT", true),
        (303, "GET", "GET", false), (303, "HEAD", "GET", false), (303, "POST", "GET", false),
        (303, "PUT", "GET", false),
        (307, "GET", "GET", true), (307, "HEAD", "HEAD", true), (307, "POST", "POST", true), (307, "PUT", "PUT", true),
        (308, "GET", "GET", true), (308, "HEAD", "HEAD", true), (308, "POST", "POST", true), (308, "PUT", "PUT", true),
        (300, "GET", nil, false), (304, "GET", nil, false), (305, "GET", nil, false), (306, "GET", nil, false),
        (309, "GET", nil, false), (399, "GET", nil, false), (200, "GET", nil, false), (201, "POST", nil, false),
        (401, "GET", nil, false), (503, "GET", nil, false),
    ]

    // BEHAVIOUR 1.C1-300, 1.C1-301, 1.C1-303, 1.C1-304, 1.C1-305, 1.C1-307, 1.C1-other, 1.C2
    @Test(arguments: methods)
    func `The status decides about method and body`(status: Int, method: String, next: String?, keepsBody: Bool) throws
    {
        let described = ["Content-Type", "Content-Length", "Transfer-Encoding"]
        let request = ClientRequest(
            method: method, url: try url("http://h/a"), fields: Fields(described.map { Fields.Field($0, "x") }),
            body: ByteBuffer(string: "abc"))
        let decision = RedirectDecision.decide(request: request, head: head(status, location: "/b"), count: 0)
        guard let next else {
            #expect(decision == .deliver)
            return
        }
        guard case .follow(let followed) = decision else {
            Issue.record("\(decision)")
            return
        }
        #expect(followed.method == next)
        #expect(followed.url == (try url("http://h/b")))
        #expect(followed.body == (keepsBody ? .bytes(ByteBuffer(string: "abc")) : nil))
        #expect(followed.fields.list.map(\.name) == (keepsBody ? described : []))
    }

    // BEHAVIOUR 1.C4-long
    @Test(arguments: [
        (10, 65_536, true), (10, 65_537, false), (63_000, 65_537, false), (65_536, 65_537, false),
        (65_537, 69_633, true), (65_537, 69_634, false), (70_000, 74_096, true), (70_000, 74_097, false),
    ])
    func `A redirect makes a URL of 64 KiB, or of 4 KiB more than a present one that is longer than that`(
        present: Int, next: Int, isFollowed: Bool
    ) throws {
        func long(_ length: Int) -> String { "http://h/" + String(repeating: "a", count: length - 9) }
        let request = ClientRequest(url: try url(long(present)))
        let decision = RedirectDecision.decide(request: request, head: head(302, location: long(next)), count: 0)
        guard isFollowed else {
            guard case .fail(.redirectToNonExistentLocation, _, let failing) = decision else {
                Issue.record("followed")
                return
            }
            #expect(failing == request.url)
            return
        }
        guard case .follow(let followed) = decision else {
            Issue.record("refused")
            return
        }
        #expect(followed.url.string.utf8.count == next)
    }

    // BEHAVIOUR 1.C3-authorization, 1.C3-custom, 1.F4-redirect
    @Test(arguments: [301, 302, 303, 307, 308])
    func `Credentials, cookies and the host stay behind, the caller's other fields go along`(status: Int) throws {
        let fields = [
            ("X-Token", "t"), ("authorization", "Basic eA=="), ("Proxy-Authorization", "Basic eA=="), ("COOKIE", "a=b"),
            ("Host", "h"), ("Accept", "a/b"), ("Range", "bytes=5-"), ("If-Range", "\"e\""), ("Referer", "http://h/"),
            ("Cookie", "c=d"),
        ].map { Fields.Field($0.0, $0.1) }
        for location in ["/b", "http://other/b"] {
            let followed = try #require(try next(fields: fields, head(status, location: location)))
            #expect(followed.fields.list.map(\.name) == ["X-Token", "Accept", "Range", "If-Range", "Referer"])
        }
    }

    // BEHAVIOUR 1.C4-relative, 1.C4-encoding
    @Test(arguments: [
        ("b", "http://h/x/b"), ("/b", "http://h/b"), ("//i/b", "http://i/b"), ("?q", "http://h/x/a?q"),
        ("../b", "http://h/b"), ("http://i:81/b", "http://i:81/b"), ("HTTPS://I/b", "HTTPS://I/b"),
        ("http://i", "http://i"), (" \t/b ", "http://h/b"), ("/b?c=%26%2520", "http://h/b?c=%26%2520"),
        ("http://ann:pw@i/b", "http://ann:pw@i/b"), ("/a b,c", "http://h/a b,c"), ("/ü", "http://h/ü"),
        ("#f", "http://h/x/a#f"), ("http://h/x/a", "http://h/x/a"),
    ])
    func `Location is resolved against the current URL`(location: String, expected: String) throws {
        #expect(try next(head(302, location: location))?.url.string == expected)
    }

    // BEHAVIOUR 1.C4-fragment
    @Test(arguments: [
        ("http://h/a#old", "/b", "http://h/b#old"), ("http://h/a#old", "/b#new", "http://h/b#new"),
        ("http://h/a#old", "/b#", "http://h/b#"), ("http://h/a", "/b", "http://h/b"),
        ("http://u:p@h/a", "/b", "http://u:p@h/b"), ("http://u:p@h/a", "//i/b", "http://i/b"),
        ("https://h/a", "http://h/a", "http://h/a"),
    ])
    func `The fragment is inherited, user information only within the authority`(
        start: String, location: String, expected: String
    ) throws {
        #expect(try next(from: start, head(302, location: location))?.url.string == expected)
    }

    // BEHAVIOUR 1.C4-missing
    @Test(arguments: [[], [""], ["  \t"], ["", "/b"]])
    func `Without a Location the response is delivered`(location: [String]) throws {
        let head = ResponseHead(status: 302, Fields(location.map { Fields.Field("location", $0) }))
        let request = ClientRequest(url: try url("http://h/a"))
        #expect(RedirectDecision.decide(request: request, head: head, count: 20) == .deliver)
    }

    // BEHAVIOUR 2.I38
    @Test func `The first of several Locations counts`() throws {
        #expect(try next(head(302, location: "/b", "/c"))?.url.string == "http://h/b")
    }

    // BEHAVIOUR 1.C4-unreadable, 1.C4-scheme
    @Test(arguments: [
        ("http://[x/", Failure.Kind.redirectToNonExistentLocation, "http://h/a"),
        ("http://i:99999/", .redirectToNonExistentLocation, "http://h/a"),
        ("http://i j/", .redirectToNonExistentLocation, "http://h/a"),
        ("http:///b", .redirectToNonExistentLocation, "http:///b"),
        ("http:b", .redirectToNonExistentLocation, "http:b"),
        ("ftp://h/b", .unsupportedURL, "ftp://h/b"), ("file:///etc/passwd", .unsupportedURL, "file:///etc/passwd"),
        ("javascript:x", .unsupportedURL, "javascript:x"), ("data:,x", .unsupportedURL, "data:,x"),
        ("ws://h/b", .unsupportedURL, "ws://h/b"),
    ])
    func `A target that cannot be loaded fails the task`(location: String, kind: Failure.Kind, failing: String) throws {
        let request = ClientRequest(url: try url("http://h/a"))
        let decision = RedirectDecision.decide(request: request, head: head(301, location: location), count: 0)
        guard case .fail(let failed, _, let named) = decision else {
            Issue.record("\(decision)")
            return
        }
        #expect(failed == kind)
        #expect(named.string == failing)
    }

    // BEHAVIOUR 1.C5-limit
    @Test func `Twenty redirects are followed, and the next one fails with its target`() throws {
        var request = ClientRequest(url: try url("http://h/0"))
        for count in 0..<20 {
            let head = head(302, location: "/\(count + 1)")
            guard case .follow(let next) = RedirectDecision.decide(request: request, head: head, count: count) else {
                Issue.record("stopped after \(count)")
                return
            }
            request = next
        }
        let last = RedirectDecision.decide(request: request, head: head(302, location: "/21"), count: 20)
        guard case .fail(.httpTooManyRedirects, _, let failing) = last else {
            Issue.record("\(last)")
            return
        }
        #expect(failing.string == "http://h/21")
    }
}
