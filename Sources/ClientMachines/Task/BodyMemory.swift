import NIOCore

/// Bytes of the caller's that stay where they are while they are sent: a body may be larger than a buffer can be, or
/// than would bear a second copy (BEHAVIOUR 1.I1-large). Immutable.
package protocol BodyBytes: AnyObject, Sendable {
    var count: Int64 { get }

    /// - Parameter range: Within the bytes, and small enough for one buffer.
    func copy(_ range: Range<Int64>) -> ByteBuffer
}

/// The same as a value. Two are equal if they are one object: to compare gibibytes costs too much.
package struct BodyMemory: Hashable, Sendable {
    package let bytes: any BodyBytes

    package init(_ bytes: any BodyBytes) { self.bytes = bytes }

    package static func == (left: BodyMemory, right: BodyMemory) -> Bool { left.bytes === right.bytes }

    package func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(bytes)) }
}
