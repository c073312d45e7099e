import ServerScript

/// One JSON object on one line, its members in the order in which they are added (RFC 8259).
struct JSONLine {
    private var text = "{"

    init(type: String) { add("type", type) }

    mutating func add(_ name: String, _ value: String) { addRaw(name, JSONValue.quoted(value)) }
    mutating func add(_ name: String, _ value: Int) { addRaw(name, String(value)) }
    mutating func add(_ name: String, _ value: Bool) { addRaw(name, value ? "true" : "false") }

    mutating func add(_ name: String, _ values: [String]) {
        addRaw(name, "[\(values.map(JSONValue.quoted).joined(separator: ","))]")
    }

    private mutating func addRaw(_ name: String, _ value: String) {
        if text.utf8.count > 1 { text += "," }
        text += "\(JSONValue.quoted(name)):\(value)"
    }

    var line: String { text + "}" }
}
