import HTTPBasics
import NIOCore

/// Heads that came a moment ago: most clients send the same one again and again, and byte for byte the same need not be
/// read anew. One for all connections of a server, so that an idle one holds nothing. Confined as its readers are.
package final class RecentHeads {
    /// So many, and none that is longer.
    static let capacity = 4
    static let longest = 1 << 10

    private struct Known {
        let bytes: ByteBuffer
        let reading: Reading
        let head: ReceivedHead
    }

    private var known: [Known] = []
    /// The one that has been there for longest.
    private var oldest = 0

    package init() {}

    /// The head that the bytes begin with, and its length.
    func head(in bytes: ByteBuffer, _ reading: Reading) -> (head: ReceivedHead, count: Int)? {
        for one in known where one.reading == reading {
            let count = one.bytes.readableBytes
            if bytes.getSlice(at: bytes.readerIndex, length: count) == one.bytes { return (one.head, count) }
        }
        return nil
    }

    /// Credentials are not kept for longer than their request.
    ///
    /// - Parameters:
    ///   - bytes: What it was read from.
    ///   - count: How many of them it takes.
    func remember(_ head: ReceivedHead, in bytes: ByteBuffer, count: Int, _ reading: Reading) {
        let hasCredentials = head.fields.list.contains { Secrets.isAuthorization($0.name) }
        guard count <= Self.longest, !hasCredentials else { return }
        // A copy: the buffer's memory is the connection's.
        let one = Known(bytes: ByteBuffer(bytes: bytes.readableBytesView.prefix(count)), reading: reading, head: head)
        if known.count < Self.capacity { return known.append(one) }
        known[oldest] = one
        oldest = (oldest + 1) % Self.capacity
    }
}
