import Foundation

/// All scenario files below a folder, sorted by id.
package struct ScenarioLibrary: Sendable {
    package struct Entry: Hashable, Sendable {
        package let id: String
        package let path: String
    }

    /// Folders nested deeper than this, or more files, are somebody's mistake.
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
    static func relativePath(of path: String, below root: String) -> String? {
        let file = URL(fileURLWithPath: path).standardizedFileURL.path
        let folder = URL(fileURLWithPath: root).standardizedFileURL.path
        let prefix = folder.hasSuffix("/") ? folder : folder + "/"
        return file.hasPrefix(prefix) ? String(file.dropFirst(prefix.count)) : nil
    }

    /// The files that may hold a case that one of the patterns means; all of them without patterns.
    package func files(matching patterns: [ScenarioPattern]) -> [Entry] {
        guard !patterns.isEmpty else { return entries }
        return entries.filter { entry in patterns.contains { $0.mayMatch(fileID: entry.id) } }
    }
}

/// A choice of scenarios or cases: `redirect/*`, `**/timeout*`, or the beginning of an id.
package struct ScenarioPattern: Hashable, Sendable, CustomStringConvertible {
    package let description: String
    private let parts: [[UInt8]]
    private var isGlob: Bool { description.contains("*") || description.contains("?") }

    package init(_ text: String) {
        description = text
        parts = text.split(separator: "/").map { Array($0.utf8) }
    }

    /// Whether this id of a scenario or of a case is meant. In a glob, `*` and `?` stay within one part of the path,
    /// and `**` is any number of parts; what matches a scenario matches its cases.
    package func matches(_ id: String) -> Bool {
        guard isGlob else { return id.hasPrefix(description) }
        let names = id.split(separator: "/").map { Array($0.utf8) }
        return (1...max(1, names.count)).contains { matches(parts[...], names.prefix($0)) }
    }

    /// Whether the file may hold a case that is meant.
    package func mayMatch(fileID: String) -> Bool {
        if matches(fileID) { return true }
        guard isGlob else { return description.hasPrefix(fileID + "/") }
        let names = fileID.split(separator: "/").map { Array($0.utf8) }
        return parts.indices.contains { matches(parts.prefix($0), names[...]) }
    }

    private func matches(_ parts: ArraySlice<[UInt8]>, _ names: ArraySlice<[UInt8]>) -> Bool {
        guard let part = parts.first else { return names.isEmpty }
        if part == Array("**".utf8) {
            return (0...names.count).contains { matches(parts.dropFirst(), names.dropFirst($0)) }
        }
        guard let name = names.first, ScenarioPattern.matches(part[...], name[...]) else { return false }
        return matches(parts.dropFirst(), names.dropFirst())
    }

    /// `*` and `?` within one part.
    private static func matches(_ pattern: ArraySlice<UInt8>, _ name: ArraySlice<UInt8>) -> Bool {
        // The usual greedy match: on failure, let the last star take one more character.
        var patternIndex = pattern.startIndex, nameIndex = name.startIndex
        var star: (pattern: Int, name: Int)?
        while nameIndex < name.endIndex {
            let byte = patternIndex < pattern.endIndex ? pattern[patternIndex] : nil
            if byte == UInt8(ascii: "*") {
                star = (patternIndex, nameIndex)
                patternIndex += 1
            } else if let byte, byte == UInt8(ascii: "?") || byte == name[nameIndex] {
                patternIndex += 1
                nameIndex += 1
            } else if let last = star {
                patternIndex = last.pattern + 1
                nameIndex = last.name + 1
                star = (last.pattern, last.name + 1)
            } else {
                return false
            }
        }
        return pattern[patternIndex...].allSatisfy { $0 == UInt8(ascii: "*") }
    }
}

extension Scenario {
    /// The id of one of its cases: the scenario's own, with the case's name if it has one.
    package func id(of scenarioCase: ScenarioCase) -> String {
        scenarioCase.name.map { "\(id)/\($0)" } ?? id
    }
}
