import NIOCore
import SessionNetworking

/// What stands beside a kept body on disk: what can be read is written as it was.
enum KeptHeadFuzz {
    static func check(_ bytes: ByteBuffer) throws {
        let bytes = Array(bytes.readableBytesView)
        guard let head = KeptHead(bytes) else { return }
        try demand(KeptHead(head.bytes), equals: head, "another head")
    }
}
