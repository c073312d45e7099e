/// A value on its way to the page: YAML in flow style where it fits on a line, in block style else.
indirect enum ShownValue {
    /// Written as it is.
    case word(String)
    /// Text from outside: quoted where it could be taken for something other than itself.
    case text(String)
    /// Always quoted: a body, which unquoted might be a body's name.
    case quoted(String)
    /// Text in a place that variables do not reach: a dollar sign is just that.
    case verbatim(String)
    case list([ShownValue])
    case map([(String, ShownValue)])

    static let width = 110

    /// A map without the entries that are nil.
    static func fields(_ entries: [(String, ShownValue?)]) -> ShownValue {
        .map(entries.compactMap { key, value in value.map { (key, $0) } })
    }

    var isEmpty: Bool {
        switch self {
        case .word, .text, .quoted, .verbatim: false
        case .list(let items): items.isEmpty
        case .map(let entries): entries.isEmpty
        }
    }

    // MARK: - Layout

    /// `key: value` with everything below it, indented.
    func lines(under key: String, indent: Int) -> [String] {
        let margin = String(repeating: " ", count: indent)
        let flow = "\(margin)\(ShownValue.key(key)): \(flow)"
        if flow.count <= ShownValue.width || isEmpty || isScalar { return [flow] }
        return ["\(margin)\(ShownValue.key(key)):"] + lines(indent: indent + 2)
    }

    /// The entries of a map or list in block style.
    func lines(indent: Int) -> [String] {
        let margin = String(repeating: " ", count: indent)
        switch self {
        case .word, .text, .quoted, .verbatim: return [margin + flow]
        case .map(let entries): return entries.flatMap { $0.1.lines(under: $0.0, indent: indent) }
        case .list(let items):
            return items.flatMap { item -> [String] in
                let flow = "\(margin)- \(item.flow)"
                if flow.count <= ShownValue.width || item.isEmpty || item.isScalar { return [flow] }
                var lines = item.lines(indent: indent + 2)
                lines[0] = margin + "- " + lines[0].dropFirst(indent + 2)
                return lines
            }
        }
    }

    private var isScalar: Bool {
        switch self {
        case .word, .text, .quoted, .verbatim: true
        case .list, .map: false
        }
    }

    var flow: String {
        switch self {
        case .word(let word): word
        case .text(let text): ShownValue.isSafe(text) ? text : ShownValue.quote(text)
        case .quoted(let text): ShownValue.quote(text)
        case .verbatim(let text): ShownValue.isSafe(text) ? text : ShownValue.quote(text, doublingDollars: false)
        case .list(let items): "[" + items.map(\.flow).joined(separator: ", ") + "]"
        case .map(let entries):
            "{" + entries.map { "\(ShownValue.key($0.0)): \($0.1.flow)" }.joined(separator: ", ") + "}"
        }
    }

    /// Variables do not reach keys.
    private static func key(_ key: String) -> String { ShownValue.verbatim(key).flow }

    // MARK: - Scalars

    private static let traps: Set<String> = [
        "yes", "no", "on", "off", "true", "false", "null", "none", "present", "any",
    ]

    /// Whether text reads back as itself without quotes, in flow style too.
    private static func isSafe(_ text: String) -> Bool {
        guard let first = text.unicodeScalars.first, let last = text.unicodeScalars.last, last != " " else {
            return false
        }
        guard isWordScalar(first) || first == "/", !traps.contains(text.lowercased()) else { return false }
        return text.unicodeScalars.allSatisfy { isWordScalar($0) || "/ ._+=*?&;()-".unicodeScalars.contains($0) }
    }

    private static func isWordScalar(_ scalar: Unicode.Scalar) -> Bool {
        scalar.isASCII && (scalar.properties.isAlphabetic || scalar.properties.numericType != nil)
    }

    /// Double quotes with YAML's escapes; dollar signs are doubled where they would start a variable.
    static func quote(_ text: String, doublingDollars: Bool = true) -> String {
        var result = "\""
        var rest = text.unicodeScalars[...]
        while let scalar = rest.popFirst() {
            switch scalar {
            case "\"": result += "\\\""
            case "\\": result += "\\\\"
            case "\n": result += "\\n"
            case "\r": result += "\\r"
            case "\t": result += "\\t"
            case "$" where doublingDollars:
                var dollars = rest.prefix { $0 == "$" }
                rest = rest[dollars.endIndex...]
                dollars.append(scalar)
                // Before a word of the server's any number of them is left for it.
                if !Variables.isServers(rest) { dollars += dollars }
                result.unicodeScalars += dollars
            case _ where scalar.value < 32 || (127..<160).contains(scalar.value) || isUnprintable(scalar):
                result += escape(scalar)
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result + "\""
    }

    /// What a YAML parser or `StrictParser` refuses as it is.
    private static func isUnprintable(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x2028, 0x2029, 0xFEFF, 0xFFFE, 0xFFFF, 0xE000...0xF8FF: true
        default: false
        }
    }

    private static func escape(_ scalar: Unicode.Scalar) -> String {
        let hex = String(scalar.value, radix: 16, uppercase: true)
        if hex.count <= 2 { return "\\x" + String(repeating: "0", count: 2 - hex.count) + hex }
        return "\\u" + String(repeating: "0", count: max(0, 4 - hex.count)) + hex
    }
}
