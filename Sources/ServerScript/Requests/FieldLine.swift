import HTTPBasics

/// `field-name ":" OWS field-value OWS` (RFC 9112 5), read without leniency.
enum FieldLine {
    /// `line` is without its CRLF; nil for an empty one, which ends the fields.
    static func parse(_ line: UnsafeRawBufferPointer, in place: String) throws(Malformed) -> Fields.Field? {
        guard let first = line.first else { return nil }
        if isBlank(first) { throw Malformed("line folding in \(place)") }
        guard let colon = line.firstIndex(of: ASCII.colon) else { throw Malformed("\(place) without a colon") }
        let name = line[..<colon]
        guard let last = name.last else { throw Malformed("\(place) without a name") }
        if isBlank(last) { throw Malformed("blank before the colon in \(place)") }
        guard name.allSatisfy(ASCII.isTokenCharacter) else { throw Malformed("field name is not a token in \(place)") }
        let text = String(decoding: name, as: UTF8.self)
        var value = line[line.index(after: colon)...]
        value = value.drop(while: isBlank)[...]
        while let byte = value.last, isBlank(byte) { value = value.dropLast() }
        for byte in value where (byte < 0x20 && byte != ASCII.tab) || byte == 0x7f {
            throw Malformed("control byte \(hexadecimal(byte)) in the value of \(text)")
        }
        return Fields.Field(text, String(wire: value))
    }

    private static func isBlank(_ byte: UInt8) -> Bool { byte == ASCII.space || byte == ASCII.tab }
}
