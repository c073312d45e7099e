#if !canImport(Darwin)
import Foundation
import NIOCore
import NIOFoundationCompat

extension Data {
    /// Below this a copy costs less than keeping a whole receive buffer alive.
    private static let leastShared = 16 * 1024

    /// The readable bytes. Many of them stay where they were received instead of being copied.
    init(sharing buffer: ByteBuffer) {
        self.init(
            buffer: buffer, byteTransferStrategy: buffer.readableBytes < Self.leastShared ? .copy : .noCopy)
    }
}
#endif
