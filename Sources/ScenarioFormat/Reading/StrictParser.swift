import ServerScript
import Yams

/// YAML text to nodes, without YAML's traps: no anchors, tags, merge keys, several documents, duplicate keys or tabs.
///
/// Yams does the parsing; what it would swallow is found here, with its position.
struct StrictParser {
    /// Deeper files are refused, so that no recursion over nodes can exhaust the stack.
    static let maximumDepth = 20
    /// Aliases are refused one by one, but an exponential tangle of them would hang the parser before that.
    private static let maximumAliases = 16

    private let source: SourceText
    private let log: DiagnosticLog
    private var renamed: [RenamedKey] = []

    /// A key whose first character was replaced to get a file with duplicate keys through Yams.
    private struct RenamedKey {
        var mark: SourceMark
        var original: String
    }

    init(source: SourceText, log: DiagnosticLog) {
        self.source = source
        self.log = log
    }

    /// The root of the only document; nil when there is nothing to decode.
    mutating func parse() -> SourceNode? {
        guard hasReadableText() else { return nil }
        guard let root = compose() else { return nil }
        return convert(root, depth: 1)
    }

    // MARK: - Before parsing

    private func hasReadableText() -> Bool {
        guard source.text.utf8.count <= SourceText.maximumBytes else {
            return refuse("the file is larger than 256 KiB", at: source.mark(1, 1))
        }
        var line = 1, column = 1, aliases = 0
        var hasAnchor = false
        var previous: Unicode.Scalar = "\n"
        for scalar in source.text.unicodeScalars {
            if let problem = problem(with: scalar, after: previous, line: line, column: column) {
                return refuse(problem, at: source.mark(line, column))
            }
            let startsToken = " \n[{,".unicodeScalars.contains(previous)
            if startsToken, scalar == "&" { hasAnchor = true }
            if startsToken, scalar == "*" { aliases += 1 }
            if hasAnchor, aliases > StrictParser.maximumAliases {
                return refuse("anchors and aliases are not part of the format", at: source.mark(line, column))
            }
            (line, column) = scalar == "\n" ? (line + 1, 1) : (line, column + 1)
            previous = scalar
        }
        // A carriage return at the very end has nothing after it to be judged by.
        return previous != "\r" || refuse("a carriage return outside a line end", at: source.mark(line, column))
    }

    private func problem(
        with scalar: Unicode.Scalar, after previous: Unicode.Scalar, line: Int, column: Int
    ) -> String? {
        switch scalar {
        case "\t": return "a tab: indent with spaces, and write \\t inside double quotes"
        case "\u{85}", "\u{2028}", "\u{2029}": return "an exotic line separator: write \\n inside double quotes"
        case "\u{FEFF}": return "a byte-order mark: save the file as plain UTF-8"
        case "%" where line == 1 && column == 1: return "YAML directives are not part of the format"
        case _ where previous == "\r" && scalar != "\n": return "a carriage return outside a line end"
        default: return nil
        }
    }

    private func refuse(_ message: String, at mark: SourceMark) -> Bool {
        log.add(.error, message, at: mark, length: 1)
        return false
    }

    private func fail<Value>(_ message: String, at mark: SourceMark) -> Value? {
        log.add(.error, message, at: mark, length: 1)
        return nil
    }

    // MARK: - Parsing

    /// Yams reports one duplicate key by the mark of its first occurrence and gives up. That occurrence is renamed
    /// and the text parsed again, until the tree shows where the other occurrences are.
    private mutating func compose() -> Node? {
        var text = source.text
        for stand in standIns() {
            do {
                // The parser keeps anchors alive that nodes refer to weakly; their marks are all we need.
                let parser = try Parser(yaml: text, resolver: .basic, encoding: .utf8)
                guard let root = try parser.singleRoot() else {
                    return fail("the file is empty", at: source.mark(1, 1))
                }
                return root
            } catch YamlError.duplicatedKeysInMapping(let names, let context) {
                let mark = source.mark(context.mark.line, context.mark.column)
                guard let name = names.first, let next = renaming(keyAt: mark, in: text, to: stand) else {
                    return fail("duplicate key '\(names.first ?? "")'", at: mark)
                }
                renamed.append(RenamedKey(mark: mark, original: name))
                text = next
            } catch {
                report(error)
                return nil
            }
        }
        return fail("too many duplicate keys", at: source.mark(1, 1))
    }

    /// Characters that the text does not hold, one for each duplicate key that will be put up with.
    private func standIns() -> [Unicode.Scalar] {
        let present = Set(source.text.unicodeScalars)
        let privateUse = (0xE000...0xF8FF as ClosedRange<UInt32>).lazy.compactMap(Unicode.Scalar.init)
        return Array(privateUse.filter { !present.contains($0) }.prefix(DiagnosticLog.limit + 1))
    }

