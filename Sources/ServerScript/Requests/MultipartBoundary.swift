import HTTPBasics

/// The `boundary` parameter of a `multipart/form-data` content type.
enum MultipartBoundary {
    static func parse(contentType: String?) throws(Malformed) -> [UInt8] {
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

    /// The parameter of that name.
    func named(_ name: String) -> String? { list.first { $0.name.equalsIgnoringCase(name) }?.value }

    static func parse(_ text: String) throws(Malformed) -> HeaderParameters {
        var rest = text[...]
        let value = rest.prefix { $0 != ";" }.trimmingWhitespace
        rest = rest.drop { $0 != ";" }
        var list: [Fields.Field] = []
        while rest.first == ";" {
            rest = rest.dropFirst().drop { $0 == " " || $0 == "\t" }
            let name = rest.prefix { $0.utf8.allSatisfy(ASCII.isTokenCharacter) }
            rest = rest.dropFirst(name.count)
            guard !name.isEmpty, rest.first == "=" else { throw Malformed("parameter without a name and '='") }
            rest = rest.dropFirst()
            let content = try takeValue(&rest)
            if list.contains(where: { $0.name.equalsIgnoringCase(name) }) {
                throw Malformed("parameter \(name) twice")
            }
            list.append(Fields.Field(String(name), content))
            rest = rest.drop { $0 == " " || $0 == "\t" }
        }
        guard rest.isEmpty else { throw Malformed("parameters not separated by ';'") }
        return HeaderParameters(value: String(value), list: list)
    }

    private static func takeValue(_ rest: inout Substring) throws(Malformed) -> String {
        guard rest.first == "\"" else {
            let token = rest.prefix { $0.utf8.allSatisfy(ASCII.isTokenCharacter) }
            guard !token.isEmpty else { throw Malformed("parameter value is neither a token nor quoted") }
            rest = rest.dropFirst(token.count)
            return String(token)
        }
        rest = rest.dropFirst()
        var content = ""
        while let character = rest.popFirst() {
            if character == "\"" { return content }
            guard character == "\\" else {
                content.append(character)
                continue
            }
            guard let escaped = rest.popFirst() else { break }
            content.append(escaped)
        }
        throw Malformed("quoted parameter value without an end")
    }
}
