import ServerScript

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

// MARK: - Patterns that mean nothing

extension ScenarioPattern {
    /// Complains of the first pattern that means none of `ids`: that is a mistake, never silently an empty choice.
    /// `known` are the ids that it may be a misspelling of.
    package static func complaint(
        of patterns: [ScenarioPattern], meaning ids: [String], among known: [String]
    ) -> String? {
        guard let lost = patterns.first(where: { pattern in !ids.contains(where: pattern.matches) }) else { return nil }
        let remedy = lost.nearest(among: known).map { "did you mean '\($0)'?" } ?? "'understudy list' prints all ids"
        return "no case is meant by '\(lost)'; \(remedy)"
    }

    /// What was probably meant: an id that has the pattern behind its topic, or the pattern mended part by part.
    private func nearest(among known: [String]) -> String? {
        guard !isGlob, !description.isEmpty else { return nil }
        let known = known.sorted()
        if let id = known.first(where: { $0.contains("/" + description) }) { return id }
        var mended: [String] = []
        var rest = known.map { $0.split(separator: "/").map(String.init)[...] }
        for part in description.split(separator: "/").map(String.init) {
            let names = Array(Set(rest.compactMap(\.first)))
            let isBeginning = names.contains { $0.hasPrefix(part) }
            guard let name = isBeginning ? part : Suggestion.nearest(to: part, among: names) else { break }
            mended.append(name)
            rest = rest.filter { $0.first == name }.map { $0.dropFirst() }
        }
        return mended.isEmpty ? nil : mended.joined(separator: "/")
    }
}
