import HTTPBasics

/// A target with captures: `/items/{id}`, `/files/{name}.json`, `/files/{rest*}`.
///
/// A capture stands for a part of one segment, at least a character of it; the last one, with a `*`, for all that is
/// left of the path. All else is compared as sent.
package struct PathPattern: Hashable, Sendable {
    private struct Segment: Hashable, Sendable {
        var prefix: [UInt8]
        /// Nil for a segment that is written out.
        var name: String?
        var suffix: [UInt8] = []
    }

    private var segments: [Segment] = []
    /// The name of the capture that takes what is left.
    private var rest: String?
    /// With its question mark; nil where the pattern has none.
    private let query: String?

    /// Nil for a target without captures; the mistakes of one that has some are `objection`'s.
    package init?(_ target: String) {
        guard target.utf8.first == 0x2f, target.utf8.contains(0x7b), PathPattern.objection(to: target) == nil else {
            return nil
        }
        let (path, query) = PathPattern.divided(target)
        guard path.utf8.contains(0x7b) else { return nil }
        self.query = query.map(String.init)
        for text in path.dropFirst().utf8.split(separator: 0x2f, omittingEmptySubsequences: false) {
            let segment = PathPattern.segment(text)
            guard segment.name?.last == "*" else {
                segments.append(segment)
                continue
            }
            rest = segment.name.map { String($0.dropLast()) }
        }
    }

    /// In the order of the path.
    package var names: [String] { segments.compactMap(\.name) + [rest].compactMap(\.self) }

    static func divided(_ target: String) -> (path: Substring, query: Substring?) {
        guard let mark = target.utf8.firstIndex(of: 0x3f) else { return (target[...], nil) }
        return (target[..<mark], target[mark...])
    }

    private static func segment(_ text: Substring.UTF8View.SubSequence) -> Segment {
        guard let open = text.firstIndex(of: 0x7b), let close = text.lastIndex(of: 0x7d), open < close else {
            return Segment(prefix: Array(text))
        }
        let name = String(decoding: text[text.index(after: open)..<close], as: UTF8.self)
        return Segment(prefix: Array(text[..<open]), name: name, suffix: Array(text[text.index(after: close)...]))
    }

    /// What is wrong with the braces of a target.
    package static func objection(to target: String) -> Objection? {
        let path = divided(target).path
        guard path.utf8.contains(where: { $0 == 0x7b || $0 == 0x7d }) else { return nil }
        var names: Set<String> = []
        let segments = path.utf8.split(separator: 0x2f, omittingEmptySubsequences: false)
        for (index, text) in segments.enumerated() {
            guard text.contains(where: { $0 == 0x7b || $0 == 0x7d }) else { continue }
            let segment = segment(text)
            let remedy = "such as /items/{id}, or /files/{rest*} at the end"
            guard var name = segment.name, text.count(where: { $0 == 0x7b || $0 == 0x7d }) == 2 else {
                return Objection("a segment of a path has one capture in braces", remedy: remedy)
            }
            if name.last == "*" {
                name.removeLast()
                guard index == segments.count - 1, segment.prefix.isEmpty, segment.suffix.isEmpty else {
                    return Objection("'{\(name)*}' takes all that is left: it is the last segment", remedy: remedy)
                }
            }
            let isName =
                ASCII.isLetter(name.utf8.first ?? 0)
                && name.utf8.allSatisfy { ASCII.isLetter($0) || ASCII.isDigit($0) || $0 == 0x5f || $0 == 0x2d }
            guard isName else {
                return Objection(
                    "'\(name)' cannot be the name of a capture", remedy: "a letter, then letters, digits, '-', '_'")
            }
            guard names.insert(name).inserted else {
                return Objection("two captures are called '\(name)'", remedy: "give each a name of its own")
            }
        }
        return nil
    }

    // MARK: - Matching

    /// - Parameter anyQuery: The query is judged elsewhere.
    package func matches(_ target: String, anyQuery: Bool = false) -> Bool {
        walk(target, anyQuery) { _, _ in }
    }

    /// What the captures stand for, percent-decoded; nil for a target that does not match.
    package func captures(in target: String, anyQuery: Bool = false) -> [(name: String, value: String)]? {
        var found: [(name: String, value: String)] = []
        let isMatch = walk(target, anyQuery) { name, bytes in
            found.append((name, PercentEncoding.decoded(bytes)))
        }
        return isMatch ? found : nil
    }

    private typealias Bytes = UnsafeBufferPointer<UInt8>.SubSequence

    private func walk(_ target: String, _ anyQuery: Bool, _ take: (String, Bytes) -> Void) -> Bool {
        var target = target
        return target.withUTF8 { walk($0[...], anyQuery, take) }
    }

    private func walk(_ target: Bytes, _ anyQuery: Bool, _ take: (String, Bytes) -> Void) -> Bool {
        let path = target.prefix { $0 != 0x3f }
        guard path.first == 0x2f else { return false }
        if !anyQuery, !target[path.endIndex...].elementsEqual((query ?? "").utf8) { return false }
        var left = path.dropFirst()
        for (index, segment) in segments.enumerated() {
            let end = left.firstIndex(of: 0x2f)
            let text = left[..<(end ?? left.endIndex)]
            guard fits(text, segment) else { return false }
            if let name = segment.name {
                let value = text.dropFirst(segment.prefix.count).dropLast(segment.suffix.count)
                take(name, value)
            }
            let isLast = index == segments.count - 1 && rest == nil
            guard let end else {
                // Nothing is left, not even the slash before it.
                return isLast
            }
            if isLast { return false }
            left = left[left.index(after: end)...]
        }
        if let rest { take(rest, left) }
        return true
    }

    private func fits(_ text: Bytes, _ segment: Segment) -> Bool {
        guard segment.name != nil else { return text.elementsEqual(segment.prefix) }
        return text.count > segment.prefix.count + segment.suffix.count && text.starts(with: segment.prefix)
            && text.suffix(segment.suffix.count).elementsEqual(segment.suffix)
    }
}
