import ClientMachines
import HTTPBasics
import Testing

@Suite struct ResumeDecisionTests {
    static let etag = "\"v1\""
    static let date = "Sun, 06 Nov 1994 08:49:37 GMT"

    static func token(_ validator: String = etag, offset: Int64 = 400, total: DeclaredLength? = 1000) throws
        -> ResumeToken
    {
        ResumeToken(
            url: try #require(URLReference("http://h/a")), fields: Fields([Fields.Field("X-Token", "t")]),
            offset: offset,
            validator: validator, path: "/tmp/part", total: total)
    }

    static func head(_ status: Int, _ fields: [(String, String)]) -> ResponseHead {
        ResponseHead(status: status, Fields(fields.map { Fields.Field($0.0, $0.1) }))
    }

    // BEHAVIOUR 1.F4-request
    @Test func `The rest is asked for with Range and If-Range`() throws {
        let token = try Self.token()
        let request = ResumeDecision.request(for: token)
        #expect(request.method == "GET")
        #expect(request.url == token.url)
        #expect(request.body == nil)
        let expected = [
            ("X-Token", "t"), ("Accept-Encoding", "identity"), ("Range", "bytes=400-"), ("If-Range", "\"v1\""),
        ]
        #expect(request.fields == Fields(expected.map { Fields.Field($0.0, $0.1) }))
        #expect(ResumeDecision.whole(request, of: token) == ClientRequest(url: token.url, fields: token.fields))
    }

    @Test func `The caller's own fields win, except those of the range`() throws {
        var token = try Self.token(Self.date)
        token.fields = Fields([Fields.Field("accept-encoding", "gzip"), Fields.Field("RANGE", "bytes=1-2")])
        let request = ResumeDecision.request(for: token)
        #expect(request.fields.values("Accept-Encoding") == ["gzip"])
        #expect(request.fields.values("Range") == ["bytes=400-"])
        #expect(request.fields.values("If-Range") == [Self.date])
        let whole = ResumeDecision.whole(request, of: token)
        #expect(whole.fields == Fields([Fields.Field("accept-encoding", "gzip")]))
    }

    // BEHAVIOUR 1.F4-redirect
    @Test func `The whole is asked for where a redirect has led`() throws {
        let token = try Self.token()
        var moved = ResumeDecision.request(for: token)
        moved.url = try #require(URLReference("http://elsewhere/b"))
        #expect(ResumeDecision.whole(moved, of: token) == ClientRequest(url: moved.url, fields: token.fields))
    }

    private static let rest = [("Content-Range", "bytes 400-999/1000"), ("ETag", etag)]

    /// Fields of a 206, total known to the token, verdict. The token holds 400 bytes and a strong entity tag.
    static let parts: [([(String, String)], DeclaredLength?, ResumeDecision.Meaning)] = [
        ([("Content-Range", "bytes 400-999/1000"), ("ETag", etag)], 1000, .append(total: 1000)),
        (rest + [("Content-Length", "600")], 1000, .append(total: 1000)),
        (rest + [("Content-Length", "1000")], 1000, .restartWithoutRange),
        (rest + [("Content-Length", "599")], 1000, .restartWithoutRange),
        (rest + [("Content-Length", "1000"), ("Transfer-Encoding", "chunked")], 1000, .append(total: 1000)),
        ([("Content-Range", "bytes 400-999/1000")], 1000, .restartWithoutRange),
        ([("Content-Range", "bytes 400-999/1000"), ("ETag", etag)], nil, .append(total: 1000)),
        ([("Content-Range", "bytes 400-999/1000")], 0, .restartWithoutRange),
        ([("Content-Range", "bytes 400-999/*"), ("ETag", etag)], 1000, .append(total: 1000)),
        ([("Content-Range", "bytes 400-999/*"), ("ETag", etag)], nil, .append(total: nil)),
        (
            [("Content-Range", "bytes 400-999/1000"), ("Content-Encoding", "identity"), ("ETag", etag)], 1000,
            .append(total: 1000)
        ),
        (
            [("Content-Range", "bytes 400-999/1000"), ("Last-Modified", "never"), ("ETag", etag)], 1000,
            .append(total: 1000)
        ),
        ([("Content-Range", "bytes 399-999/1000")], 1000, .restartWithoutRange),
        ([("Content-Range", "bytes 0-999/1000")], 1000, .restartWithoutRange),
        ([("Content-Range", "bytes 401-999/1000")], 1000, .fail(.cannotParseResponse)),
        ([("Content-Range", "bytes 900-1099/1100"), ("ETag", "\"v2\"")], 1000, .fail(.cannotParseResponse)),
        ([("Content-Range", "bytes 400-1099/1100")], 1000, .restartWithoutRange),
        ([("Content-Range", "bytes 400-899/1000")], 1000, .restartWithoutRange),
        ([("Content-Range", "bytes 400-899/*")], 1000, .restartWithoutRange),
        ([("Content-Range", "bytes 400-999/1000"), ("ETag", "\"v2\"")], 1000, .restartWithoutRange),
        ([("Content-Range", "bytes 400-999/1000"), ("ETag", "W/\"v1\"")], 1000, .restartWithoutRange),
        ([("Content-Range", "bytes 400-999/1000"), ("ETag", "v1")], 1000, .restartWithoutRange),
        ([("Content-Range", "bytes 400-999/1000"), ("Content-Encoding", "gzip")], 1000, .restartWithoutRange),
        ([("Content-Range", "bytes */1000")], 1000, .restartWithoutRange),
        ([("Content-Range", "nonsense")], 1000, .restartWithoutRange),
        ([("Content-Type", "multipart/byteranges; boundary=x")], 1000, .restartWithoutRange),
        ([], 1000, .restartWithoutRange),
        ([("Content-Range", "bytes 400-99999999999999999999/*")], nil, .restartWithoutRange),
    ]

