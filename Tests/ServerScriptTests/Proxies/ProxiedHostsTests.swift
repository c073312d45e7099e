import Testing

@testable import ServerScript

@Suite struct ProxiedHostsTests {
    private let hosts = ProxiedHosts(
        hosts: ["a.test", "b.test", "c.test"],
        origins: ["a.test": "http://a.test", "b.test": "https://b.test:8443", "c.test": "http://[::1]:99"])

    @Test func `an authority has its port`() {
        #expect(hosts.host(authority: "a.test:80") == "a.test" && hosts.host(authority: "A.TEST:80") == "a.test")
        #expect(hosts.host(authority: "b.test:8443") == "b.test" && hosts.host(authority: "[::1]:99") == "c.test")
        for other in ["a.test", "a.test:81", "a.test:", "a.test:x", ":80", "[::1]", "[::1:99", ""] {
            #expect(hosts.host(authority: other) == nil)
        }
    }

    @Test func `a URL has a host and a target`() throws {
        for (url, host, target) in [
            ("http://a.test/x?y", "a.test", "/x?y"), ("http://a.test:80/x", "a.test", "/x"),
            ("http://a.test", "a.test", "/"), ("HTTP://a.test?y", "a.test", "/?y"),
            ("https://b.test:8443/", "b.test", "/"),
        ] {
            let place = try #require(hosts.host(url: url))
            #expect(place.host == host && place.target == target)
        }
        for other in ["https://a.test/", "http://b.test:8443/", "http://d.test/", "/x", "http:///"] {
            #expect(hosts.host(url: other) == nil)
        }
    }

    @Test func `where URLs are made of addresses, the names are known as well`() {
        let hosts = ProxiedHosts(
            hosts: ["a.test", "b.test"],
            origins: ["a.test": "http://127.0.0.1:8080", "b.test": "https://127.0.0.2:8443"])
        #expect(hosts.host(url: "http://a.test/x")?.host == "a.test" && hosts.host(authority: "b.test:443") == "b.test")
        #expect(hosts.host(url: "http://127.0.0.1:8080/x")?.host == "a.test")
        #expect(hosts.host(url: "http://a.test:8080/") == nil && hosts.host(authority: "b.test:80") == nil)
    }

    @Test func `patterns name the first host like others`() {
        #expect(hosts.named("$origin/x") == "$origin.a.test/x" && hosts.named("$origin") == "$origin.a.test")
        #expect(hosts.named("$origin.b.test/x") == "$origin.b.test/x" && hosts.named("/x") == "/x")
    }
}
