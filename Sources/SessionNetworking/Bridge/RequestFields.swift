#if !canImport(Darwin)
import HTTPBasics

/// What may stand in the head of a request.
enum RequestFields {
    /// A token for a name (RFC 9110 5.1), and what `endsLine` says of the value: what a task sends, resume data hold.
    static func canBeSent(_ name: String, _ value: String) -> Bool { isToken(name) && !endsLine(value) }

    /// Whether a value holds a line end or a NUL, which would let it add fields or a whole request (RFC 9110 5.5).
    static func endsLine(_ value: String) -> Bool { value.utf8.contains { ASCII.isLineEnd($0) || $0 == 0 } }

    static func isToken(_ text: String) -> Bool {
        !text.isEmpty && text.utf8.allSatisfy(ASCII.isTokenCharacter)
    }
}
#endif
