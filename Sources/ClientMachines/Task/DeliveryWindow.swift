/// How much of a body may wait for a slow user or a slow disk.
///
/// It bounds memory, not only what the peer sent: a piece of one byte costs a call and a buffer as well, so that a
/// window never holds more than so many pieces (BEHAVIOUR 1.B2-pieces).
package struct DeliveryWindow: Equatable, Sendable {
    package static let pieces = 512

    package let bytes: Int

    package init(bytes: Int) { self.bytes = bytes }

    /// What a piece with so many bytes counts as, when it is handed out and when it is taken.
    package func charge(for count: Int) -> Int { max(count, bytes / DeliveryWindow.pieces) }
}
