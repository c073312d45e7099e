import Foundation
import Testing

@testable import SessionNetworking

@Suite struct AuthenticationValuesTests {
    @Test func `no description of a credential shows the password`() {
        let credential = URLCredential(user: "amy", password: "s3cret", persistence: .forSession)
        for text in [
            "\(credential)", credential.description, credential.debugDescription, String(reflecting: credential),
        ] {
            #expect(!text.contains("s3cret"))
        }
        #expect(credential.description.contains("amy"))
        #expect(credential.credential.map { "\($0)" } == "amy:(secret)")
    }

    @Test func `a credential survives an archive`() throws {
        let credential = URLCredential(user: "ü", password: "", persistence: .synchronizable)
        let read = try NSKeyedUnarchiver.unarchivedObject(ofClass: URLCredential.self, from: try archive(credential))
        #expect(read == credential)
        #expect(read?.persistence == .synchronizable)
        #expect(read?.hash == credential.hash)
        #expect(credential != URLCredential(user: "ü", password: "", persistence: .none))
    }

    // BEHAVIOUR 2.A15
    @Test func `a space is a key by value`() {
        func space(realm: String?, port: Int = 80) -> URLProtectionSpace {
            URLProtectionSpace(host: "h", port: port, protocol: "http", realm: realm, authenticationMethod: nil)
        }
        let table = [space(realm: "a"): 1, space(realm: nil): 2, space(realm: "a", port: 81): 3]
        #expect(table[space(realm: "a")] == 1)
        #expect(table[space(realm: nil)] == 2)
        #expect(table[space(realm: "a", port: 81)] == 3)
        #expect(table[space(realm: "b")] == nil)
        let proxy = URLProtectionSpace(proxyHost: "h", port: 80, type: "http", realm: "a", authenticationMethod: nil)
        #expect(table[proxy] == nil)
    }

    // BEHAVIOUR 2.A15
    @Test func `spaces that differ in one part differ`() {
        func space(
            _ host: String = "h", port: Int = 80, scheme: String = "http", realm: String? = "a",
            method: String = NSURLAuthenticationMethodHTTPBasic
        ) -> URLProtectionSpace {
            URLProtectionSpace(host: host, port: port, protocol: scheme, realm: realm, authenticationMethod: method)
        }
        func proxy(_ type: String) -> URLProtectionSpace {
            URLProtectionSpace(
                proxyHost: "h", port: 80, type: type, realm: "a",
                authenticationMethod: NSURLAuthenticationMethodHTTPBasic)
        }
        let spaces = [
            space(), space("i"), space(port: 81), space(scheme: "https"), space(realm: "b"), space(realm: nil),
            space(method: NSURLAuthenticationMethodHTTPDigest), proxy("http"), proxy("https"),
        ]
        for (index, one) in spaces.enumerated() {
            #expect(spaces.indices.filter { spaces[$0] == one } == [index])
        }
        #expect(space() == space())
        #expect(proxy("http") == proxy("http"))
    }

    // BEHAVIOUR 2.A16
    @Test(arguments: [
        ("http", NSURLAuthenticationMethodHTTPBasic, false), ("https", NSURLAuthenticationMethodHTTPBasic, true),
        (NSURLProtectionSpaceHTTPS, NSURLAuthenticationMethodDefault, true),
        ("http", NSURLAuthenticationMethodHTTPDigest, true), ("http", NSURLAuthenticationMethodNTLM, true),
        ("http", NSURLAuthenticationMethodNegotiate, true), ("http", NSURLAuthenticationMethodHTMLForm, false),
    ])
    func `who receives a credential securely`(scheme: String, method: String, secure: Bool) {
        let space = URLProtectionSpace(host: "h", port: 1, protocol: scheme, realm: nil, authenticationMethod: method)
        #expect(space.receivesCredentialSecurely == secure)
    }
}
