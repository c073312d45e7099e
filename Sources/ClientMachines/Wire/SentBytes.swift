/// What the transport has taken of one request.
package struct SentBytes: Hashable, Sendable {
    /// On the wire, with head and framing.
    package let wire: Int
    /// Of the body itself.
    package let body: Int
    /// On the wire, of what was said so far and is still to be taken.
    package let left: Int

    package init(wire: Int, body: Int, left: Int = 0) {
        self.wire = wire
        self.body = body
        self.left = left
    }
}
