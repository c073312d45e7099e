import HTTPBasics
import Testing

@testable import ClientMachines

/// BEHAVIOUR 2.A24
@Suite struct AdmittedSpacesTests {
    private static func url(_ text: String) throws -> URLReference { try #require(URLReference(text)) }

    private static func authorization(
        _ user: String = "ann", realm: String = "vault", at place: String = "http://h/", generation: Int = 0
    ) throws -> Authorization {
        let url = try url(place)
        let response = Response(head: ResponseHead(status: 401, Fields()), url: url, expectedLength: 0)
        let challenge = Challenge(
            origin: try #require(url.origin), realm: realm, method: .basic, proposed: nil, previousFailures: 0,
            response: response)
        return Authorization(
            Credential(user: user, password: "s3cret"), for: challenge, isKept: true, generation: generation)
    }

    // BEHAVIOUR 2.A24-reset
    @Test func `what a task was given before a reset does not come back`() throws {
        let spaces = AdmittedSpaces(), url = try Self.url("http://h/a")
        spaces.admitted(try Self.authorization(), at: url)
        spaces.forgetAll()
        #expect(!spaces.admitted(try Self.authorization(), at: url))
        #expect(spaces.authorization(for: url) == nil)
        #expect(spaces.admitted(try Self.authorization(generation: spaces.generation), at: url))
        #expect(spaces.authorization(for: url) != nil)
    }

    // BEHAVIOUR 2.A24-removed
    @Test func `one credential is forgotten at its place alone`() throws {
        let spaces = AdmittedSpaces(), origin = Origin(scheme: "http", host: "h", port: 80)
        spaces.admitted(try Self.authorization("ann", realm: "one"), at: try Self.url("http://h/a/1"))
        spaces.admitted(try Self.authorization("ann", realm: "two"), at: try Self.url("http://h/b/1"))
        for (password, realm) in [("other", "one"), ("s3cret", "three"), ("s3cret", "one")] {
            spaces.forget(
                ForgottenCredential(Credential(user: "ann", password: password), origin: origin, realm: realm))
            let isGone = spaces.authorization(for: try Self.url("http://h/a/2")) == nil
            #expect(isGone == (realm == "one" && password == "s3cret"))
        }
        #expect(spaces.authorization(for: try Self.url("http://h/b/2")) != nil)
    }

    // BEHAVIOUR 2.A41-users, 2.A41-kept
    @Test func `what one user of a proxy is let in with is not another's, and is no server's`() throws {
        let spaces = AdmittedSpaces(), url = try Self.url("http://h/a")
        let mine = Proxy(.http, host: "h", port: 80),
            other = Proxy(
                .http, host: "h", port: 80, credential: Credential(user: "bob", password: "other"))
        let head = ResponseHead(status: 200, Fields())
        let asked = Challenge(
            of: mine, .init(method: .basic, realm: "vault"), ProxyLogin(),
            Response(head: head, url: url, expectedLength: 0), isForSecure: false)
        let ann = Credential(user: "ann", password: "s3cret")
        func sent(_ generation: Int, isKept: Bool = true) -> SentAuthorization {
            SentAuthorization(Authorization(ann, for: asked, isKept: isKept, generation: generation), nil)
        }
        for status in [400, 403, 404, 502] {
            #expect(!spaces.heard(ResponseHead(status: status, Fields()), about: sent(0), from: mine))
        }
        #expect(!spaces.heard(head, about: sent(0, isKept: false), from: mine))
        #expect(spaces.heard(ResponseHead(status: 401, Fields()), about: sent(0), from: mine))
        #expect(spaces.proxies[mine] != nil && spaces.proxies[other] == nil)
        #expect(spaces.authorization(for: url) == nil)
        for isOfProxy in [false, true] {
            spaces.forget(ForgottenCredential(ann, origin: mine.place, isOfProxy: isOfProxy, realm: "vault"))
            #expect((spaces.proxies[mine] == nil) == isOfProxy)
        }
        spaces.forgetAll()
        #expect(!spaces.heard(head, about: sent(0), from: mine))
        #expect(spaces.heard(head, about: sent(spaces.generation), from: mine))
    }

    @Test(arguments: [
        ("http://h/x/y/b", true), ("http://h/x/y/", true), ("http://h/x/y/z/c?q", true), ("http://h/x/y", false),
        ("http://h/x/yy", false), ("http://h/x/", false), ("http://h:81/x/y/b", false), ("https://h/x/y/b", false),
        ("http://H/x/y/b", true), ("http://other/x/y/b", false),
    ])
    func `a credential goes along at its place and below`(place: String, goesAlong: Bool) throws {
        let spaces = AdmittedSpaces()
        spaces.admitted(try Self.authorization(), at: try Self.url("http://h/x/y/a"))
        #expect((spaces.authorization(for: try Self.url(place)) != nil) == goesAlong)
    }

    @Test func `a place at the top is for all paths, an empty one too`() throws {
        let spaces = AdmittedSpaces()
        spaces.admitted(try Self.authorization(), at: try Self.url("http://h"))
        for place in ["http://h", "http://h/", "http://h/a"] {
            #expect(spaces.authorization(for: try Self.url(place)) != nil)
        }
    }

    @Test func `a credential that another one took the place of goes along no more`() throws {
        let spaces = AdmittedSpaces()
        spaces.admitted(try Self.authorization("ann"), at: try Self.url("http://h/a/1"))
        spaces.admitted(try Self.authorization("bob"), at: try Self.url("http://h/b/1"))
        #expect(spaces.authorization(for: try Self.url("http://h/a/2")) == nil)
        #expect(spaces.authorization(for: try Self.url("http://h/b/2"))?.credential.user == "bob")
        spaces.refused(try Self.authorization("ann"))
        #expect(spaces.authorization(for: try Self.url("http://h/b/2")) != nil)
        spaces.refused(try Self.authorization("bob"))
        #expect(spaces.authorization(for: try Self.url("http://h/b/2")) == nil)
    }

    @Test func `only so many spaces and places are remembered, the latest`() throws {
        let spaces = AdmittedSpaces()
        for number in 1...100 {
            let origin = "http://h\(number)/"
            spaces.admitted(try Self.authorization(at: origin), at: try Self.url(origin))
        }
        #expect(spaces.authorization(for: try Self.url("http://h36/")) == nil)
        #expect(spaces.authorization(for: try Self.url("http://h37/")) != nil)
        for number in 1...100 {
            spaces.admitted(
                try Self.authorization(at: "http://h100/"), at: try Self.url("http://h100/\(number)/a"))
        }
        // All of them lie below the first.
        #expect(spaces.authorization(for: try Self.url("http://h100/other")) != nil)
        spaces.forgetAll()
        #expect(spaces.authorization(for: try Self.url("http://h100/other")) == nil)
    }
}
