import HTTPBasics

/// Reads one JSON text (RFC 8259) strictly: no comments, no trailing commas, each name once in an object.
package struct JSONReader {
    package static let byteLimit = 1 << 20
    package static let depthLimit = 64

    private let bytes: [UInt8]
    private var index = 0
    private var depth = 0

    private init(_ bytes: [UInt8]) { self.bytes = bytes }

    package static func read(_ bytes: [UInt8]) throws(Malformed) -> JSONValue {
        guard bytes.count <= byteLimit else { throw Malformed("JSON of more than 1 MiB is not read") }
        var reader = JSONReader(bytes)
        let value = try reader.value()
        reader.skipBlanks()
        guard reader.index == bytes.count else { throw reader.mistake("more behind its end") }
        return value
    }

    private func mistake(_ text: String) -> Malformed { Malformed("no JSON: \(text) at byte \(index)") }

    private var next: UInt8? { index < bytes.count ? bytes[index] : nil }

    private mutating func skipBlanks() {
        while let byte = next, byte == 0x20 || byte == 0x0a || byte == 0x0d || byte == 0x09 { index += 1 }
    }

    private mutating func take(_ byte: Unicode.Scalar) -> Bool {
        guard next == UInt8(ascii: byte) else { return false }
        index += 1
        return true
    }

    private mutating func value() throws(Malformed) -> JSONValue {
        skipBlanks()
        guard let byte = next else { throw mistake("it ends too early") }
        switch byte {
        case UInt8(ascii: "{"): return try nested { reader throws(Malformed) in try reader.object() }
        case UInt8(ascii: "["): return try nested { reader throws(Malformed) in try reader.list() }
        case UInt8(ascii: "\""): return .text(try text())
        case UInt8(ascii: "-"), 48...57: return try number()
        default: break
        }
        for (word, value) in [("true", JSONValue.yes(true)), ("false", .yes(false)), ("null", .null)]
        where bytes[index...].starts(with: word.utf8) {
            index += word.utf8.count
            return value
        }
        throw mistake("no value")
    }

    private mutating func nested(
        _ read: (inout JSONReader) throws(Malformed) -> JSONValue
    ) throws(Malformed) -> JSONValue {
        depth += 1
        guard depth <= JSONReader.depthLimit else { throw mistake("more than \(JSONReader.depthLimit) levels") }
        index += 1
        let value = try read(&self)
        depth -= 1
        return value
    }

    private mutating func list() throws(Malformed) -> JSONValue {
        var items: [JSONValue] = []
        skipBlanks()
        if take("]") { return .list([]) }
        repeat {
            items.append(try value())
            skipBlanks()
        } while take(",")
        guard take("]") else { throw mistake("a list that is not closed") }
        return .list(items)
    }

    private mutating func object() throws(Malformed) -> JSONValue {
        var members: [JSONValue.Member] = []
        var names: Set<String> = []
        skipBlanks()
        if take("}") { return .object([]) }
        repeat {
            skipBlanks()
            guard next == UInt8(ascii: "\"") else { throw mistake("no name of a member") }
            let name = try text()
            guard names.insert(name).inserted else { throw mistake("a name twice in an object") }
            skipBlanks()
            guard take(":") else { throw mistake("no colon") }
            members.append(JSONValue.Member(name, try value()))
            skipBlanks()
        } while take(",")
        guard take("}") else { throw mistake("an object that is not closed") }
        return .object(members)
    }

    private mutating func number() throws(Malformed) -> JSONValue {
        let begin = index
        while let byte = next, ASCII.isDigit(byte) || "+-.eE".utf8.contains(byte) { index += 1 }
        guard let number = JSONNumber(String(decoding: bytes[begin..<index], as: UTF8.self)) else {
            index = begin
            throw mistake("no number")
        }
        return .number(number)
    }

    private mutating func text() throws(Malformed) -> String {
        index += 1
        var result: [UInt8] = []
        while let byte = next, byte != UInt8(ascii: "\"") {
            guard byte >= 0x20 else { throw mistake("a control character") }
            guard byte == UInt8(ascii: "\\") else {
                result.append(byte)
                index += 1
                continue
            }
            index += 1
            result += try escape().utf8
        }
        guard take("\"") else { throw mistake("a text that is not closed") }
        guard let text = String(validating: result, as: UTF8.self) else { throw mistake("no UTF-8 in the text before") }
        return text
    }

    private mutating func escape() throws(Malformed) -> String {
        guard let byte = next else { throw mistake("it ends too early") }
        index += 1
        switch Unicode.Scalar(byte) {
        case "\"", "\\", "/": return String(Unicode.Scalar(byte))
        case "b": return "\u{8}"
        case "f": return "\u{c}"
        case "n": return "\n"
        case "r": return "\r"
        case "t": return "\t"
        case "u": break
        default: throw mistake("an unknown escape")
        }
        let first = try unit()
        guard (0xd800..<0xdc00).contains(first) else {
            guard let scalar = Unicode.Scalar(first) else { throw mistake("half a character") }
            return String(scalar)
        }
        guard take("\\"), take("u") else { throw mistake("half a character") }
        let second = try unit()
        guard (0xdc00..<0xe000).contains(second),
            let scalar = Unicode.Scalar(0x10000 + (first - 0xd800) << 10 + (second - 0xdc00))
        else { throw mistake("half a character") }
        return String(scalar)
    }

    private mutating func unit() throws(Malformed) -> UInt32 {
        let digits = bytes[index...].prefix(4).compactMap(ASCII.hexValue)
        guard digits.count == 4 else { throw mistake("an unknown escape") }
        index += 4
        return digits.reduce(0) { $0 << 4 | UInt32($1) }
    }
}
