import HTTPBasics
import Testing

@testable import ServerScript

@Suite struct NearMissTests {
    /// The differences that a request to a one-step script gets; empty when it matches.
    private func differences(_ match: RequestMatch, _ send: (ServerPlay) -> Void) throws -> [String] {
        var found: [String] = []
        let mark = SourceMark(file: "s.yaml", line: 3, column: 5)
        try ServerPlay.run(Step(.exchange(Exchange(match, reply: Reply())), mark: mark)) { play in
            play.connect()
            send(play)
            let body = play.body()
            let violation = play.events().first { $0.contains("violation") }
            try play.book.check(
                "the answer tells what the journal tells", violation?.hasSuffix(body.dropLast()) ?? body.isEmpty)
            found = body.split(separator: "\n").filter { $0.hasPrefix("  ") }.map { String($0.dropFirst(2)) }
        }
        return found
    }

    @Test("Method and target")
    func line() throws {
        let match = RequestMatch("GET", "/a?b=1")
        #expect(try differences(match) { $0.ask("GET /a?b=1") } == [])
        #expect(try differences(match) { $0.ask("PUT /a?b=1") } == ["method: wanted GET, got PUT"])
        #expect(try differences(match) { $0.ask("GET /a") } == ["target: wanted /a?b=1, got /a"])
    }

