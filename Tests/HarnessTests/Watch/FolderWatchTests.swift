import Foundation
import Judge
import Serving
import Testing

@testable import Harness

/// Files really change here. Nothing is waited for by the clock: every event is in the kernel's queue before we look.
@Suite("Folder watch", .serialized)
struct FolderWatchTests {
    private func withFolder(_ body: (String) throws -> Void) throws {
        let directory = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString).path
        defer { try? FileManager.default.removeItem(atPath: directory) }
        try FileManager.default.createDirectory(atPath: directory + "/pool", withIntermediateDirectories: true)
        try body(directory)
    }

    private func write(_ path: String) throws { try Data("x".utf8).write(to: URL(fileURLWithPath: path)) }

    private func rename(_ path: String, to target: String) {
        #expect(Foundation.rename(path, target) == 0)
    }

    @Test("Written, renamed onto, removed: each is a change of that path")
    func files() throws {
        try withFolder { folder in
            let watch = try FolderWatch(), stop = StopSignal()
            try watch.add(folder, isDeep: true)
            try write("\(folder)/pool/a.yaml")
            #expect(try watch.changes(until: stop)?.paths == ["\(folder)/pool/a.yaml"])
            // As editors do: a new file beside it takes its name.
            try write("\(folder)/pool/a.yaml.new")
            rename("\(folder)/pool/a.yaml.new", to: "\(folder)/pool/a.yaml")
            #expect(try watch.changes(until: stop)?.concern("\(folder)/pool/a.yaml") == true)
            try FileManager.default.removeItem(atPath: "\(folder)/pool/a.yaml")
            #expect(try watch.changes(until: stop)?.paths == ["\(folder)/pool/a.yaml"])
        }
    }

    @Test("Many events are one batch")
    func many() throws {
        try withFolder { folder in
            let watch = try FolderWatch(), stop = StopSignal()
            try watch.add(folder, isDeep: true)
            for number in 0..<2000 { try write("\(folder)/pool/\(number % 20).yaml") }
            #expect(try watch.changes(until: stop)?.paths.count == 20)
        }
    }

    @Test("Folders that appear are watched, and what was in them counts as new")
    func folders() throws {
        try withFolder { folder in
            let watch = try FolderWatch(), stop = StopSignal()
            try watch.add(folder, isDeep: true)
            try FileManager.default.createDirectory(atPath: folder + "/a/b", withIntermediateDirectories: true)
            try write("\(folder)/a/b/early.yaml")
            #expect(try watch.changes(until: stop)?.concern("\(folder)/a/b/early.yaml") == true)
            try write("\(folder)/a/b/late.yaml")
            #expect(try watch.changes(until: stop)?.paths == ["\(folder)/a/b/late.yaml"])
            rename("\(folder)/a", to: "\(folder)/c")
            let moved = try #require(try watch.changes(until: stop))
            #expect(moved.concern("\(folder)/a/b/late.yaml") && moved.concern("\(folder)/c/b/late.yaml"))
            try write("\(folder)/c/b/late.yaml")
            #expect(try watch.changes(until: stop)?.paths == ["\(folder)/c/b/late.yaml"])
        }
    }

    @Test("A shallow watch does not look below")
    func shallow() throws {
        try withFolder { folder in
            let watch = try FolderWatch(), stop = StopSignal()
            try watch.add(folder, isDeep: false)
            try write("\(folder)/pool/a.yaml")
            try write("\(folder)/b.yaml")
            #expect(try watch.changes(until: stop)?.paths == ["\(folder)/b.yaml"])
        }
    }

    @Test("A folder that is gone is an error, not silence for ever")
    func gone() throws {
        try withFolder { folder in
            let watch = try FolderWatch()
            try watch.add(folder + "/pool", isDeep: true)
            try FileManager.default.removeItem(atPath: folder + "/pool")
            #expect(throws: UsageError.self) { try watch.changes(until: StopSignal()) }
            #expect(throws: UsageError.self) { try watch.add(folder + "/pool", isDeep: true) }
        }
    }

    @Test func `a link is told when it is made, and a hidden file when it is written`() throws {
        try withFolder { folder in
            let watch = try FolderWatch(), stop = StopSignal()
            try watch.add(folder, isDeep: false)
            try FileManager.default.createSymbolicLink(atPath: folder + "/m.yaml", withDestinationPath: ".v1")
            #expect(try watch.changes(until: stop)?.paths == ["\(folder)/m.yaml"])
            try write("\(folder)/.v1")
            #expect(try watch.changes(until: stop)?.paths == ["\(folder)/.v1"])
        }
    }

    @Test func `one that is watched only while it is there may go, and one behind a link be another`() throws {
        try withFolder { folder in
            let watch = try FolderWatch(), stop = StopSignal()
            for name in ["1", "2"] {
                try FileManager.default.createDirectory(atPath: "\(folder)/\(name)", withIntermediateDirectories: true)
            }
            try FileManager.default.createSymbolicLink(atPath: folder + "/current", withDestinationPath: "1")
            try watch.add(folder + "/current", isDeep: false)
            try watch.addIfThere(folder)
            try watch.addIfThere(folder + "/1")
            try watch.addIfThere(folder + "/none")
            try FileManager.default.createSymbolicLink(atPath: folder + "/new", withDestinationPath: "2")
            rename("\(folder)/new", to: "\(folder)/current")
            try FileManager.default.removeItem(atPath: folder + "/1")
            #expect(try watch.changes(until: stop)?.concern("\(folder)/current") == true)
            try write("\(folder)/2/s.yaml")
            #expect(try watch.changes(until: stop)?.concern("\(folder)/current/s.yaml") == true)
        }
    }

    @Test("So is one that was moved away")
    func movedAway() throws {
        try withFolder { folder in
            let watch = try FolderWatch()
            try watch.add(folder + "/pool", isDeep: true)
            try FileManager.default.moveItem(atPath: folder + "/pool", toPath: folder + "/pond")
            #expect(throws: UsageError.self) { try watch.changes(until: StopSignal()) }
        }
    }

    @Test("Who waits can be stopped")
    func stopped() throws {
        try withFolder { folder in
            let watch = try FolderWatch(), stop = StopSignal()
            try watch.add(folder, isDeep: true)
            stop.raise()
            #expect(try watch.changes(until: stop) == nil)
        }
    }
}
