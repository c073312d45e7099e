/// What is printed, answered, or written into a journal or a report without its value: the one list for all of them.
///
/// A name is a secret's if one of `words` is among its words: that of a field, or of an item of a query or a fragment
/// (`?access_token=***`). Of Authorization and Proxy-Authorization the scheme is left. In a URL the user information
/// goes (`//***@host`). `SecretScanner` finds all that in a text.
package enum Secrets {
    package static let mark = "***"

    private static let authorization = ["authorization", "proxy-authorization"]
    private static let words: Set<String> = [
        "apikey", "auth", "authorization", "cookie", "credential", "key", "passwd", "password", "pwd", "secret",
        "session", "sessionid", "sig", "signature", "token",
    ]
    static let longestWord = words.lazy.map(\.utf8.count).max() ?? 0

    /// In small letters.
    static func isSecret(word: [UInt8]) -> Bool { words.contains(String(decoding: word, as: UTF8.self)) }

    /// Whether a field's value is one.
    package static func isSecret(field name: some StringProtocol) -> Bool {
        var read = SecretName()
        for byte in name.utf8 { read.take(byte) }
        return read.isSecret
    }

    /// Whether a field's value begins with a scheme, which may be shown.
    package static func isAuthorization(_ name: String) -> Bool {
        authorization.contains(where: name.equalsIgnoringCase)
    }

    // MARK: - Fields

    /// A field's value as it may be shown.
    package static func shown(_ value: String, ofField name: String) -> String {
        if isAuthorization(name) { return scheme(of: value) }
        return isSecret(field: name) ? mark : shown(value)
    }

    /// The scheme alone; what comes after it is secret.
    package static func scheme(of value: String) -> String {
        let scheme = value.prefix { $0.utf8.allSatisfy(ASCII.isTokenCharacter) }
        // Something without a blank may be a bare secret.
        return value.dropFirst(scheme.count).first == " " ? String(scheme) : "unknown"
    }

    /// Fields as a journal keeps them: schemes in place of credentials.
    package static func kept(_ fields: Fields) -> Fields {
        guard authorization.contains(where: fields.contains) else { return fields }
        return Fields(
            fields.list.map { isAuthorization($0.name) ? Fields.Field($0.name, scheme(of: $0.value)) : $0 })
    }

    // MARK: - Text

    /// A URL, a target, or a text with some.
    package static func shown(_ text: String) -> String {
        guard text.utf8.contains(where: { $0 == ASCII.equals || $0 == ASCII.lineFeed || $0 == UInt8(ascii: "@") })
        else { return text }
        let bytes = Array(text.utf8)
        var scanner = SecretScanner(.text)
        var result: [UInt8] = []
        var end = 0
        for range in scanner.secrets(in: bytes) {
            result += bytes[end..<range.lowerBound] + mark.utf8
            end = range.upperBound
        }
        return String(decoding: result + bytes[end...], as: UTF8.self)
    }
}
