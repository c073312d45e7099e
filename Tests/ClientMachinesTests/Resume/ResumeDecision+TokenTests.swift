import ClientMachines
import HTTPBasics
import Testing

@Suite struct ResumeDecisionTokenTests {
    static let etag = ("ETag", "\"v1\"")
    static let changed = ("Last-Modified", "Sun, 06 Nov 1994 08:49:37 GMT")
    static let length = ("Content-Length", "1000")

    static func token(
        method: String = "GET", url: String = "http://h/a", asking fields: [(String, String)] = [],
        status: Int = 200, _ answer: [(String, String)], continuing earlier: ResumeToken? = nil, offset: Int64 = 400
    ) throws -> ResumeToken? {
        let request = ClientRequest(
            method: method, url: try #require(URLReference(url)),
            fields: Fields(fields.map { Fields.Field($0.0, $0.1) }))
        return ResumeDecision.token(
            request: request, head: ResumeDecisionTests.head(status, answer), continuing: earlier, offset: offset,
            path: "/tmp/part", now: UnixTime(seconds: 1_767_225_600))
    }

    @Test func `A token holds what the next task needs`() throws {
        let fields = [("X-Token", "t"), ("range", "bytes=0-"), ("If-Range", "x")]
        let token = try #require(try Self.token(asking: fields, [Self.etag, Self.changed, Self.length]))
        let expected = ResumeToken(
            url: try #require(URLReference("http://h/a")), fields: Fields([Fields.Field("X-Token", "t")]), offset: 400,
            validator: "\"v1\"", path: "/tmp/part", total: 1000)
        #expect(token == expected)
    }

    // BEHAVIOUR 1.F1, 1.F1-ranges, 1.F1-weak, 1.F1-coded
    @Test(
        arguments: [
            ([etag, length], "\"v1\""), ([changed, length], changed.1), ([("ETag", "W/\"v1\""), changed], changed.1),
            ([("ETag", "unquoted"), changed], changed.1),
            ([changed, ("Date", "Sun, 06 Nov 1994 08:49:38 GMT")], changed.1),
            ([changed, ("Date", "garbage")], changed.1), ([etag, ("Accept-Ranges", "bytes")], "\"v1\""),
            ([etag, ("Content-Encoding", "identity")], "\"v1\""), ([etag, ("Transfer-Encoding", "chunked")], "\"v1\""),
            ([("Last-Modified", "Sunday, 06-Nov-94 08:49:37 GMT")], "Sunday, 06-Nov-94 08:49:37 GMT"),
            // No validator, none that is strong enough, or bytes that cannot be counted.
            ([length], nil), ([("ETag", "W/\"v1\"")], nil), ([("ETag", "unquoted")], nil),
            ([("Last-Modified", "yesterday")], nil), ([changed, ("Date", "Sun, 06 Nov 1994 08:49:37 GMT")], nil),
            ([etag, ("Accept-Ranges", "none")], nil), ([etag, ("accept-ranges", " None ")], nil),
            ([etag, ("Content-Encoding", "gzip")], nil), ([etag, ("Content-Encoding", "x-unknown")], nil),
            ([etag, ("Content-Encoding", "identity, br")], nil),
            ([etag, ("Content-Encoding", String(repeating: "identity,", count: 17))], nil),
            ([etag, ("Content-Length", "399")], nil),
            ([etag, ("Content-Length", "0")], nil),
        ] as [([(String, String)], String?)])
    func `Resume data needs a validator that proves sameness`(answer: [(String, String)], validator: String?) throws {
        #expect(try Self.token(answer)?.validator == validator)
    }

    @Test(arguments: [
        ("GET", "https://h/a", 200, true), ("GET", "HTTP://h/a", 200, true), ("POST", "http://h/a", 200, false),
        ("HEAD", "http://h/a", 200, false), ("GET", "ftp://h/a", 200, false), ("GET", "/a", 200, false),
        ("GET", "http://h/a", 203, false), ("GET", "http://h/a", 404, false), ("GET", "http://h/a", 500, false),
        ("GET", "http://h/a", 302, false),
    ])
    func `Only a plain GET that succeeded can be continued`(
        method: String, url: String, status: Int, isResumable: Bool
    ) throws {
        #expect((try Self.token(method: method, url: url, status: status, [Self.etag]) != nil) == isResumable)
    }

    @Test(arguments: [(0, false), (-1, false), (1, true), (1000, true), (1001, false)])
    func `The offset lies within the whole`(offset: Int64, isResumable: Bool) throws {
        #expect((try Self.token([Self.etag, Self.length], offset: offset) != nil) == isResumable)
    }

    @Test(
        arguments: [
            ([length], 1000), ([], nil), ([("Content-Length", "1000"), ("Transfer-Encoding", "chunked")], nil),
            ([("Content-Length", "x")], nil), ([("Content-Length", "1000"), ("Content-Length", "1000")], 1000),
            ([("Content-Length", "1000, 1000")], 1000), ([("Content-Length", "1000, 1001")], nil),
            ([("Content-Length", "-1000")], nil), ([("Content-Length", "99999999999999999999")], nil),
        ] as [([(String, String)], DeclaredLength?)])
    func `The size of the whole is that of the first answer`(fields: [(String, String)], total: DeclaredLength?) throws
    {
        #expect(try Self.token([Self.etag] + fields)?.total == total)
    }

    @Test func `A continued download can be continued again`() throws {
        let earlier = try ResumeDecisionTests.token(total: nil)
        let answer = [("Content-Range", "bytes 400-999/1000"), ("Content-Length", "600")]
        let request = ResumeDecision.request(for: earlier)
        let asked = request.fields.list.map { ($0.name, $0.value) }
        let token = try #require(
            try Self.token(asking: asked, status: 206, answer, continuing: earlier, offset: 700))
        #expect(token.offset == 700)
        #expect(token.total == 1000)
        #expect(token.validator == earlier.validator)
        #expect(ResumeDecision.request(for: token).fields.values("Range") == ["bytes=700-"])
        #expect(ResumeDecision.request(for: token).fields.values("If-Range") == ["\"v1\""])
    }

    @Test func `A total that a 206 leaves out is remembered`() throws {
        let earlier = try ResumeDecisionTests.token(total: 1000)
        let answer = [("Content-Range", "bytes 400-999/*")]
        #expect(try Self.token(status: 206, answer, continuing: earlier, offset: 700)?.total == 1000)
    }

    @Test func `A range that the caller asked for is not a beginning`() throws {
        let answer = [Self.etag, ("Content-Range", "bytes 0-99/1000")]
        #expect(try Self.token(asking: [("Range", "bytes=0-99")], status: 206, answer, offset: 50) == nil)
        let earlier = try ResumeDecisionTests.token()
        #expect(try Self.token(status: 206, answer, continuing: earlier, offset: 700) == nil)
    }
}
