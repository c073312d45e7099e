import NIOCore

/// What goes out together with the head.
package struct BodyStart: Equatable, Sendable {
    /// The first bytes of the body, as far as they are in memory and few.
    package var bytes = ByteBuffer()
    /// Nothing follows.
    package var isWhole: Bool

    /// There is no body: the request ends with its head.
    var isAbsent: Bool { isWhole && bytes.readableBytes == 0 }
}

/// One piece of a body, as a task says it behind the head.
package enum BodyPart: Equatable, Sendable {
    case bytes(ByteBuffer)
    /// Bytes of the file that the task has open.
    case file(offset: Int64, count: Int)
    /// Nothing follows.
    case end
}
