/// One range of a Range field (RFC 9110 14.1.2), counted from 0.
package struct ByteRange: Hashable, Sendable, CustomStringConvertible {
    package var first: Int64
    /// Nil means up to the end.
    package var last: Int64?

    package init(from first: Int64, through last: Int64? = nil) {
        self.first = first
        self.last = last
    }

    /// The field value, such as `bytes=500-`.
    package var description: String { "bytes=\(first)-" + (last.map { String($0) } ?? "") }
}
