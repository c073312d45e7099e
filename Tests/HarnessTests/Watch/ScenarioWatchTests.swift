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

    @Test func `a file behind links changes when what it is does, or a link on its way`() throws {
        let folder = FileManager.default.temporaryDirectory.resolvingSymlinksInPath()
            .appendingPathComponent("\(UUID())").path
        defer { try? FileManager.default.removeItem(atPath: folder) }
        // As Kubernetes mounts a ConfigMap.
        for version in ["..1", "..2"] {
            try FileManager.default.createDirectory(atPath: "\(folder)/\(version)", withIntermediateDirectories: true)
            try Data(version.utf8).write(to: URL(fileURLWithPath: "\(folder)/\(version)/s.yaml"))
        }
        func lead(_ link: String, to target: String) throws {
            try? FileManager.default.removeItem(atPath: "\(folder)/\(link)")
            try FileManager.default.createSymbolicLink(atPath: "\(folder)/\(link)", withDestinationPath: target)
        }
        try lead("..data", to: "..1")
        try lead("s.yaml", to: "..data/s.yaml")
        let file = "\(folder)/s.yaml"
        #expect(WatchedFiles.linked(file) == [file, "\(folder)/..data", "\(folder)/..1/s.yaml"])
        var watched = WatchedFiles()
        watched.note([], of: file)
        func isConcerned(by path: String) -> Bool {
            watched.concerned(by: FolderChanges(paths: ["\(folder)/\(path)"]), among: [file]) == [file]
        }
        #expect(!isConcerned(by: "other"))
        #expect(isConcerned(by: "..1/s.yaml"))
        try lead("..data", to: "..2")
        #expect(isConcerned(by: "..data"))
        watched.note([], of: file)
        #expect(!isConcerned(by: "..data") && !isConcerned(by: "..1/s.yaml"))
    }

    @Test("Paths may be written with dots, twice the slash and relative")
    func spelling() {
        let here = FileManager.default.currentDirectoryPath
        let changes = FolderChanges(paths: ["\(here)/s/one.yaml"])
        let spellings = ["s/one.yaml", "./s/one.yaml", "s//one.yaml", "s/x/../one.yaml"]
        #expect(WatchedFiles().concerned(by: changes, among: spellings) == spellings)
    }
}
