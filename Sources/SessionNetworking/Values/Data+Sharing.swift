#if !canImport(Darwin)
import Foundation
import NIOCore
import NIOFoundationCompat

extension Data {
    /// Below this a copy costs less than keeping a whole receive buffer alive.
    private static let leastShared = 16 * 1024

    /// The readable bytes. Many of them stay where they were received instead of being copied, if they are a good part
    /// of what is kept alive with them.
    init(sharing buffer: ByteBuffer) {
        let isShared = buffer.readableBytes >= Self.leastShared && buffer.readableBytes * 4 >= buffer.storageCapacity
        self.init(buffer: buffer, byteTransferStrategy: isShared ? .noCopy : .copy)
    }
}
#endif
