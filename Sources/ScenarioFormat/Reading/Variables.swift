import ServerScript

/// Replaces `$name` by the values of one case, before anything is decoded.
///
/// A plain scalar that is exactly `$name` becomes the variable's whole node, map and list included; inside other text
/// the variable must be a scalar. `$$` is a dollar sign. `$origin`, `$origin.host`, `$$origin` and words for what a
/// request brings, such as `$path.id`, are left for the server.
struct Variables {
    /// Substitution multiplies nodes; a case that grows beyond this is refused.
    static let maximumWeight = 50_000

    private let log: DiagnosticLog
    private let caseName: String?
    private var values: [String: SourceNode] = [:]
    private(set) var used: Set<String> = []

    init(log: DiagnosticLog, caseName: String? = nil) {
        self.log = log
        self.caseName = caseName
    }

    /// Names a variable; its value may use those defined before it.
    mutating func define(_ name: String, _ node: SourceNode) {
        var value = resolve(node)
        value.variable = name
        values[name] = value
    }

    /// The node with every variable replaced. What cannot be replaced is reported and broken.
    mutating func resolve(_ node: SourceNode) -> SourceNode {
        let result = replaced(node)
        guard result.weight <= Variables.maximumWeight else {
            log.error("variables make this larger than \(Variables.maximumWeight) values", at: node)
            return .broken(at: node.mark)
        }
        guard result.height <= StrictParser.maximumDepth else {
            log.error("variables nest this deeper than \(StrictParser.maximumDepth) levels", at: node)
            return .broken(at: node.mark)
        }
        return result
    }

    private mutating func replaced(_ node: SourceNode) -> SourceNode {
        switch node.content {
        case .broken: return node
        case .sequence(let items):
            return SourceNode(.sequence(items.map { replaced($0) }), mark: node.mark, length: node.length)
        case .mapping(let entries):
            let replacedEntries = entries.map { entry in
                SourceNode.Entry(key: entry.key, keyNode: entry.keyNode, value: replaced(entry.value))
            }
            return SourceNode(.mapping(replacedEntries), mark: node.mark, length: node.length)
        case .scalar(let text, let isPlain):
            guard text.utf8.contains(UInt8(ascii: "$")) else { return node }
            return replaced(text, isPlain: isPlain, in: node)
        }
    }

    private mutating func replaced(_ text: String, isPlain: Bool, in node: SourceNode) -> SourceNode {
        let pieces = Variables.pieces(of: text)
        if isPlain, pieces.count == 1, case .variable(let name) = pieces[0] {
            guard let value = value(of: name, in: node) else { return .broken(at: node.mark) }
            return value
        }
        var result = ""
        for piece in pieces {
            switch piece {
            case .text(let text): result += text
            case .variable(let name):
                guard let value = value(of: name, in: node), !value.isBroken else { return .broken(at: node.mark) }
                guard let text = value.scalar else {
                    log.error("$\(name) is \(value.summary) and cannot stand inside text", at: node)
                    return .broken(at: node.mark)
                }
                // A dollar sign before it is one in any text: the server asks for two of them.
                if Variables.isServers(text) { result += String(repeating: "$", count: result.trailingDollars) }
                result += text
            }
            guard result.utf8.count <= SourceText.maximumBytes else {
                log.error("variables make this text larger than 256 KiB", at: node)
                return .broken(at: node.mark)
            }
        }
        return SourceNode(.scalar(result, isPlain: isPlain), mark: node.mark, length: node.length)
    }

    private mutating func value(of name: String, in node: SourceNode) -> SourceNode? {
        used.insert(name)
        if let value = values[name] { return value }
        if let words = TemplateWord.completions(of: name) {
            let remedy = "there is \(words.map { "$\(name).\($0)" }.joined(separator: ", "))"
            log.error("$\(name) stands for nothing with what follows it here", at: node, remedy: remedy)
            return nil
        }
        let message = "variable $\(name) is not set"
        // What is missing in one case is mostly missing in all: once is enough.
        guard !log.hasMessage(startingWith: message, at: node.mark) else { return nil }
        let place = caseName.map { " in case '\($0)'" } ?? ""
        let nearest = Suggestion.nearest(to: name, among: Array(values.keys))
        let remedy = nearest.map { "did you mean $\($0)?" } ?? "set it under 'vars:' or in every row of 'cases:'"
        log.error(message + place, at: node, remedy: remedy)
        return nil
    }

    // MARK: - Text

    enum Piece: Equatable {
        case text(String)
        case variable(String)
    }

    /// Cuts text at its variables. A dollar sign before anything but a letter is just a dollar sign.
    static func pieces(of text: String) -> [Piece] {
        var pieces: [Piece] = []
        var pending = String.UnicodeScalarView()
        var rest = text.unicodeScalars[...]
        while let scalar = rest.popFirst() {
            guard scalar == "$" else {
                pending.append(scalar)
                continue
            }
            let more = rest.prefix { $0 == "$" }
            rest = rest[more.endIndex...]
            let dollars = more.count + 1
            let name = nameAtStart(of: rest)
            let isServers = name == "origin" || TemplateWord.read(rest) != nil
            pending += repeatElement(scalar, count: isServers ? dollars : dollars / 2)
            guard !isServers, !dollars.isMultiple(of: 2) else { continue }
            guard !name.isEmpty else {
                pending.append(scalar)
                continue
            }
            if !pending.isEmpty { pieces.append(.text(String(pending))) }
            pending = String.UnicodeScalarView()
            pieces.append(.variable(name))
            rest = rest.dropFirst(name.unicodeScalars.count)
        }
        if !pending.isEmpty || pieces.isEmpty { pieces.append(.text(String(pending))) }
        return pieces
    }

    /// Whether text begins with the server's word, or with a call for it.
    private static func isServers(_ text: String) -> Bool { isServers(text.unicodeScalars.drop { $0 == "$" }) }

    /// Whether the text behind dollar signs is for the server.
    static func isServers(_ text: Substring.UnicodeScalarView) -> Bool {
        nameAtStart(of: text) == "origin" || TemplateWord.read(text) != nil
    }

    /// A letter, then letters, digits, `_` and `-`; a `-` at the end belongs to the text that follows.
    static func nameAtStart(of text: Substring.UnicodeScalarView) -> String {
        guard let first = text.first, isLetter(first) else { return "" }
        var name = text.prefix { isLetter($0) || ("0"..."9").contains($0) || $0 == "_" || $0 == "-" }
        while name.last == "-" { name.removeLast() }
        return String(name)
    }

    private static func isLetter(_ scalar: Unicode.Scalar) -> Bool {
        ("a"..."z").contains(scalar) || ("A"..."Z").contains(scalar)
    }

    static func isName(_ text: String) -> Bool {
        !text.isEmpty && text != "origin" && nameAtStart(of: text.unicodeScalars[...]) == text
    }
}

extension String {
    fileprivate var trailingDollars: Int { utf8.reversed().prefix { $0 == UInt8(ascii: "$") }.count }
}
