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
                for folder in Set(bodies.union(WatchedFiles.linked(file)).map(WatchedFiles.folder)) {
                    try watch.addIfThere(folder)
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

/// Which scenario files a change concerns: those that changed, those that name a body file that did, and those whose
/// links lead elsewhere now.
struct WatchedFiles {
    private var bodies: [String: Set<String>] = [:]
    /// What a file really is, of those with a link on their way.
    private var targets: [String: String] = [:]

    mutating func note(_ bodyFiles: Set<String>, of file: String) {
        let path = WatchedFiles.standardized(file)
        bodies[path] = Set(bodyFiles.map(WatchedFiles.standardized))
        targets[path] = WatchedFiles.target(of: path)
    }

    func concerned(by changes: FolderChanges, among files: [String]) -> [String] {
        files.filter { file in
            let path = WatchedFiles.standardized(file)
            if changes.concern(path) || bodies[path, default: []].contains(where: changes.concern) { return true }
            guard let target = WatchedFiles.target(of: path) else { return false }
            return target != targets[path] || changes.concern(target)
        }
    }

    /// Nil for a file that is no link, and one that is not there.
    static func target(of path: String) -> String? {
        let target = URL(fileURLWithPath: path).resolvingSymlinksInPath().path
        return target == path || !FileManager.default.fileExists(atPath: target) ? nil : target
    }

    /// All links on the way to a file, and what it really is: where one of them changes, the file does.
    static func linked(_ file: String) -> Set<String> {
        var found: Set<String> = []
        var path = standardized(file)
        // The kernel follows so many.
        for _ in 0..<40 {
            guard let (link, further) = firstLink(in: path) else { break }
            found.insert(link)
            path = further
        }
        return found.union([path])
    }

    /// The first part of a path that is a link, and the path with that followed.
    private static func firstLink(in path: String) -> (link: String, further: String)? {
        var above = URL(fileURLWithPath: "/")
        let parts = path.split(separator: "/").map(String.init)
        for (index, part) in parts.enumerated() {
            let place = above.appendingPathComponent(part)
            if let target = try? FileManager.default.destinationOfSymbolicLink(atPath: place.path) {
                let rest = parts[(index + 1)...].reduce(URL(fileURLWithPath: target, relativeTo: above)) {
                    $0.appendingPathComponent($1)
                }
                return (place.path, standardized(rest.path))
            }
            above = place
        }
        return nil
    }

    /// Absolute and without dots, as events name it.
    static func standardized(_ path: String) -> String { URL(fileURLWithPath: path).standardizedFileURL.path }

    static func folder(of file: String) -> String {
        URL(fileURLWithPath: file).standardizedFileURL.deletingLastPathComponent().path
    }
}
