import HTTPBasics
import Testing

@testable import ClientMachines

@Suite struct CacheKeyTests {
    @Test(
        "The same resource has the same key",
        arguments: [
            ("http://a.test", "http://a.test/"), ("HTTP://ann:x@A.Test:80/p?q#f", "http://a.test/p?q"),
            ("https://a.test:8443/P?", "https://a.test:8443/P?"), ("http://[::1]:80/%7e", "http://[::1]/%7e"),
        ])
    func key(url: String, text: String) throws {
        #expect(CacheKey(try #require(URLReference(url)))?.text == text)
    }

    @Test func `what has no host has none`() throws {
        for text in ["/x", "data:,x", "http:///x"] { #expect(CacheKey(try #require(URLReference(text))) == nil) }
    }
}
