import NIOCore

/// A request body on its way out: how much went to the transport, how much of that was taken.
struct Upload: Equatable, Sendable {
    /// What one write carries at most, so that progress is reported while a large body goes out.
    static let sliceBytes = 64 * 1024
    /// How much may be written ahead of what the transport has taken.
    static let windowBytes = 256 * 1024

    private var rest = ByteBuffer()
    private var headLeft = 0
    private var inFlight = 0
    private(set) var sent: Int64 = 0
    private var told: Int64 = 0
    private(set) var expected: Int64 = 0

    /// Appends the first slice of the body to the head, so that small requests leave in one write.
    mutating func begin(head: ByteBuffer, body: ByteBuffer?) -> ByteBuffer {
        self = Upload()
        headLeft = head.readableBytes
        guard var body, body.readableBytes > 0 else { return head }
        expected = Int64(body.readableBytes)
        var first = head
        var slice = body.readSlice(length: min(Upload.sliceBytes, body.readableBytes)) ?? ByteBuffer()
        inFlight = slice.readableBytes
        first.writeBuffer(&slice)
        rest = body
        return first
    }

    /// Records what the transport took.
    mutating func took(_ bytes: Int) {
        let ofHead = min(headLeft, bytes)
        headLeft -= ofHead
        let ofBody = min(bytes - ofHead, inFlight)
        inFlight -= ofBody
        sent += Int64(ofBody)
    }

    /// The body bytes that were sent since this was last asked.
    mutating func takeUntold() -> Int64 {
        defer { told = sent }
        return sent - told
    }

    mutating func nextSlice() -> ByteBuffer? {
        guard rest.readableBytes > 0, inFlight < Upload.windowBytes else { return nil }
        let slice = rest.readSlice(length: min(Upload.sliceBytes, rest.readableBytes))
        inFlight += slice?.readableBytes ?? 0
        return slice
    }

    /// Everything was handed to the transport; only then may the connection carry another exchange.
    var isWritten: Bool { rest.readableBytes == 0 }
}
