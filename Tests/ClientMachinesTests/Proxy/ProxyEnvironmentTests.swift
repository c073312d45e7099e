import HTTPBasics
import Testing

@testable import ClientMachines

/// BEHAVIOUR 2.E10
@Suite struct ProxyEnvironmentTests {
    private static let ann = Credential(user: "ann", password: "pw")

    @Test(arguments: [
        ("http://p.test:3128", Proxy(.http, host: "p.test", port: 3128)),
        ("P.test:3128/", Proxy(.http, host: "p.test", port: 3128)),
        ("p.test", Proxy(.http, host: "p.test", port: 1080)),
        ("socks5h://s.test", Proxy(.socks5, host: "s.test", port: 1080)),
        ("socks4a://s.test:9", Proxy(.socks4, host: "s.test", port: 9)),
        ("http://[::1]:8080", Proxy(.http, host: "::1", port: 8080)),
        (
            "http://a%3Ann:s%2F3@p.test:8080",
            Proxy(.http, host: "p.test", port: 8080, credential: Credential(user: "a:nn", password: "s/3"))
        ),
        ("https://p.test:1", Proxy(.http, host: "p.test", port: 1, isSecure: true)),
        ("HTTPS://ann:pw@P.test", Proxy(.http, host: "p.test", port: 443, isSecure: true, credential: ann)),
        ("quic://p.test:1", Proxy(.unusable, host: "p.test", port: 1)),
        (" http://p.test:1 ", Proxy(.http, host: "p.test", port: 1)),
    ])
    func `a variable names a proxy`(text: String, proxy: Proxy) {
        #expect(ProxyEnvironment.proxy(text) == proxy)
    }

    /// BEHAVIOUR 2.E10-slip
    @Test(arguments: [
        " ", "://", "http://", "http://p.test:0", "http://p.test:99999", "http://a b/", "http://p.test:http",
        #"http://CORP\ann:pw@p.test:3128"#, "http://ann:pa/ss@p.test:3128", "http://ann:p#w@p.test:3128",
        "http://ann:12/ss@p.test:3128", "https://", "https://p.test:0", "https://ann:pa/ss@p.test",
        "http://ann:1#2@p.test", "http://ann:1?2@p.test",
    ])
    func `what cannot be read is a proxy that nobody can use`(text: String) {
        #expect(ProxyEnvironment.proxy(text) == .unreadable)
        let variables = ["http_proxy": text, "all_proxy": "socks5://s.test"]
        let settings = ProxyEnvironment.settings { variables[$0] }
        #expect(settings.proxy(for: Origin(scheme: "http", host: "a.test", port: 80)) == .unreadable)
    }

    @Test func `an empty variable is none`() {
        let variables = [
            "http_proxy": "", "all_proxy": "p.test", "https_proxy": "", "HTTPS_PROXY": "q.test", "no_proxy": "",
            "NO_PROXY": "b.test",
        ]
        let settings = ProxyEnvironment.settings { variables[$0] }
        #expect(settings.proxy(for: Origin(scheme: "http", host: "a.test", port: 80))?.host == "p.test")
        #expect(settings.proxy(for: Origin(scheme: "https", host: "a.test", port: 443))?.host == "q.test")
        #expect(settings.proxy(for: Origin(scheme: "http", host: "b.test", port: 80)) == nil)
    }

    @Test func `small letters win, and HTTP_PROXY is nobody's`() {
        let variables = [
            "HTTP_PROXY": "evil.test:1", "https_proxy": "one.test:1", "HTTPS_PROXY": "two.test:1",
            "ALL_PROXY": "socks5://three.test", "no_proxy": "a.test,b.test c.test",
        ]
        let settings = ProxyEnvironment.settings { variables[$0] }
        func host(_ scheme: String, _ host: String) -> String? {
            settings.proxy(for: Origin(scheme: scheme, host: host, port: 80))?.host
        }
        #expect(host("https", "x.test") == "one.test" && host("http", "x.test") == "three.test")
        #expect(["a.test", "b.test", "x.c.test"].allSatisfy { host("http", $0) == nil })
        #expect(ProxyEnvironment.settings { _ in nil } == ProxySettings())
    }
}
