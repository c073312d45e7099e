import HTTPBasics
import Testing

@testable import ClientMachines

@Suite struct CacheInvalidationTests {
    private func keys(_ method: String, _ status: Int = 200, _ fields: (String, String)...) throws -> [String] {
        let url = try #require(URLReference("http://ann@a.test/x/y?q#f"))
        let fields = Fields(fields.map { Fields.Field($0, $1) })
        return CacheInvalidation.keys(method, url, status: status, fields: fields).map(\.text)
    }

    @Test func `a change makes what is kept of its URL wrong, if it succeeded`() throws {
        #expect(try keys("POST") == ["http://a.test/x/y?q"] && keys("PATCH", 303) == ["http://a.test/x/y?q"])
        #expect(try keys("POST", 404).isEmpty && keys("POST", 500).isEmpty && keys("POST", 199).isEmpty)
        for method in ["GET", "HEAD", "OPTIONS", "TRACE"] { #expect(try keys(method).isEmpty) }
    }

    @Test func `and of those that its answer names, on its own origin only`() throws {
        let found = try keys(
            "PUT", 201, ("Location", "../z#f"), ("Content-Location", "http://a.test:80/x/y?q"),
            ("Location", "/second"))
        #expect(found == ["http://a.test/x/y?q", "http://a.test/z"])
        let foreign = try keys("PUT", 201, ("Location", "https://a.test/z"), ("Content-Location", "//b.test/x"))
        #expect(foreign == ["http://a.test/x/y?q"])
        #expect(try keys("PUT", 201, ("Location", " "), ("Content-Location", "http://[")) == ["http://a.test/x/y?q"])
    }
}
