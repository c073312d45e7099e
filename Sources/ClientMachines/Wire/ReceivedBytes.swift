import DequeModule
import NIOCore

/// What has arrived and was not pulled yet, in the buffers in which it came.
struct ReceivedBytes {
    /// Empty only when nothing at all is held.
    private(set) var front = ByteBuffer()
    private var later = Deque<ByteBuffer>()
    private(set) var count = 0

    mutating func append(_ buffer: ByteBuffer) {
        guard buffer.readableBytes > 0 else { return }
        if count == 0 { front = buffer } else { later.append(buffer) }
        count += buffer.readableBytes
    }

    /// At most `limit` bytes as a slice of the front buffer; nil when nothing is held.
    mutating func take(atMost limit: Int) -> ByteBuffer? {
        let length = min(max(0, limit), front.readableBytes)
        guard length > 0 else { return nil }
        if length == front.readableBytes {
            count -= length
            let whole = front
            front = later.popFirst() ?? ByteBuffer()
            return whole
        }
        guard let slice = front.readSlice(length: length) else { return nil }
        count -= length
        return slice
    }

    mutating func drop(_ length: Int) { _ = take(atMost: length) }

    /// Puts the next buffer's bytes behind the front ones, for what must lie in one piece; false when there is none.
    mutating func joinNext() -> Bool {
        guard var next = later.popFirst() else { return false }
        front.writeBuffer(&next)
        return true
    }

    mutating func removeAll() { self = ReceivedBytes() }
}
