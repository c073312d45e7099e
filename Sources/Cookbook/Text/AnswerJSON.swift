import HTTPBasics

/// A JSON text in the making (RFC 8259).
///
/// No `<`, `>` or `&` is ever in it: whoever takes it for HTML finds no tag of somebody else's.
indirect enum AnswerJSON {
    case object([(name: String, value: AnswerJSON)])
    case array([AnswerJSON])
    case text(String)
    case number(Int)
    case bool(Bool)
    case null
    /// JSON of somebody else, known to be such.
    case raw([UInt8])

    /// By name, as httpbin sorts them.
    static func sorted(_ members: [(name: String, value: AnswerJSON)]) -> AnswerJSON {
        .object(members.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) })
    }

    /// Items by name: one value, or a list of them.
    static func items(_ items: [CookbookItem]) -> AnswerJSON {
        var values: [String: [String]] = [:]
        for item in items { values[item.name, default: []].append(item.value) }
        return sorted(
            values.map { name, list in (name, list.count == 1 ? .text(list[0]) : .array(list.map { .text($0) })) })
    }

    /// In lines, and with a line break at its end.
    var lines: [UInt8] {
        var output: [UInt8] = []
        write(into: &output, indent: 0)
        return output + [ASCII.lineFeed]
    }

    /// In one line.
    var line: [UInt8] {
        var output: [UInt8] = []
        write(into: &output, indent: nil)
        return output + [ASCII.lineFeed]
    }

    private func write(into output: inout [UInt8], indent: Int?) {
        switch self {
        case .object(let members):
            let parts = members.map { member in
                { (output: inout [UInt8], indent: Int?) in
                    AnswerJSON.quote(member.name, into: &output)
                    output += ": ".utf8
                    member.value.write(into: &output, indent: indent)
                }
            }
            AnswerJSON.list(parts, "{", "}", into: &output, indent: indent)
        case .array(let values):
            let parts = values.map { value in
                { (output: inout [UInt8], indent: Int?) in value.write(into: &output, indent: indent) }
            }
            AnswerJSON.list(parts, "[", "]", into: &output, indent: indent)
        case .text(let text): AnswerJSON.quote(text, into: &output)
        case .number(let number): output += String(number).utf8
        case .bool(let bool): output += String(bool).utf8
        case .null: output += "null".utf8
        // Outside of its texts JSON has none of the three.
        case .raw(let bytes): for byte in bytes { AnswerJSON.append(byte, to: &output) }
        }
    }

    private static func list(
        _ parts: [(inout [UInt8], Int?) -> Void], _ open: String, _ close: String, into output: inout [UInt8],
        indent: Int?
    ) {
        output += open.utf8
        for (index, part) in parts.enumerated() {
            if index > 0 { output += (indent == nil ? ", " : ",").utf8 }
            if let indent { output += ("\n" + String(repeating: " ", count: indent + 2)).utf8 }
            part(&output, indent.map { $0 + 2 })
        }
        if let indent, !parts.isEmpty { output += ("\n" + String(repeating: " ", count: indent)).utf8 }
        output += close.utf8
    }

    private static func quote(_ text: String, into output: inout [UInt8]) {
        output.append(ASCII.quote)
        for byte in text.utf8 {
            switch byte {
            case ASCII.quote, UInt8(ascii: "\\"): output += [UInt8(ascii: "\\"), byte]
            case 0..<32, 127: output += escape(byte)
            default: append(byte, to: &output)
            }
        }
        output.append(ASCII.quote)
    }

    private static func append(_ byte: UInt8, to output: inout [UInt8]) {
        if byte == UInt8(ascii: "<") || byte == UInt8(ascii: ">") || byte == UInt8(ascii: "&") {
            output += escape(byte)
        } else {
            output.append(byte)
        }
    }

    private static func escape(_ byte: UInt8) -> [UInt8] {
        let digits = String(byte, radix: 16)
        return Array("\\u00\(digits.utf8.count == 1 ? "0" : "")\(digits)".utf8)
    }
}
