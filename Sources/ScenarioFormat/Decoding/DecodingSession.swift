import Foundation
import ServerScript

/// What all parts of one file's decoding share: the log, and which keys were asked for.
final class DecodingSession {
    let log: DiagnosticLog
    /// Folder that `file:` bodies are read from; nil when the text came from nowhere.
    let folder: String?
    /// Files that bodies are read from, or would be if they were there; as written, and with symbolic links resolved.
    private(set) var bodyFiles: Set<String> = []
    /// Of the file's cases, those among them that are not decoded.
    var caseNames: [String] = []
    /// What the file says that its machine must have libraries for.
    var codings: [SystemCoding] = []
    /// For the test that the decoder asks for exactly the keys of the table.
    private(set) var asked: [KeyContext: Set<String>] = [:]

    init(log: DiagnosticLog, folder: String? = nil) {
        self.log = log
        self.folder = folder
    }

    /// What lies outside the folder is not read, and not waited for either.
    func noteBodyFile(_ path: String) {
        guard let folder else { return }
        let root = URL(fileURLWithPath: folder, isDirectory: true)
        let file = root.appendingPathComponent(path)
        for (root, file) in [
            (root.standardizedFileURL, file.standardizedFileURL),
            (root.resolvingSymlinksInPath(), file.resolvingSymlinksInPath()),
        ] where file.path.hasPrefix(root.path + "/") {
            bodyFiles.insert(file.path)
        }
    }

    func note(_ key: String, in context: KeyContext) { asked[context, default: []].insert(key) }

    // MARK: - Scalars

    /// Words that YAML readers take for something else than text.
    private static let traps: Set<String> = ["yes", "no", "on", "off", "true", "false"]

    /// Text, quoted or not; a plain `yes`, `off` or `true` is refused, because other readers see no text there.
    func text(_ node: SourceNode, what: String = "text") -> String? {
        guard let text = node.scalar else { return wrong(node, expected: what) }
        if let plain = node.plain, DecodingSession.traps.contains(plain.lowercased()) {
            log.error("'\(plain)' where \(what) is expected", at: node, remedy: "quote it if text is meant")
            return nil
        }
        return text
    }

    /// A name of the author's choice.
    func label(_ node: SourceNode, what: String = "a name") -> String? {
        guard let text = text(node, what: what) else { return nil }
        let isName = text.utf8.count <= 64 && Variables.isName(text)
        guard isName else {
            log.error("'\(text)' cannot be a name", at: node, remedy: "a letter, then letters, digits, '-' and '_'")
            return nil
        }
        return text
    }

    func word(_ node: SourceNode, among words: [String]) -> String? {
        let list = words.joined(separator: ", ")
        guard let text = text(node, what: words.count == 1 ? "'\(list)'" : "one of \(list)") else { return nil }
        guard words.contains(text) else {
            if let reason = KeyTable.plannedWords[text] {
                log.error("'\(text)' is not yet supported: \(reason)", at: node)
                return nil
            }
            log.error("unknown word '\(text)'", at: node, remedy: Suggestion.remedy(for: text, among: words))
            return nil
        }
        return text
    }

    func yesNo(_ node: SourceNode) -> Bool? {
        switch node.plain {
        case "yes": return true
        case "no": return false
        default: return wrong(node, expected: "yes or no")
        }
    }

    func count(_ node: SourceNode, in range: ClosedRange<Int> = 0...Int(Int32.max)) -> Int? {
        guard let value = quantity(node, "a number", Quantities.integer) else { return nil }
        guard range.contains(value) else {
            log.error("\(value) is not between \(range.lowerBound) and \(range.upperBound)", at: node)
            return nil
        }
        return value
    }

    func bytes(_ node: SourceNode) -> Int? {
        quantity(node, "a number of bytes") { Quantities.size($0, allowsBare: true) }
    }

    func size(_ node: SourceNode) -> Int? {
        quantity(node, "a size") { Quantities.size($0, allowsBare: false) }
    }

    func duration(_ node: SourceNode) -> Duration? { quantity(node, "a duration", Quantities.duration) }

    func rate(_ node: SourceNode) -> Int? { quantity(node, "a rate", Quantities.rate) }

    func percent(_ node: SourceNode) -> Int? { quantity(node, "a percentage", Quantities.percent) }

    private func quantity<Value>(
        _ node: SourceNode, _ what: String, _ read: (String) -> Quantities.Parsed<Value>
    ) -> Value? {
        guard let text = node.scalar else { return wrong(node, expected: what) }
        switch read(text) {
        case .value(let value): return value
        case .wrong(let reason):
            log.error("'\(text)' \(reason)", at: node)
            return nil
        }
    }

    // MARK: - Lists

    func list(_ node: SourceNode, of what: String) -> [SourceNode] {
        if let items = node.items { return items }
        let none: [SourceNode]? = wrong(
            node, expected: "a list of \(what)", remedy: "write '- ' before each, or [ ] around all")
        return none ?? []
    }

    /// A list, or one item in its place.
    func oneOrMore(_ node: SourceNode) -> [SourceNode] { node.items ?? [node] }

    /// A list in the list, from a variable, is its entries.
    func spliced(_ nodes: [SourceNode]) -> [SourceNode] {
        nodes.flatMap { $0.variable == nil ? [$0] : $0.items.map(spliced) ?? [$0] }
    }

    func texts(_ node: SourceNode, of what: String) -> [String] {
        list(node, of: what).compactMap { text($0) }
    }

    /// Reports what stands in the wrong place, unless that has been done.
    func wrong<Value>(_ node: SourceNode, expected: String, remedy: String? = nil) -> Value? {
        if !node.isBroken { log.error("expected \(expected), not \(node.summary)", at: node, remedy: remedy) }
        return nil
    }

    // MARK: - Maps

    /// Opens a map; unknown keys and missing ones are reported here. Nil when it is no map at all.
    func map(_ node: SourceNode, _ context: KeyContext, openTo extra: [String]? = nil) -> MappingReader? {
        guard let entries = node.entries else {
            return wrong(
                node, expected: "a map for \(context.phrase)", remedy: "such as \(KeyTable.example(of: context))")
        }
        let reader = MappingReader(context: context, node: node, entries: entries, session: self)
        reader.checkKeys(openTo: extra)
        return reader
    }
}