    // BEHAVIOUR 1.F4-206, 1.F4-mismatch
    @Test(arguments: parts)
    func `A 206 is joined only where it fits exactly`(
        fields: [(String, String)], total: DeclaredLength?, verdict: ResumeDecision.Meaning
    ) throws {
        let token = try Self.token(total: total)
        #expect(ResumeDecision.judge(answer: Self.head(206, fields), token: token) == verdict)
    }

    @Test(arguments: [
        (nil, ResumeDecision.Meaning.append(total: 1000)), (date, .append(total: 1000)),
        ("Sun, 06 Nov 1994 08:49:38 GMT", .restartWithoutRange), ("", .restartWithoutRange),
    ])
    func `With a date as validator, Last-Modified is compared`(value: String?, verdict: ResumeDecision.Meaning) throws {
        let fields = [("Content-Range", "bytes 400-999/1000"), ("ETag", "\"new\"")]
        let head = Self.head(206, fields + (value.map { [("Last-Modified", $0)] } ?? []))
        #expect(ResumeDecision.judge(answer: head, token: try Self.token(Self.date)) == verdict)
    }

    @Test(arguments: [
        (200, ResumeDecision.Meaning.restart), (203, .restart), (299, .restart),
        (300, .deliverError), (302, .deliverError), (304, .deliverError), (403, .deliverError), (404, .deliverError),
        (412, .deliverError), (500, .deliverError), (999, .deliverError),
    ])
    func `Other answers start over or are delivered`(status: Int, verdict: ResumeDecision.Meaning) throws {
        #expect(ResumeDecision.judge(answer: Self.head(status, []), token: try Self.token()) == verdict)
    }

    // BEHAVIOUR 1.F4-416
    /// The token holds 1000 bytes.
    @Test(
        arguments: [
            ([("Content-Range", "bytes */1000")], 1000, ResumeDecision.Meaning.complete),
            ([("Content-Range", "bytes */1000")], nil, .complete),
            ([("Content-Range", "bytes */1000"), ("ETag", "\"v1\"")], 1000, .complete),
            ([("Content-Range", "bytes */1000"), ("ETag", "\"v2\"")], 1000, .restartWithoutRange),
            ([("Content-Range", "bytes */999")], 1000, .restartWithoutRange),
            ([("Content-Range", "bytes */999")], nil, .restartWithoutRange),
            ([("Content-Range", "bytes */1000")], 1200, .restartWithoutRange),
            ([("Content-Range", "bytes */1000")], 0, .restartWithoutRange),
            ([("Content-Range", "bytes 0-999/1000")], 1000, .restartWithoutRange),
            ([("Content-Range", "bytes */x")], 1000, .restartWithoutRange), ([], 1000, .restartWithoutRange),
        ] as [([(String, String)], DeclaredLength?, ResumeDecision.Meaning)])
    func `A 416 completes the file only when nothing is missing`(
        fields: [(String, String)], total: DeclaredLength?, verdict: ResumeDecision.Meaning
    ) throws {
        let token = try Self.token(offset: 1000, total: total)
        #expect(ResumeDecision.judge(answer: Self.head(416, fields), token: token) == verdict)
    }
}
