import Foundation
import Judge
import ServerScript
import Testing

@testable import Serving

@Suite struct ServedFilesTests {
    private typealias File = ServedFiles.File

    private func files(_ words: String...) throws -> [File] {
        try ServedFiles(words, resolve: { $0 == "id" ? "scenarios/id.yaml" : $0 }).files
    }

    @Test func `one file is at the root, several at their names`() throws {
        #expect(try files("id") == [File(path: "scenarios/id.yaml", place: nil)])
        let wanted = [
            File(path: "x/a.yaml", place: .prefix("/a")), File(path: "scenarios/id.yaml", place: .prefix("/id")),
        ]
        #expect(try files("x/a.yaml", "id") == wanted)
    }

    @Test func `a word can say the place`() throws {
        let wanted = [
            File(path: "a.yaml", place: nil), File(path: "b.yaml", place: .prefix("/v2/b")),
            File(path: "c.yaml", place: .host("c-1.test")), File(path: "d.yaml", place: .port(8081)),
        ]
        #expect(try files("/=a.yaml", "/v2/b/=b.yaml", "C-1.test=c.yaml", ":8081=d.yaml") == wanted)
    }

    @Test func `a folder's files are at their paths in it`() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("served-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        try FileManager.default.createDirectory(
            at: folder.appendingPathComponent("in"), withIntermediateDirectories: true)
        for name in ["a.yaml", "in/b.yaml", "other.txt"] {
            try Data().write(to: folder.appendingPathComponent(name))
        }
        #expect(try files(folder.path).map(\.place) == [.prefix("/a"), .prefix("/in/b")])
        #expect(try files("/x=" + folder.path).map(\.place) == [.prefix("/x/a"), .prefix("/x/in/b")])
        #expect(throws: UsageError.self) { try files("x.test=" + folder.path) }
        #expect(throws: UsageError.self) { try files(":1=" + folder.path) }
    }

    @Test func `a place is told what it may be`() throws {
        #expect(try files("/a%20b/~c=x.yaml").map(\.place) == [.prefix("/a%20b/~c")])
        let error = try #require(throws: UsageError.self) { try files("/x y=a/f.yaml") }
        let wanted = "'/x y' can be no place: it is a path as requests have it, such as /users=f.yaml, of letters"
        #expect("\(error)".contains(wanted))
        let named = try #require(throws: UsageError.self) { try files("//pay.test=a/f.yaml") }
        #expect("\(named)" == "'//pay.test' can be no place: for a Host field or a port it is pay.test=f.yaml")
    }

    @Test(
        "What makes no sense is refused",
        arguments: [
            ["a.yaml", "b/a.yaml"], ["/a="], ["a b=c"], ["/?=c"], ["/x y=c"], ["/a//b=c"], ["//=c"], ["/a/../b=c"],
            ["/%4=c"], ["/ä=c"], ["/scope:a=c"], ["x y.yaml", "z.yaml"], [":0=c"],
            [":65536=c"], [":+1=c"], [":=c"], [":1=a", ":1=b"], ["/a-b=a", "/a_b=b"], ["/81=a", ":81=b"],
        ])
    func refused(words: [String]) {
        #expect(throws: UsageError.self) { try ServedFiles(words, resolve: { $0 }) }
    }
}
