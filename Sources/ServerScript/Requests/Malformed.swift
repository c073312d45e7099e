/// A named violation of a format by the client. The text never quotes what may be secret.
package struct Malformed: Error, Hashable, Sendable {
    package let text: String

    package init(_ text: String) { self.text = text }
}
