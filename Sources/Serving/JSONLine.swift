import HTTPBasics

/// One JSON object on one line, its members in the order in which they are added (RFC 8259).
struct JSONLine {
    private var text = "{"

    init(type: String) { add("type", type) }

    mutating func add(_ name: String, _ value: String) { addRaw(name, JSONLine.quoted(value)) }
    mutating func add(_ name: String, _ value: Int) { addRaw(name, String(value)) }
    mutating func add(_ name: String, _ value: Bool) { addRaw(name, value ? "true" : "false") }

    mutating func add(_ name: String, _ values: [String]) {
        addRaw(name, "[\(values.map(JSONLine.quoted).joined(separator: ","))]")
    }

    private mutating func addRaw(_ name: String, _ value: String) {
        if text.utf8.count > 1 { text += "," }
        text += "\(JSONLine.quoted(name)):\(value)"
    }

    var line: String { text + "}" }

    static func quoted(_ text: String) -> String {
        var bytes: [UInt8] = [UInt8(ascii: "\"")]
        bytes.reserveCapacity(text.utf8.count + 2)
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"): bytes += [UInt8(ascii: "\\"), byte]
            case 0x0a: bytes += "\\n".utf8
            case 0..<0x20, 0x7f:
                let digits = String(byte, radix: 16)
                bytes += "\\u00".utf8
                bytes += (digits.utf8.count == 1 ? "0" + digits : digits).utf8
            default: bytes.append(byte)
            }
        }
        bytes.append(UInt8(ascii: "\""))
        return String(decoding: bytes, as: UTF8.self)
    }
}