    @Test func `a HEAD is compared with a GET's route as a GET, and with others as it is`() throws {
        func differences(_ match: RequestMatch) throws -> [String] {
            let route = Route(Exchange(match, reply: Reply()))
            var found: [String] = []
            try ServerPlay.run(Script(routes: [route])) { play in
                play.connect()
                play.ask("HEAD /a")
                let violation = play.events().first { $0.contains("violation") } ?? ""
                found = violation.split(separator: "\n").filter { $0.hasPrefix("  ") }.map { String($0.dropFirst(2)) }
                try play.book.check("it is told what is wrong", !found.isEmpty)
            }
            return found
        }
        #expect(
            try differences(RequestMatch("GET", "/a", fields: [.init("X", .equals("1"))])) == [
                "X: wanted \"1\", got none"
            ])
        #expect(try differences(RequestMatch("POST", "/a")) == ["method: wanted POST, got HEAD"])
    }

    @Test("Each failed condition on a field, with what was wanted and what came")
    func fields() throws {
        let match = RequestMatch(
            "GET", "/",
            fields: [.init("Range", .equals("bytes=4-")), .init("If-Range", .equals("\"v1\"")), .init("X", .present)],
            absent: ["Cookie"])
        #expect(
            try differences(match) { $0.ask("GET /", "Range: bytes=4-", "If-Range: \"v1\"", "x: 1") } == [])
        #expect(
            try differences(match) { $0.ask("GET /", "Range: bytes=5-", "Cookie: a=b") } == [
                "Range: wanted \"bytes=4-\", got \"bytes=5-\"", "If-Range: wanted \"\\\"v1\\\"\", got none",
                "X: wanted any value, got none", "Cookie: wanted none, got \"***\"",
            ])
        #expect(
            try differences(match) { $0.ask("GET /", "Range: bytes=4-", "Range: bytes=9-", "If-Range: \"v1\"", "X: 1") }
                == ["Range: wanted \"bytes=4-\", got \"bytes=4-, bytes=9-\""])
    }

    @Test("Secrets are told by their scheme only")
    func secrets() throws {
        let basic = RequestMatch("GET", "/", basic: BasicCredentials(user: "ann", password: "s3cret"))
        #expect(try differences(basic) { $0.ask("GET /", "Authorization: Basic YW5uOnMzY3JldA==") } == [])
        #expect(
            try differences(basic) { $0.ask("GET /", "Authorization: Basic YW5uOng=") } == [
                "Authorization: wanted the credentials of the script, got other Basic credentials"
            ])
        let equal = RequestMatch("GET", "/", fields: [.init("Authorization", .equals("Bearer abc"))])
        #expect(
            try differences(equal) { $0.ask("GET /", "Authorization: Bearer xyz") } == [
                "Authorization: wanted scheme Bearer, got scheme Bearer, another value"
            ])
        let absent = RequestMatch("GET", "/", absent: ["Authorization"])
        #expect(
            try differences(absent) { $0.ask("GET /", "Authorization: Bearer xyz") } == [
                "Authorization: wanted none, got scheme Bearer"
            ])
    }

    @Test("A request to a proxy is compared as the proxy was asked")
    func proxied() throws {
        let match = RequestMatch(
            "GET", "$origin.b.test/x", basic: BasicCredentials(user: "ann", password: "s3cret"))
        var script = Script(
            hosts: ["p.test", "b.test"],
            steps: [Step(.exchange(Exchange(match, reply: Reply())), host: "p.test", mark: nil)])
        script.proxies["p.test"] = .http
        try ServerPlay.run(script, origins: ["b.test": "http://b.test", "p.test": "http://p.test:8080"]) { play in
            play.connect(host: "p.test")
            play.ask("GET http://b.test/x", "Authorization: Basic YW5uOnMzY3JldA==")
            let differences = play.body().split(separator: "\n").filter { $0.hasPrefix("  ") }
            try play.book.check(
                "as the proxy was asked", differences,
                is: ["  Proxy-Authorization: wanted Basic credentials, got none"])
        }
    }

    @Test(
        "Bodies",
        arguments: [
            (RequestMatch.BodyRule.none, "", []), (.none, "x", ["body: wanted none, got 1 byte"]),
            (.equals(.text("abc")), "abc", []),
            (.equals(.text("abc")), "abd", ["body at byte 2: wanted \"c\", got \"d\""]),
            (.equals(.text("abc")), "ab", ["body: wanted 3 bytes, got 2"]),
            (.equals(.text("abc")), "abcd", ["body: wanted 3 bytes, got 4"]), (.prefix(of: .text("abc")), "ab", []),
            (.prefix(of: .text("abc")), "", ["body: wanted a beginning, got 0 bytes"]),
            (.prefix(of: .text("")), "", []),
            (.prefix(of: .text("abc")), "abcd", ["body: wanted at most 3 bytes, got 4"]),
            (.equals(.counter(size: 20)), "00000000000000080000", []),
        ] as [(RequestMatch.BodyRule, String, [String])])
    func bodies(rule: RequestMatch.BodyRule, body: String, wanted: [String]) throws {
        #expect(try differences(RequestMatch("POST", "/", body: rule)) { $0.post("/", body) } == wanted)
    }

    @Test("A multipart body is judged part by part")
    func multipart() throws {
        let match = RequestMatch("POST", "/", multipart: MultipartReaderTests.rule)
        let type = "Content-Type: \(MultipartReaderTests.type)"
        #expect(try differences(match) { $0.post("/", MultipartReaderTests.legal, type) } == [])
        #expect(
            try differences(match) { $0.post("/", "x", type) } == ["multipart: body does not start with the boundary"])
    }

    @Test("The closest is the one with the fewest and lightest differences")
    func closest() throws {
        let script = Script(
            steps: [step("PUT", "/a", line: 1)],
            routes: [
                Route(Exchange(RequestMatch("GET", "/b"))),
                Route(
                    Exchange(RequestMatch("GET", "/a", absent: ["X"])), mark: SourceMark(file: "s", line: 7, column: 1)),
            ])
        try ServerPlay.run(script) { play in
            play.connect()
            play.ask("GET /a", "X: 1")
            let text = """
                GET /a on connection #0, exchange 1 matches no step and no route; closest is the route GET /a
                closest: s:7:1
                  X: wanted none, got "1"
                then: the step PUT /a, s.yaml:1:5
                  method: wanted PUT, got GET
                then: the route GET /b
                  target: wanted /b, got /a

                """
            try play.book.check("text", play.body(), is: text)
        }
    }

    @Test(
        "The closest has nearly the target that came, whatever else it lacks",
        arguments: [
            ("/orders/lists", "/orders/list"), ("/order/list", "/orders/list"), ("/alpah", "/alpha"), ("/h", "/h"),
        ])
    func target(asked: String, closest: String) throws {
        let rules = (1...6).map { RequestMatch.NamedRule("X-\($0)", .equals("1")) }
        let routes = ["/alpha", "/beta", "/gamma", "/orders/list"].map { Route(Exchange(RequestMatch("GET", $0))) }
        let demanding = Route(Exchange(RequestMatch("POST", "/h", fields: rules)))
        try ServerPlay.run(Script(routes: routes + [demanding])) { play in
            play.connect()
            play.ask("GET \(asked)")
            let first = play.body().split(separator: "\n").first ?? ""
            let method = closest == "/h" ? "POST" : "GET"
            try play.book.check("closest", first.hasSuffix("closest is the route \(method) \(closest)"))
        }
    }

    @Test("An empty script says so, and HEAD gets no body")
    func empty() throws {
        try ServerPlay.run(Script()) { play in
            play.connect()
            play.ask("HEAD /")
            try play.book.check("body", play.body(), is: "")
            let text = "HEAD / on connection #0, exchange 1 matches nothing: the script has no step and no route"
            try play.book.check("journal", play.events().contains("0/0 violation \(text)"))
        }
    }

    @Test("Long and odd values are cut and escaped")
    func excerpts() {
        #expect(quoted("a\"\\\r\n\u{1}") == "\"a\\\"\\\\\\r\\n0x01\"")
        #expect(quoted(String(repeating: "x", count: 200)).count == 125)
    }
}
