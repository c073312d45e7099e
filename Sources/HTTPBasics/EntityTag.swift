/// RFC 9110 8.8.3.
package struct EntityTag: Hashable, Sendable, CustomStringConvertible {
    package var isWeak: Bool
    /// What stands between the quotation marks.
    package var opaque: String

    package init(_ opaque: String, isWeak: Bool = false) {
        self.opaque = opaque
        self.isWeak = isWeak
    }

    /// A whole field value. Blanks inside the quotes are accepted, as RFC 2616 did; a tag without quotes is none.
    package init?(parsing value: some StringProtocol) {
        let bytes = Substring(value.trimmingWhitespace).utf8
        let isWeak = bytes.starts(with: "W/".utf8)
        let quoted = isWeak ? bytes.dropFirst(2) : bytes
        guard quoted.count >= 2, quoted.first == ASCII.quote, quoted.last == ASCII.quote else { return nil }
        let inner = quoted.dropFirst().dropLast()
        guard !inner.contains(where: { $0 == ASCII.quote || $0 < ASCII.space || $0 == 127 }) else { return nil }
        self.init(String(Substring(inner)), isWeak: isWeak)
    }

    /// The field value.
    package var description: String { (isWeak ? "W/\"" : "\"") + opaque + "\"" }

    /// The same bytes: what joining two parts needs (RFC 9110 8.8.3.2).
    package func stronglyMatches(_ other: EntityTag) -> Bool {
        !isWeak && !other.isWeak && opaque.utf8.elementsEqual(other.opaque.utf8)
    }

    /// Good enough to be taken for each other, as a cache needs.
    package func weaklyMatches(_ other: EntityTag) -> Bool { opaque.utf8.elementsEqual(other.opaque.utf8) }
}
