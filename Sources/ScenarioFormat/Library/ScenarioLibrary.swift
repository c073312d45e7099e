import Foundation

/// All scenario files below a folder, sorted by id.
package struct ScenarioLibrary: Sendable {
    package struct Entry: Hashable, Sendable {
        package let id: String
        package let path: String
    }

    /// Folders nested deeper than this, or more files, are a mistake.
    private static let maximumFiles = 20_000

    package let root: String
    package let entries: [Entry]

    /// Looks for `*.yaml` below `root`; hidden files and folders are skipped. Nil when there is no such folder.
    package init?(root: String) {
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: root, isDirectory: &isFolder), isFolder.boolValue,
            let walk = FileManager.default.enumerator(atPath: root)
        else { return nil }
        var entries: [Entry] = []
        while let path = walk.nextObject() as? String, entries.count < ScenarioLibrary.maximumFiles {
            if path.split(separator: "/").last?.hasPrefix(".") == true { walk.skipDescendants() }
            let isHidden = path.split(separator: "/").contains { $0.hasPrefix(".") }
            guard path.hasSuffix(".yaml"), !isHidden else { continue }
            entries.append(Entry(id: ScenarioLibrary.id(path), path: root + "/" + path))
        }
        self.root = root
        self.entries = entries.sorted { $0.id < $1.id }
    }

    /// The path without its ending.
    package static func id(_ path: String) -> String { path.hasSuffix(".yaml") ? String(path.dropLast(5)) : path }

    /// `path` seen from `root`; nil when it lies elsewhere.
    package static func relativePath(of path: String, below root: String) -> String? {
        let file = URL(fileURLWithPath: path).standardizedFileURL.path
        let folder = URL(fileURLWithPath: root).standardizedFileURL.path
        let prefix = folder.hasSuffix("/") ? folder : folder + "/"
        return file.hasPrefix(prefix) ? String(file.dropFirst(prefix.count)) : nil
    }

    /// The folder that a file's id is relative to; for a file that lies in no `scenarios` folder any id will do.
    package static func root(around path: String) -> String {
        let parts = path.split(separator: "/", omittingEmptySubsequences: false)
        guard let index = parts.lastIndex(of: "scenarios") else { return path }
        return parts[...index].joined(separator: "/")
    }

    /// The files that may hold a case that one of the patterns means; all of them without patterns.
    package func files(matching patterns: [ScenarioPattern]) -> [Entry] {
        guard !patterns.isEmpty else { return entries }
        return entries.filter { entry in patterns.contains { $0.mayMatch(fileID: entry.id) } }
    }
}

extension Scenario {
    /// The case of this name; without a name the first.
    package func chosenCase(_ name: String?) -> ScenarioCase? { cases.first { name == nil || $0.name == name } }

    /// The id of one of its cases: the scenario's own, with the case's name if it has one.
    package func id(of scenarioCase: ScenarioCase) -> String {
        scenarioCase.name.map { "\(id)/\($0)" } ?? id
    }
}
