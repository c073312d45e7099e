import Foundation
import Testing

@testable import Judge

@Suite("Scenario targets and URLs")
struct OriginTableTests {
    private let table = OriginTable([
        OriginTable.Entry(host: "a.test", origin: "http://a.test:81"),
        OriginTable.Entry(host: "b.test", origin: "http://b.test:82"),
        OriginTable.Entry(host: "b.test.example", origin: "http://b.test.example:83"),
    ])

    @Test("A seen URL is written as a scenario writes it")
    func seen() throws {
        for (url, text) in [
            ("http://a.test:81/x?y=1#z", "/x?y=1"), ("http://a.test:81", "/"), ("http://a.test:81?q", "/?q"),
            ("http://b.test:82/x", "$origin.b.test/x"), ("http://u:p@b.test:82/x", "$origin.b.test/x"),
            ("http://a.test:811/x", "http://a.test:811/x"), ("http://b.test.example:83/", "$origin.b.test.example/"),
        ] {
            #expect(table.scenarioText(of: try #require(URL(string: url))) == text)
        }
    }

    @Test("A target becomes an absolute URL")
    func absolute() {
        #expect(table.absolute("/x", host: nil) == "http://a.test:81/x")
        #expect(table.absolute("/x", host: "b.test") == "http://b.test:82/x")
        #expect(table.absolute("$origin.b.test.example/x", host: nil) == "http://b.test.example:83/x")
        #expect(table.absolute("$origin/x", host: nil) == "http://a.test:81/x")
        #expect(table.absolute("ftp://c/x", host: nil) == "ftp://c/x")
        #expect(table.absolute("/x", host: "c.test") == nil)
    }

    @Test("Files are those of the table's folder, and only by their names")
    func files() throws {
        let table = OriginTable([], folder: "file:///tmp/x/")
        for (target, url) in [("file:a.txt", "file:///tmp/x/a.txt"), ("file:.", "file:///tmp/x/")] {
            #expect(table.absolute(target, host: nil) == url)
            #expect(table.scenarioText(of: try #require(URL(string: url))) == target)
        }
        let elsewhere = try #require(URL(string: "file:///tmp/y"))
        #expect(table.scenarioText(of: elsewhere) == "file:///tmp/y")
    }

    @Test("The first host goes without saying")
    func canonical() {
        #expect(table.canonical("GET $origin.a.test/x") == "GET /x")
        #expect(table.canonical("GET $origin/x") == "GET /x")
        #expect(table.canonical("$origin.b.test/x") == "$origin.b.test/x")
    }
}
