import HTTPBasics

/// The `boundary` parameter of a `multipart/form-data` content type.
package enum MultipartBoundary {
    package static func parse(contentType: String?) throws(Malformed) -> [UInt8] {
        guard let contentType else { throw Malformed("no Content-Type") }
        let parameters = try HeaderParameters.parse(contentType)
        guard parameters.value.equalsIgnoringCase("multipart/form-data") else {
            throw Malformed("Content-Type is not multipart/form-data")
        }
        guard let boundary = parameters.named("boundary") else { throw Malformed("no boundary in Content-Type") }
        // RFC 2046 5.1.1: 1 to 70 characters of a fixed set, the last of them no space.
        let bytes = Array(boundary.utf8)
        let isLegal = bytes.allSatisfy { ASCII.isDigit($0) || isLetter($0) || "'()+_,-./:=? ".utf8.contains($0) }
        guard isLegal, (1...70).contains(bytes.count), bytes.last != ASCII.space else {
            throw Malformed("boundary breaks the rules of RFC 2046")
        }
        return bytes
    }

    private static func isLetter(_ byte: UInt8) -> Bool { (97...122).contains(ASCII.lowercased(byte)) }
}

/// `value *( ";" name "=" ( token / quoted-string ) )`: Content-Type and Content-Disposition.
struct HeaderParameters {
    let value: String
    private let list: [Fields.Field]

    var names: [String] { list.map(\.name) }

    /// The parameter of that name.
    func named(_ name: String) -> String? { list.first { $0.name.equalsIgnoringCase(name) }?.value }

    /// Reads bytes, not characters: a combining mark behind a quote is no part of it.
    static func parse(_ text: String) throws(Malformed) -> HeaderParameters {
        var rest = text.utf8[...]
        let value = Substring(rest.prefix { $0 != ASCII.semicolon }).trimmingWhitespace
        rest = rest.drop { $0 != ASCII.semicolon }
        var list: [Fields.Field] = []
        while rest.first == ASCII.semicolon {
            rest = rest.dropFirst().drop(while: isBlank)
            let name = String(Substring(rest.prefix(while: ASCII.isTokenCharacter)))
            rest = rest.dropFirst(name.utf8.count)
            guard !name.isEmpty, rest.first == ASCII.equals else { throw Malformed("parameter without a name and '='") }
            rest = rest.dropFirst()
            let content = try takeValue(&rest)
            if list.contains(where: { $0.name.equalsIgnoringCase(name) }) {
                throw Malformed("parameter \(name) twice")
            }
            list.append(Fields.Field(name, content))
            rest = rest.drop(while: isBlank)
        }
        guard rest.isEmpty else { throw Malformed("parameters not separated by ';'") }
        return HeaderParameters(value: String(value), list: list)
    }

    private static func takeValue(_ rest: inout Substring.UTF8View) throws(Malformed) -> String {
        guard rest.first == ASCII.quote else {
            let token = String(Substring(rest.prefix(while: ASCII.isTokenCharacter)))
            guard !token.isEmpty else { throw Malformed("parameter value is neither a token nor quoted") }
            rest = rest.dropFirst(token.utf8.count)
            return token
        }
        rest = rest.dropFirst()
        var content: [UInt8] = []
        while let byte = rest.popFirst() {
            if byte == ASCII.quote { return String(decoding: content, as: UTF8.self) }
            guard byte == UInt8(ascii: "\\") else {
                content.append(byte)
                continue
            }
            guard let escaped = rest.popFirst() else { break }
            content.append(escaped)
        }
        throw Malformed("quoted parameter value without an end")
    }

    private static func isBlank(_ byte: UInt8) -> Bool { byte == ASCII.space || byte == ASCII.tab }
}
