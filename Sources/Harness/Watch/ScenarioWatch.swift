import Foundation
import Judge
import Serving

/// Visits scenario files, and again those that change, until it is told to stop.
package final class ScenarioWatch {
    private let watch: FolderWatch
    private let stop: StopSignal
    private var files = WatchedFiles()

    /// Watches all below `folders`, and the folders of `files` without what is below them.
    ///
    /// - Throws: `UsageError` when one of them cannot be watched.
    package init(folders: [String], files: [String] = [], stop: StopSignal) throws {
        watch = try FolderWatch()
        self.stop = stop
        for folder in folders { try watch.add(WatchedFiles.standardized(folder), isDeep: true) }
        for file in files { try watch.add(WatchedFiles.folder(of: file), isDeep: false) }
    }

    /// Visits all files that `list` gives, then those of them that change.
    ///
    /// - Parameters:
    ///   - list: The paths of the scenario files that there are now.
    ///   - visit: Does something with files, and returns which body files each of them names.
    ///   - wait: Called each time before it waits.
    package func run(
        list: () throws -> [String], visit: ([String]) throws -> [String: Set<String>], wait: () -> Void
    ) throws {
        var concerned = try list()
        while true {
            for (file, bodies) in try visit(concerned) {
                files.note(bodies, of: file)
                for folder in Set(bodies.map(WatchedFiles.folder)) where FileManager.default.fileExists(atPath: folder)
                {
                    try watch.add(folder, isDeep: false)
                }
            }
            if stop.isRaised { return }
            wait()
            repeat {
                guard let changes = try watch.changes(until: stop) else { return }
                concerned = files.concerned(by: changes, among: try list())
            } while concerned.isEmpty
        }
    }
}

/// Which scenario files a change concerns: those that changed, and those that name a body file that did.
struct WatchedFiles {
    private var bodies: [String: Set<String>] = [:]

    mutating func note(_ bodyFiles: Set<String>, of file: String) {
        bodies[WatchedFiles.standardized(file)] = Set(bodyFiles.map(WatchedFiles.standardized))
    }

    func concerned(by changes: FolderChanges, among files: [String]) -> [String] {
        files.filter { file in
            let path = WatchedFiles.standardized(file)
            return changes.concern(path) || bodies[path, default: []].contains(where: changes.concern)
        }
    }

    /// Absolute and without dots, as events name it.
    static func standardized(_ path: String) -> String { URL(fileURLWithPath: path).standardizedFileURL.path }

    static func folder(of file: String) -> String {
        URL(fileURLWithPath: file).standardizedFileURL.deletingLastPathComponent().path
    }
}
