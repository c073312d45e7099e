import ServerScript

/// One map of a file, read key by key against the table.
struct MappingReader {
    let context: KeyContext
    let node: SourceNode
    let entries: [SourceNode.Entry]
    let session: DecodingSession

    var log: DiagnosticLog { session.log }

    /// Reports keys that the table does not know, and required ones that are not there.
    /// `extra` are the names that a map with free names allows besides its keys.
    func checkKeys(openTo extra: [String]?) {
        let known = KeyTable.keys(of: context)
        let planned = KeyTable.plannedKeys(of: context)
        let names = known.map(\.name)
        for entry in entries where !names.contains(entry.key) && extra?.contains(entry.key) != true {
            if let reason = planned[entry.key] {
                log.error("'\(entry.key)' in \(context.phrase) is not yet supported: \(reason)", at: entry.keyNode)
                continue
            }
            let remedy =
                KeyTable.remedy(for: entry.key, in: context)
                ?? Suggestion.remedy(for: entry.key, among: names + (extra ?? []))
            log.error("unknown key '\(entry.key)' in \(context.phrase)", at: entry.keyNode, remedy: remedy)
        }
        for key in known where key.isRequired && value(key.name) == nil {
            missing(
                "missing key '\(key.name)' in \(context.phrase)", remedy: "such as \(KeyTable.example(of: context))")
        }
    }

    /// Reports that something is not there, unless an unknown key was probably meant for it.
    func missing(_ message: String, remedy: String? = nil) {
        guard entries.allSatisfy({ KeyTable.key($0.key, of: context) != nil }) else { return }
        log.error(message, at: node, remedy: remedy)
    }

    func has(_ key: String) -> Bool { value(key) != nil }

    func value(_ key: String) -> SourceNode? {
        session.note(key, in: context)
        return entries.first { $0.key == key }?.value
    }

    func keyNode(_ key: String) -> SourceNode { entries.first { $0.key == key }?.keyNode ?? node }

    /// Of keys that exclude each other, the one that is there; more than one is reported.
    func only(of keys: [String]) -> String? {
        let present = keys.filter(has)
        if present.count > 1 {
            let message = "'\(present[0])' and '\(present[1])' exclude each other in \(context.phrase)"
            log.error(message, at: keyNode(present[1]))
        }
        return present.first
    }

    /// Reports texts, lists and maps that are there and say nothing.
    func refuseEmpty(_ keys: String...) {
        for key in keys {
            guard let node = value(key) else { continue }
            let isEmpty = node.scalar?.allSatisfy(\.isWhitespace) ?? node.items?.isEmpty ?? node.entries?.isEmpty
            if isEmpty == true { log.error("'\(key)' says nothing", at: node, remedy: "leave it out, or fill it in") }
        }
    }

    /// Warns of times of no length: what they are for is as if it were not there.
    func warnOfNothing(_ keys: String...) {
        for key in keys where duration(key) == .zero {
            log.warning("'\(key)' of no time changes nothing", at: keyNode(key), remedy: "leave it out")
        }
    }

    // MARK: - Values

    func text(_ key: String) -> String? { value(key).flatMap { session.text($0) } }

    func label(_ key: String) -> String? { value(key).flatMap { session.label($0) } }

    func yesNo(_ key: String) -> Bool? { value(key).flatMap(session.yesNo) }

    func duration(_ key: String) -> Duration? { value(key).flatMap(session.duration) }

    func bytes(_ key: String) -> Int? { value(key).flatMap(session.bytes) }

    func rate(_ key: String) -> Int? { value(key).flatMap(session.rate) }

    func count(_ key: String, in range: ClosedRange<Int> = 0...Int(Int32.max)) -> Int? {
        value(key).flatMap { session.count($0, in: range) }
    }

    func status(_ key: String) -> Int? { count(key, in: 100...999) }

    func list(_ key: String) -> [SourceNode]? {
        value(key).map { session.list($0, of: "values for '\(key)'") }
    }

    func texts(_ key: String) -> [String] { value(key).map { session.texts($0, of: "texts") } ?? [] }

    func map(_ key: String, _ context: KeyContext) -> MappingReader? {
        value(key).flatMap { session.map($0, context) }
    }

    /// A word of the table's own list for this key.
    func word(_ key: String) -> String? {
        guard let node = value(key) else { return nil }
        guard case .words(let words)? = KeyTable.key(key, of: context)?.kind else { return nil }
        return session.word(node, among: words)
    }

    func word<Word: RawRepresentable<String>>(_ key: String, as type: Word.Type) -> Word? {
        word(key).flatMap(Word.init(rawValue:))
    }
}
