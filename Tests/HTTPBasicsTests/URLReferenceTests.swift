import HTTPBasics
import Testing

@Suite struct URLReferenceTests {
    @Test(arguments: [
        ("http://example.com/a", Origin(scheme: "http", host: "example.com", port: 80)),
        ("HTTPS://Example.COM", Origin(scheme: "https", host: "example.com", port: 443)),
        ("http://example.com:/a", Origin(scheme: "http", host: "example.com", port: 80)),
        ("http://example.com:8080", Origin(scheme: "http", host: "example.com", port: 8080)),
        ("ftp://example.com:21/", Origin(scheme: "ftp", host: "example.com", port: 21)),
        ("http://ann:secret@[::1]:81/", Origin(scheme: "http", host: "::1", port: 81)),
        ("ftp://example.com/", nil), ("http:///a", nil), ("http:a", nil), ("//example.com/", nil), ("/a", nil),
    ])
    func `The origin needs a host and a port that is written or known`(text: String, origin: Origin?) throws {
        let url = try #require(URLReference(text))
        #expect(url.origin == origin)
    }

    @Test(arguments: [
        ("http://ann:secret@h/", "ann", "secret"),
        ("http://ann@h/", "ann", ""),
        ("http://ann:@h/", "ann", ""),
        ("http://:secret@h/", "", "secret"),
        ("http://a%40b:p%3Aw%2F@h/", "a@b", "p:w/"),
        ("http://ann:one:two@h/", "ann", "one:two"),
        ("http://j%C3%BCrg:%E2%82%AC@h/", "jürg", "€"),
        ("http://ann:100%@h/", "ann", "100%"),
        ("http://ann:%zz%4@h/", "ann", "%zz%4"),
        ("http://ann:%ff@h/", "ann", "%ff"),
        ("http://ann:\u{301}x@h/", "ann", "\u{301}x"),
    ])
    func `User information is split at the first colon and decoded`(text: String, user: String, password: String) throws
    {
        let credentials = try #require(URLReference(text)?.credentials)
        #expect(credentials.user == user)
        #expect(credentials.password == password)
    }

    @Test(arguments: ["http://h/", "http://@h/", "/a@b", "//h"])
    func `Without user information there are no credentials`(text: String) throws {
        let url = try #require(URLReference(text))
        #expect(url.credentials == nil)
    }

    @Test func `Removing the user information leaves the rest`() throws {
        let url = try #require(URLReference("http://ann:secret@h:81/a?b#c"))
        #expect(url.withoutUserInformation == URLReference("http://h:81/a?b#c"))
        #expect(url.withoutUserInformation.withoutUserInformation == url.withoutUserInformation)
    }
}
