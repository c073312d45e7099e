import Foundation
import Testing

@testable import Harness

@Suite("Which scenarios a change concerns")
struct ScenarioWatchTests {
    private let files = ["/s/a/one.yaml", "/s/a/two.yaml", "/s/b/three.yaml"]

    private func concerned(by paths: Set<String>) -> [String] {
        var watched = WatchedFiles()
        watched.note(["/s/a/data/blob.bin"], of: "/s/a/two.yaml")
        watched.note(["/s/b/gone.bin"], of: "/s/b/three.yaml")
        return watched.concerned(by: FolderChanges(paths: paths), among: files)
    }

    @Test(
        "Those that changed, and those that name a changed body file",
        arguments: [
            (["/s/a/one.yaml"], ["/s/a/one.yaml"]), (["/s/a/data/blob.bin"], ["/s/a/two.yaml"]),
            (["/s/b/gone.bin", "/s/a/one.yaml"], ["/s/a/one.yaml", "/s/b/three.yaml"]),
            (["/s/a/data"], ["/s/a/two.yaml"]), (["/s/a"], ["/s/a/one.yaml", "/s/a/two.yaml"]),
            (["/s/a/one.yaml~", "/s/a/4913", "/s/notes.md"], []),
        ] as [(Set<String>, [String])])
    func selection(changed: Set<String>, wanted: [String]) {
        #expect(concerned(by: changed) == wanted)
    }

    @Test("A scenario that names another body file now no longer cares for the old one")
    func renamed() {
        var watched = WatchedFiles()
        watched.note(["/s/old.bin"], of: "/s/one.yaml")
        watched.note(["/s/new.bin"], of: "/s/one.yaml")
        let changes = FolderChanges(paths: ["/s/old.bin"])
        #expect(watched.concerned(by: changes, among: ["/s/one.yaml"]) == [])
    }

    @Test("Paths may be written with dots, twice the slash and relative")
    func spelling() {
        let here = FileManager.default.currentDirectoryPath
        let changes = FolderChanges(paths: ["\(here)/s/one.yaml"])
        let spellings = ["s/one.yaml", "./s/one.yaml", "s//one.yaml", "s/x/../one.yaml"]
        #expect(WatchedFiles().concerned(by: changes, among: spellings) == spellings)
    }
}