    /// The text with the first character of one key replaced, so that no column moves.
    private func renaming(keyAt mark: SourceMark, in text: String, to stand: Unicode.Scalar) -> String? {
        guard let first = source.scalar(at: mark), !renamed.contains(where: { $0.mark == mark }) else { return nil }
        let isQuoted = first == "\"" || first == "'"
        let target = isQuoted ? source.mark(mark.line, mark.column + 1) : mark
        guard let replaced = source.scalar(at: target), replaced != first || !isQuoted, replaced != "\n",
            replaced != ":", replaced != "\\"
        else { return nil }
        var line = 1, column = 1
        var result = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            result.append(line == target.line && column == target.column ? stand : scalar)
            (line, column) = scalar == "\n" ? (line + 1, 1) : (line, column + 1)
        }
        return String(result)
    }

    private func report(_ error: any Error) {
        switch error {
        case YamlError.scanner(let context, let problem, let mark, _),
            YamlError.parser(let context, let problem, let mark, _):
            // The problem of an unclosed bracket or quote is noticed far below; its beginning is what helps.
            let place = context.map { " \($0.text) that begins in line \($0.mark.line)" } ?? ""
            let remedy = StrictParser.remedy(for: problem + place)
            log.add(
                .error, "not YAML: \(problem)\(place)", at: source.mark(mark.line, mark.column), length: 1,
                remedy: remedy)
        case YamlError.composer(_, let problem, let mark, _):
            let place = source.mark(mark.line, mark.column)
            let message =
                problem.contains("alias")
                ? "anchors and aliases are not part of the format" : "one file holds one document"
            log.add(.error, message, at: place, length: 1)
        case YamlError.reader(let problem, let offset, _, _):
            log.add(.error, "not YAML: \(problem)", at: mark(atOffset: offset ?? 0), length: 1)
        default:
            log.add(.error, "not YAML", at: source.mark(1, 1), length: 1)
        }
    }

    /// What mostly leads to a complaint of the parser.
    private static func remedy(for complaint: String) -> String? {
        if complaint.contains("cannot start any token") { return "quote text that begins with this character" }
        if complaint.contains("quoted scalar") { return "close the quotes" }
        if complaint.contains(" flow ") { return "close it, or quote text that has one of , : { } [ ] in it" }
        if complaint.contains(" block ") { return "begin it in the column of the lines above it" }
        return nil
    }

    private func mark(atOffset offset: Int) -> SourceMark {
        var line = 1, column = 1
        for character in source.text.prefix(offset) {
            (line, column) = character.isNewline ? (line + 1, 1) : (line, column + 1)
        }
        return source.mark(line, column)
    }

    // MARK: - Nodes

    private func convert(_ node: Node, depth: Int) -> SourceNode {
        let mark = node.mark.map { source.mark($0.line, $0.column) } ?? source.mark(1, 1)
        if let refusal = refusal(at: mark) {
            log.add(.error, refusal, at: mark, length: 1)
            return .broken(at: mark)
        }
        guard depth <= StrictParser.maximumDepth else {
            log.add(.error, "nested deeper than \(StrictParser.maximumDepth) levels", at: mark, length: 1)
            return .broken(at: mark)
        }
        switch node {
        case .scalar(let scalar): return convert(scalar, at: mark)
        case .sequence(let sequence):
            return SourceNode(.sequence(sequence.map { convert($0, depth: depth + 1) }), mark: mark)
        case .mapping(let mapping):
            return SourceNode(.mapping(entries(of: mapping, depth: depth)), mark: mark)
        case .alias:
            log.add(.error, "anchors and aliases are not part of the format", at: mark, length: 1)
            return .broken(at: mark)
        }
    }

    /// Tags and anchors stand in front of what they belong to, so the node's own mark points at them.
    private func refusal(at mark: SourceMark) -> String? {
        switch source.scalar(at: mark) {
        case "!": return "tags are not part of the format"
        case "&", "*": return "anchors and aliases are not part of the format"
        default: return nil
        }
    }

    private func convert(_ scalar: Node.Scalar, at mark: SourceMark) -> SourceNode {
        let text = scalar.string
        guard scalar.style == .plain || scalar.style == .any else {
            let length = source.scalarLength(at: mark, text: text)
            return SourceNode(.scalar(text, isPlain: false), mark: mark, length: length)
        }
        guard !text.isEmpty, text != "~", text != "null" else {
            let remedy = "write \"\" for an empty text"
            log.add(.error, "no value here", at: mark, length: max(1, text.count), remedy: remedy)
            return .broken(at: mark)
        }
        let length = source.scalarLength(at: mark, text: text)
        return SourceNode(.scalar(text, isPlain: true), mark: mark, length: length)
    }

    private func entries(of mapping: Node.Mapping, depth: Int) -> [SourceNode.Entry] {
        var entries: [SourceNode.Entry] = []
        for (key, value) in mapping {
            let keyNode = convert(key, depth: depth + 1)
            guard var name = keyNode.scalar else {
                if !keyNode.isBroken { log.error("a key must be a word, not \(keyNode.summary)", at: keyNode) }
                continue
            }
            if let renaming = renamed.first(where: { $0.mark == keyNode.mark }) { name = renaming.original }
            if name == "<<", keyNode.plain != nil {
                log.error("merge keys are not part of the format", at: keyNode)
                continue
            }
            if let first = entries.first(where: { $0.key == name }) {
                log.error("duplicate key '\(name)' (first in line \(first.keyNode.mark.line))", at: keyNode)
                continue
            }
            let converted = convert(value, depth: depth + 1)
            entries.append(SourceNode.Entry(key: name, keyNode: keyNode, value: converted))
        }
        return entries
    }
}
