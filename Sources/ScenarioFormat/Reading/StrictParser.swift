import ServerScript

/// YAML text to nodes, without YAML's traps: no anchors, tags, merge keys, several documents, duplicate keys or tabs.
///
/// libyaml does the parsing; a node is built of what stands in the text, once.
struct StrictParser {
    /// Deeper files are refused, so that no recursion over nodes can exhaust the stack.
    static let maximumDepth = 20

    private let source: SourceText
    private let log: DiagnosticLog
    private let events: YAMLEvents

    init(source: SourceText, log: DiagnosticLog) {
        self.source = source
        self.log = log
        events = YAMLEvents(of: source.text)
    }

    /// The root of the only document; nil when there is nothing to decode. Called once.
    func parse() -> SourceNode? {
        guard hasReadableText() else { return nil }
        do {
            guard let document = try events.next(), let first = try events.next() else {
                return fail("the file is empty", at: source.mark(1, 1))
            }
            if document.hasDirectives {
                return fail(
                    "YAML directives are not part of the format", at: source.mark(document.line, document.column))
            }
            let root = try node(first, depth: 1)
            guard let another = try events.next() else { return root }
            return fail("one file holds one document", at: source.mark(another.line, another.column))
        } catch {
            report(error)
            return nil
        }
    }

    // MARK: - Before parsing

    private func hasReadableText() -> Bool {
        guard source.text.utf8.count <= SourceText.maximumBytes else {
            return refuse("the file is larger than 256 KiB", at: source.mark(1, 1))
        }
        var line = 1, column = 1
        var previous: Unicode.Scalar = "\n"
        for scalar in source.text.unicodeScalars {
            if let problem = problem(with: scalar, after: previous) {
                return refuse(problem, at: source.mark(line, column))
            }
            (line, column) = scalar == "\n" ? (line + 1, 1) : (line, column + 1)
            previous = scalar
        }
        // A carriage return at the very end has nothing after it to be judged by.
        return previous != "\r" || refuse("a carriage return outside a line end", at: source.mark(line, column))
    }

    private func problem(with scalar: Unicode.Scalar, after previous: Unicode.Scalar) -> String? {
        switch scalar {
        case "\t": return "a tab: indent with spaces, and write \\t inside double quotes"
        case "\u{85}", "\u{2028}", "\u{2029}": return "an exotic line separator: write \\n inside double quotes"
        case "\u{FEFF}": return "a byte-order mark: save the file as plain UTF-8"
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

    private func report(_ failure: YAMLEvents.SyntaxError) {
        let mark = source.mark(failure.line, failure.column)
        // libyaml's own bound is far beyond ours, and its words are for programmers.
        guard !failure.problem.hasPrefix("Maximum nesting level") else {
            return log.add(.error, StrictParser.tooDeep, at: mark, length: 1)
        }
        // The problem of an unclosed bracket or quote is noticed far below; its beginning is what helps.
        let start = source.mark(failure.contextLine, 1).line
        let place = start == mark.line ? "" : " that begins in line \(start)"
        let complaint = failure.problem + (failure.context.map { " \($0)\(place)" } ?? "")
        log.add(
            .error, "not YAML: \(complaint)", at: mark, length: 1,
            remedy: StrictParser.remedy(for: complaint))
    }

    /// What mostly leads to a complaint of the parser.
    private static func remedy(for complaint: String) -> String? {
        if complaint.contains("cannot start any token") { return "quote text that begins with this character" }
        if complaint.contains("quoted scalar") { return "close the quotes" }
        if complaint.contains(" flow ") { return "close it, or quote text that has one of , : { } [ ] in it" }
        if complaint.contains(" block ") { return "begin it in the column of the lines above it" }
        return nil
    }

    // MARK: - Nodes

    private func node(_ event: YAMLEvents.Event, depth: Int) throws(YAMLEvents.SyntaxError) -> SourceNode {
        let mark = source.mark(event.line, event.column)
        if let refusal = refusal(of: event, at: mark, depth: depth) {
            log.add(.error, refusal, at: mark, length: 1)
            try skip(event)
            return .broken(at: mark)
        }
        switch event.kind {
        case .scalar(let text, let isPlain): return scalar(text, isPlain: isPlain, at: mark)
        case .sequence: return SourceNode(.sequence(try items(depth: depth)), mark: mark)
        case .mapping: return SourceNode(.mapping(try entries(depth: depth)), mark: mark)
        case .alias, .document, .end: return .broken(at: mark)
        }
    }

    /// Tags stand in front of what they belong to, so its own mark points at them.
    private func refusal(of event: YAMLEvents.Event, at mark: SourceMark, depth: Int) -> String? {
        if event.kind == .alias || event.hasAnchor { return "anchors and aliases are not part of the format" }
        if source.scalar(at: mark) == "!" { return "tags are not part of the format" }
        return depth > StrictParser.maximumDepth ? StrictParser.tooDeep : nil
    }

    private static let tooDeep = "nested deeper than \(maximumDepth) levels"

    /// Passes over all that belongs to a node of which this is the first event.
    private func skip(_ first: YAMLEvents.Event) throws(YAMLEvents.SyntaxError) {
        var open = 0
        var event: YAMLEvents.Event? = first
        while let kind = event?.kind {
            if kind == .sequence || kind == .mapping { open += 1 }
            if kind == .end { open -= 1 }
            if open == 0 { return }
            event = try events.next()
        }
    }

    private func scalar(_ text: String, isPlain: Bool, at mark: SourceMark) -> SourceNode {
        guard isPlain, text.isEmpty || text == "~" || text == "null" else {
            let length = source.scalarLength(at: mark, text: text)
            return SourceNode(.scalar(text, isPlain: isPlain), mark: mark, length: length)
        }
        let remedy = "write \"\" for an empty text"
        log.add(.error, "no value here", at: mark, length: max(1, text.count), remedy: remedy)
        return .broken(at: mark)
    }

    private func items(depth: Int) throws(YAMLEvents.SyntaxError) -> [SourceNode] {
        var items: [SourceNode] = []
        while let event = try events.next(), event.kind != .end { items.append(try node(event, depth: depth + 1)) }
        return items
    }

    private func entries(depth: Int) throws(YAMLEvents.SyntaxError) -> [SourceNode.Entry] {
        var entries: [SourceNode.Entry] = []
        var lines: [String: Int] = [:]
        while let event = try events.next(), event.kind != .end {
            let key = try node(event, depth: depth + 1)
            guard let event = try events.next() else { break }
            let value = try node(event, depth: depth + 1)
            guard let name = key.scalar else {
                if !key.isBroken { log.error("a key must be a word, not \(key.summary)", at: key) }
                continue
            }
            if name == "<<", key.plain != nil {
                log.error("merge keys are not part of the format", at: key)
            } else if let line = lines[name] {
                log.error("duplicate key '\(name)' (first in line \(line))", at: key)
            } else {
                lines[name] = key.mark.line
                entries.append(SourceNode.Entry(key: name, keyNode: key, value: value))
            }
        }
        return entries
    }
}
