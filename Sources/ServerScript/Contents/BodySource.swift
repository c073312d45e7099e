import NIOCore

/// A body as it leaves: bytes that a script writes out are shared by all answers, generated ones are made when they are
/// due.
enum BodySource {
    case held(ByteBuffer)
    case generated(Content)

    /// `content` is plain.
    init(_ content: Content) {
        if case .bytes(let bytes) = content {
            self = .held(ByteBuffer(bytes: bytes))
        } else if case .text(let text) = content {
            self = .held(ByteBuffer(string: text))
        } else {
            self = .generated(content)
        }
    }

    var count: Int {
        switch self {
        case .held(let bytes): bytes.readableBytes
        case .generated(let content): content.count
        }
    }

    /// Adds `count` bytes from `offset` on, which must be there; alone, they are not copied.
    func append(from offset: Int, count: Int, to buffer: inout ByteBuffer) {
        switch self {
        case .generated(let content): content.append(from: offset, count: count, to: &buffer)
        case .held(let bytes):
            guard var slice = bytes.getSlice(at: bytes.readerIndex + offset, length: count) else { return }
            if buffer.readableBytes == 0 { buffer = slice } else { buffer.writeBuffer(&slice) }
        }
    }
}
