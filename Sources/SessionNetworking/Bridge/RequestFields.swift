#if !canImport(Darwin)
import HTTPBasics

/// What may stand in the head of a request.
enum RequestFields {
    /// RFC 9110 5.1 and 5.5: a token for a name, and no control character in a value, least of all a line end, which
    /// would let a value add fields or a whole request.
    static func canBeSent(_ name: String, _ value: String) -> Bool {
        isToken(name) && value.utf8.allSatisfy { $0 >= ASCII.space && $0 != 127 || $0 == ASCII.tab }
    }

    /// Whether a value holds a line end or a NUL.
    static func endsLine(_ value: String) -> Bool { value.utf8.contains { $0 == 13 || $0 == 10 || $0 == 0 } }

    static func isToken(_ text: String) -> Bool {
        !text.isEmpty && text.utf8.allSatisfy(ASCII.isTokenCharacter)
    }
}
#endif
