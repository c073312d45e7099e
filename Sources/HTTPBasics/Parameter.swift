/// A name with a value, as in `charset=utf-8` or `realm="box"`; the value is without quotes.
package struct Parameter: Hashable, Sendable {
    package var name: String
    package var value: String

    package init(_ name: String, _ value: String) {
        self.name = name
        self.value = value
    }
}

extension Parameter {
    /// As a field shows it: quoted unless it is a token (RFC 9110 5.6.6).
    var text: String {
        if !value.isEmpty, value.utf8.allSatisfy(ASCII.isTokenCharacter) { return "\(name)=\(value)" }
        return "\(name)=\(value.quotedString)"
    }
}

extension String {
    /// As a quoted-string (RFC 9110 5.6.4).
    package var quotedString: String {
        var quoted = "\""
        for scalar in unicodeScalars {
            if scalar == "\"" || scalar == "\\" { quoted.unicodeScalars.append("\\") }
            quoted.unicodeScalars.append(scalar)
        }
        return quoted + "\""
    }
}
