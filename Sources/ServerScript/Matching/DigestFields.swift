import HTTPBasics

/// The parameters of an Authorization value of the Digest scheme, read strictly (RFC 7616 3.4, RFC 9110 11.6.2).
package struct DigestFields {
    private struct Parameter {
        var value: String
        var isQuoted: Bool
    }

    private static let quotedNames: Set = ["username", "realm", "nonce", "uri", "response", "cnonce", "opaque"]
    private static let bareNames: Set = ["algorithm", "qop", "nc", "userhash", "username*"]
    private var parameters: [String: Parameter] = [:]

    package subscript(name: String) -> String? { parameters[name]?.value }

    /// - Parameter text: What follows the name of the scheme.
    package init(_ text: Substring) throws(Malformed) {
        var rest = text.utf8[...]
        Self.skipBlanks(&rest)
        while !rest.isEmpty {
            let name = Self.token(&rest).lowercased()
            guard !name.isEmpty, Self.take(ASCII.equals, &rest) else {
                throw Malformed("no parameter where one is due")
            }
            let isQuoted = rest.first == ASCII.quote
            let value = isQuoted ? try Self.quotedString(&rest) : Self.token(&rest)
            guard isQuoted || !value.isEmpty else { throw Malformed("no value of \(name)") }
            guard parameters.updateValue(Parameter(value: value, isQuoted: isQuoted), forKey: name) == nil else {
                throw Malformed("\(name) twice")
            }
            if Self.quotedNames.contains(name), !isQuoted { throw Malformed("\(name) without quotes") }
            if Self.bareNames.contains(name), isQuoted { throw Malformed("\(name) in quotes") }
            Self.skipBlanks(&rest)
            guard rest.isEmpty || Self.take(ASCII.comma, &rest) else { throw Malformed("no comma behind \(name)") }
            Self.skipBlanks(&rest)
        }
    }

    private static func skipBlanks(_ rest: inout Substring.UTF8View.SubSequence) {
        rest = rest.drop { $0 == ASCII.space || $0 == ASCII.tab }
    }

    private static func take(_ byte: UInt8, _ rest: inout Substring.UTF8View.SubSequence) -> Bool {
        guard rest.first == byte else { return false }
        rest.removeFirst()
        return true
    }

    private static func token(_ rest: inout Substring.UTF8View.SubSequence) -> String {
        let token = rest.prefix { ASCII.isTokenCharacter($0) }
        rest = rest.dropFirst(token.count)
        return String(Substring(token))
    }

    private static func quotedString(_ rest: inout Substring.UTF8View.SubSequence) throws(Malformed) -> String {
        rest.removeFirst()
        var bytes: [UInt8] = []
        while let byte = rest.popFirst() {
            switch byte {
            case ASCII.quote: return String(decoding: bytes, as: UTF8.self)
            case UInt8(ascii: "\\"):
                guard let escaped = rest.popFirst() else { throw Malformed("a quoted value without an end") }
                bytes.append(escaped)
            default: bytes.append(byte)
            }
        }
        throw Malformed("a quoted value without an end")
    }
}
