/// A value of JSON (RFC 8259), in the order of its text.
package indirect enum JSONValue: Hashable, Sendable {
    case null
    case yes(Bool)
    case number(JSONNumber)
    case text(String)
    case list([JSONValue])
    case object([Member])

    package struct Member: Hashable, Sendable {
        package var name: String
        package var value: JSONValue

        package init(_ name: String, _ value: JSONValue) {
            self.name = name
            self.value = value
        }
    }

    /// The shortest text that means it.
    package var text: String {
        switch self {
        case .null: "null"
        case .yes(let isTrue): isTrue ? "true" : "false"
        case .number(let number): number.text
        case .text(let text): JSONValue.quoted(text)
        case .list(let items): "[" + items.map(\.text).joined(separator: ",") + "]"
        case .object(let members):
            "{" + members.map { "\(JSONValue.quoted($0.name)):\($0.value.text)" }.joined(separator: ",") + "}"
        }
    }

    package static func quoted(_ text: String) -> String { "\"\(escaped(text))\"" }

    /// As it stands between the quotes.
    static func escaped(_ text: String) -> String {
        guard text.utf8.contains(where: { $0 < 0x20 || $0 == 0x22 || $0 == 0x5c || $0 == 0x7f }) else { return text }
        var result = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": result += "\\\""
            case "\\": result += "\\\\"
            case "\n": result += "\\n"
            case "\r": result += "\\r"
            case "\t": result += "\\t"
            case _ where scalar.value < 0x20 || scalar.value == 0x7f:
                let digits = String(scalar.value, radix: 16)
                result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }

    package func member(_ name: String) -> JSONValue? {
        guard case .object(let members) = self else { return nil }
        return members.first { $0.name == name }?.value
    }

    /// The value behind names of members and positions in lists, from 0.
    package func value(at path: some Sequence<Substring>) -> JSONValue? {
        var value = self
        for name in path {
            switch value {
            case .object:
                guard let next = value.member(String(name)) else { return nil }
                value = next
            case .list(let items):
                guard let index = Int(name), items.indices.contains(index) else { return nil }
                value = items[index]
            case .null, .yes, .number, .text: return nil
            }
        }
        return value
    }
}

/// A number as it is written, compared by what it means: `1`, `1.0` and `10e-1` are the same.
package struct JSONNumber: Hashable, Sendable {
    package let text: String
    private let isNegative: Bool
    /// Without zeros at either end; empty for zero.
    private let digits: [UInt8]
    /// Of the first digit.
    private let exponent: Int

    /// Nil for what is no number by RFC 8259 6, or one whose exponent has more than nine digits.
    package init?(_ text: String) {
        var rest = Array(text.utf8)[...]
        let isNegative = rest.first == UInt8(ascii: "-")
        if isNegative { rest.removeFirst() }
        let whole = rest.prefix { (48...57).contains($0) }
        guard !whole.isEmpty, whole.count == 1 || whole.first != 48 else { return nil }
        rest = rest[whole.endIndex...]
        var fraction = rest.prefix(0)
        if rest.first == UInt8(ascii: ".") {
            fraction = rest.dropFirst().prefix { (48...57).contains($0) }
            guard !fraction.isEmpty else { return nil }
            rest = rest[fraction.endIndex...]
        }
        guard let power = JSONNumber.power(rest) else { return nil }
        let all = Array(whole) + Array(fraction)
        let leading = all.prefix { $0 == 48 }.count
        var digits = all.dropFirst(leading)
        while digits.last == 48 { digits.removeLast() }
        self.text = text
        self.digits = Array(digits)
        self.isNegative = isNegative && !digits.isEmpty
        exponent = digits.isEmpty ? 0 : power + whole.count - leading
    }

    private static func power(_ text: ArraySlice<UInt8>) -> Int? {
        guard let first = text.first else { return 0 }
        guard first | 0x20 == UInt8(ascii: "e") else { return nil }
        var rest = text.dropFirst()
        let isNegative = rest.first == UInt8(ascii: "-")
        if isNegative || rest.first == UInt8(ascii: "+") { rest = rest.dropFirst() }
        guard (1...9).contains(rest.count), rest.allSatisfy({ (48...57).contains($0) }) else { return nil }
        let value = rest.reduce(0) { $0 * 10 + Int($1 - 48) }
        return isNegative ? -value : value
    }

    package static func == (left: JSONNumber, right: JSONNumber) -> Bool {
        left.isNegative == right.isNegative && left.digits == right.digits && left.exponent == right.exponent
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(digits)
        hasher.combine(exponent)
    }
}
