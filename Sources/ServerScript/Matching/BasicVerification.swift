import HTTPBasics

/// Reads an Authorization value of the Basic scheme (RFC 7617 2) and compares it with a script's credentials.
///
/// What it says never holds a value, only the scheme.
enum BasicVerification {
    static func difference(_ values: [String], _ wanted: BasicCredentials) -> String? {
        guard let value = values.first else { return "Authorization: wanted Basic credentials, got none" }
        guard values.count == 1 else { return "Authorization: wanted one field, got \(values.count)" }
        let scheme = Authorization.scheme(of: value)
        guard scheme.equalsIgnoringCase("Basic") else {
            return "Authorization: wanted Basic credentials, got scheme \(quoted(scheme))"
        }
        let token = value.dropFirst(scheme.count)
        guard token.first == " ", let bytes = Base64.decode(token.dropFirst()) else {
            return "Authorization: wanted Basic credentials, got Basic without a valid base64 token"
        }
        guard bytes == Array("\(wanted.user):\(wanted.password)".utf8) else {
            return "Authorization: wanted the credentials of the script, got other Basic credentials"
        }
        return nil
    }
}

enum Authorization {
    static let fieldNames = ["Authorization", "Proxy-Authorization"]

    static func isSecret(_ name: String) -> Bool { fieldNames.contains(where: name.equalsIgnoringCase) }

    /// The scheme alone; what comes after it is secret.
    static func scheme(of value: String) -> String {
        let scheme = value.prefix { $0.utf8.allSatisfy(ASCII.isTokenCharacter) }
        // Something without a blank may be a bare secret.
        return value.dropFirst(scheme.count).first == " " ? String(scheme) : "unknown"
    }

    static func redacted(_ fields: Fields) -> Fields {
        Fields(fields.list.map { isSecret($0.name) ? Fields.Field($0.name, scheme(of: $0.value)) : $0 })
    }
}

/// Standard base64 with its padding, and nothing else (RFC 4648 4).
enum Base64 {
    static func decode(_ text: some StringProtocol) -> [UInt8]? {
        let characters = Array(text.utf8)
        guard characters.count % 4 == 0 else { return nil }
        let padding = characters.reversed().prefix { $0 == 0x3d }.count
        guard padding <= 2 else { return nil }
        var bytes: [UInt8] = []
        var bits: UInt32 = 0
        var held = 0
        for character in characters.dropLast(padding) {
            guard let value = value(of: character) else { return nil }
            bits = bits << 6 | value
            held += 6
            if held >= 8 {
                held -= 8
                bytes.append(UInt8(truncatingIfNeeded: bits >> UInt32(held)))
                bits &= (1 << UInt32(held)) - 1
            }
        }
        // The bits that padding leaves over must be 0 (RFC 4648 3.5).
        return bits == 0 ? bytes : nil
    }

    private static func value(of character: UInt8) -> UInt32? {
        switch character {
        case 65...90: UInt32(character) - 65
        case 97...122: UInt32(character) - 71
        case 48...57: UInt32(character) + 4
        case 0x2b: 62
        case 0x2f: 63
        default: nil
        }
    }
}
