/// A text that no description, dump or log shows.
package struct SecretText: Hashable, Sendable {
    package let text: String

    package init(_ text: String) { self.text = text }
}

extension SecretText: ExpressibleByStringLiteral {
    package init(stringLiteral text: String) { self.init(text) }
}

extension SecretText: CustomStringConvertible, CustomReflectable {
    package var description: String { Secrets.mark }

    package var customMirror: Mirror { Mirror(self, children: []) }
}
