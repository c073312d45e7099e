import Testing

@testable import ScenarioFormat

@Suite("Scenario library")
struct ScenarioLibraryTests {
    @Test("finds scenario files by name, sorted, hidden ones left out")
    func find() throws {
        let folder = try TemporaryFolder()
        for name in ["b/two.yaml", "a/one.yaml", "a/deep/three.yaml", ".hidden/x.yaml", "a/.x.yaml", "a/notes.txt"] {
            try folder.write(Array("server: []\n".utf8), to: name)
        }
        let library = try #require(ScenarioLibrary(root: folder.path))
        #expect(library.entries.map(\.id) == ["a/deep/three", "a/one", "b/two"])
        #expect(library.files(matching: []).count == 3)
        #expect(library.files(matching: [ScenarioPattern("a/*")]).map(\.id) == ["a/deep/three", "a/one"])
        #expect(
            library.files(matching: [ScenarioPattern("b"), ScenarioPattern("a/one/case")]).map(\.id) == [
                "a/one", "b/two",
            ])
        #expect(ScenarioLibrary(root: folder.path + "/none") == nil)
    }

    @Test(
        "patterns",
        arguments: [
            ("redirect/*", "redirect/post-becomes-get", true), ("redirect/*", "redirect/post-becomes-get/307", true),
            ("redirect/*", "pool/drop", false), ("*/307", "redirect/post-becomes-get/307", false),
            ("**/307", "redirect/post-becomes-get/307", true), ("**", "anything/at/all", true),
            ("**/timeout*", "a/b/timeout-x", true), ("redirect", "redirect/post", true),
            ("redirect/po", "redirect/post", true),
            ("redirect/post/307", "redirect/post", false), ("re?irect/*", "redirect/x", true), ("*x*y", "axbxcy", true),
            ("*x*y", "axbxc", false), ("", "anything", true),
        ])
    func patterns(pattern: String, id: String, wanted: Bool) {
        #expect(ScenarioPattern(pattern).matches(id) == wanted)
    }

    @Test(
        "a pattern for a case asks for its file",
        arguments: [
            ("redirect/post/307", "redirect/post", true), ("redirect/post/3*", "redirect/post", true),
            ("redirect/*/307", "redirect/post", true), ("pool/*/307", "redirect/post", false),
            ("redirect/postal/307", "redirect/post", false), ("**/307", "redirect/post", true),
        ])
    func files(pattern: String, id: String, wanted: Bool) {
        #expect(ScenarioPattern(pattern).mayMatch(fileID: id) == wanted)
    }
}
