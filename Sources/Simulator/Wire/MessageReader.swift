import HTTPBasics
import NIOCore

/// Divides one direction of a connection into heads, framing and bodies, for judging; never for acting.
struct MessageReader {
    enum Event: Equatable {
        case head(MessageHead, bytes: Int)
        case framing(Int)
        case body(ByteBuffer)
        case end
        /// From here on nothing can be said; with the number of bytes that could not be placed.
        case unsure(Int)
    }

    private enum State: Equatable {
        case head
        case length(Int)
        case chunkSize
        case chunkData(Int)
        case chunkDataEnd
        case trailers
        case untilClose
        case unsure
    }

    private static let headLimit = 1 << 20
    private static let lineLimit = 64 * 1024

    private var state = State.head
    /// The head or line that is being collected.
    private var text: [UInt8] = []
    private var matched = 0

    /// Whether a message is under way.
    var isBetweenMessages: Bool { state == .head && text.isEmpty }

    mutating func read(
        _ bytes: ByteBuffer, framing: (MessageHead) -> BodyFraming?, _ emit: (Event) -> Void
    ) {
        var bytes = bytes
        while bytes.readableBytes > 0 {
            switch state {
            case .head: readHead(&bytes, framing, emit)
            case .length(let left): readBody(&bytes, left, then: nil, emit)
            case .chunkData(let left): readBody(&bytes, left, then: .chunkDataEnd, emit)
            case .chunkSize, .chunkDataEnd, .trailers: readLine(&bytes, emit)
            case .untilClose:
                emit(.body(bytes))
                return
            case .unsure:
                emit(.unsure(bytes.readableBytes))
                return
            }
        }
    }

    /// The sender has finished: what ends a body that nothing else ends.
    mutating func finish(_ emit: (Event) -> Void) {
        guard state == .untilClose else { return }
        state = .head
        emit(.end)
    }

    private mutating func readHead(
        _ bytes: inout ByteBuffer, _ framing: (MessageHead) -> BodyFraming?, _ emit: (Event) -> Void
    ) {
        guard collect(&bytes, until: 4, limit: Self.headLimit) else { return }
        let count = text.count
        guard matched == 4, let head = MessageHead(text), let found = framing(head) else {
            return giveUp(emit)
        }
        startLine()
        emit(.head(head, bytes: count))
        switch found {
        case .length(0): emit(.end)
        case .length(let length): state = .length(length)
        case .chunked: state = .chunkSize
        case .untilClose: state = .untilClose
        }
    }

    private mutating func readBody(
        _ bytes: inout ByteBuffer, _ left: Int, then next: State?, _ emit: (Event) -> Void
    ) {
        guard let slice = bytes.readSlice(length: min(left, bytes.readableBytes)) else { return }
        emit(.body(slice))
        let rest = left - slice.readableBytes
        if rest > 0 {
            if case .chunkData = state { state = .chunkData(rest) } else { state = .length(rest) }
        } else if let next {
            state = next
        } else {
            state = .head
            emit(.end)
        }
    }

    private mutating func readLine(_ bytes: inout ByteBuffer, _ emit: (Event) -> Void) {
        guard collect(&bytes, until: 2, limit: Self.lineLimit) else { return }
        guard matched == 2 else { return giveUp(emit) }
        let count = text.count
        let line = text.dropLast(2)
        switch state {
        case .chunkDataEnd where line.isEmpty: state = .chunkSize
        case .chunkSize:
            let digits = line.prefix { $0 != UInt8(ascii: ";") }
            guard let size = Int(String(decoding: digits, as: UTF8.self), radix: 16), size >= 0,
                digits.first != UInt8(ascii: "+"), digits.first != UInt8(ascii: "-")
            else { return giveUp(emit) }
            state = size == 0 ? .trailers : .chunkData(size)
        case .trailers: if line.isEmpty { state = .head }
        default: return giveUp(emit)
        }
        startLine()
        emit(.framing(count))
        if state == .head { emit(.end) }
    }

    private mutating func giveUp(_ emit: (Event) -> Void) {
        let count = text.count
        startLine()
        state = .unsure
        emit(.unsure(count))
    }

    private mutating func startLine() {
        text.removeAll(keepingCapacity: true)
        matched = 0
    }

    /// Moves bytes into `text` up to the end of `length` bytes of CRLFs; true at the end, at the limit, or at an LF
    /// without its CR, which may or may not end a line.
    private mutating func collect(_ bytes: inout ByteBuffer, until length: Int, limit: Int) -> Bool {
        var taken = 0
        var isOdd = false
        bytes.withUnsafeReadableBytes { raw in
            for byte in raw {
                isOdd = byte == ASCII.lineFeed && text.last != ASCII.carriageReturn
                text.append(byte)
                taken += 1
                let expected = matched & 1 == 0 ? ASCII.carriageReturn : ASCII.lineFeed
                matched = byte == expected ? matched + 1 : byte == ASCII.carriageReturn ? 1 : 0
                if matched == length || text.count >= limit || isOdd { break }
            }
        }
        bytes.moveReaderIndex(forwardBy: taken)
        return matched == length || text.count >= limit || isOdd
    }
}
