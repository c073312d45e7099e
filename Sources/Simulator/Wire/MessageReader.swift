import HTTPBasics
import NIOCore

/// Divides one direction of a connection into heads, framing and bodies, for judging; never for acting.
///
/// Events are pulled, and after each head its reader says by `expect` how the body ends.
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
        case ended
        case unsure
    }

    private static let headLimit = 1 << 20
    private static let lineLimit = 64 * 1024

    private var state = State.head
    private var head = MessageHead()
    /// Bytes of this head before the present line.
    private var headBytes = 0
    /// The beginning of a line whose end has not come.
    private var text: [UInt8] = []

    /// How the body ends that follows the head; nil when that is unknown.
    mutating func expect(_ framing: MessageFraming?) {
        switch framing {
        case .length(let length): state = length == 0 ? .ended : .length(length)
        case .chunked: state = .chunkSize
        case .untilClose: state = .untilClose
        case nil: state = .unsure
        }
    }

    /// What the bytes begin with; nil when they are used up.
    mutating func next(_ bytes: inout ByteBuffer) -> Event? {
        if state == .ended {
            state = .head
            return .end
        }
        while bytes.readableBytes > 0 {
            switch state {
            case .head: if let event = readHeadLine(&bytes) { return event }
            case .length(let left):
                return readBody(&bytes, left) { $0 == 0 ? .ended : .length($0) }
            case .chunkData(let left):
                return readBody(&bytes, left) { $0 == 0 ? .chunkDataEnd : .chunkData($0) }
            case .chunkSize, .chunkDataEnd, .trailers: if let event = readFramingLine(&bytes) { return event }
            case .untilClose: return readBody(&bytes, .max) { _ in .untilClose }
            case .ended, .unsure:
                defer { bytes.moveReaderIndex(to: bytes.writerIndex) }
                return .unsure(bytes.readableBytes)
            }
        }
        return nil
    }

    /// The sender has finished: what ends a body that nothing else ends.
    mutating func finish() -> Event? {
        guard state == .untilClose else { return nil }
        state = .head
        return .end
    }

    private mutating func readBody(_ bytes: inout ByteBuffer, _ left: Int, _ next: (Int) -> State) -> Event? {
        guard let slice = bytes.readSlice(length: min(left, bytes.readableBytes)) else { return nil }
        state = next(left - slice.readableBytes)
        return .body(slice)
    }

    private mutating func readHeadLine(_ bytes: inout ByteBuffer) -> Event? {
        var head = head
        let line = readLine(&bytes, limit: Self.headLimit - headBytes) { line in
            if line.isEmpty && !head.isEmpty { return true }
            head.take(line)
            return false
        }
        switch line {
        case .partial: return nil
        case .odd(let count): return giveUp(headBytes + count)
        case .whole(let isLast, let count):
            headBytes += count
            self.head = head
            guard isLast else { return nil }
        }
        let count = headBytes
        self.head = MessageHead()
        headBytes = 0
        guard head.isSound else { return giveUp(count) }
        return .head(head, bytes: count)
    }

    private mutating func readFramingLine(_ bytes: inout ByteBuffer) -> Event? {
        let before = state
        let line = readLine(&bytes, limit: Self.lineLimit) { Self.state(after: $0, in: before) }
        switch line {
        case .partial: return nil
        case .odd(let count), .whole(nil, let count): return giveUp(count)
        case .whole(let next?, let count):
            state = next
            return .framing(count)
        }
    }

    private static func state(after line: UnsafeRawBufferPointer, in state: State) -> State? {
        switch state {
        case .chunkDataEnd: return line.isEmpty ? .chunkSize : nil
        case .trailers: return line.isEmpty ? .ended : .trailers
        case .chunkSize:
            let digits = line.prefix { $0 != ASCII.semicolon }
            guard let first = digits.first, ASCII.isHexDigit(first),
                let size = Int(String(decoding: digits, as: UTF8.self), radix: 16)
            else { return nil }
            return size == 0 ? .trailers : .chunkData(size)
        default: return nil
        }
    }

    private mutating func giveUp(_ count: Int) -> Event {
        text.removeAll(keepingCapacity: true)
        state = .unsure
        return .unsure(count)
    }
}

// MARK: - Lines

extension MessageReader {
    private enum Line<Value> {
        /// Its end has not come yet.
        case partial
        /// With what was made of it, and its length with CRLF.
        case whole(Value, Int)
        /// Too long, or its LF has no CR and may or may not end it; with the bytes that were read.
        case odd(Int)
    }

    /// Shows the next line, without its CRLF, to `body`.
    private mutating func readLine<Value>(
        _ bytes: inout ByteBuffer, limit: Int, _ body: (UnsafeRawBufferPointer) -> Value
    ) -> Line<Value> {
        let before = text.count
        let line = bytes.withUnsafeReadableBytes { raw -> Line<Value> in
            let whole = raw.firstIndex(of: ASCII.lineFeed).map { UnsafeRawBufferPointer(rebasing: raw[...$0]) }
            if before == 0, let whole { return Self.line(whole, limit, body) }
            text.append(contentsOf: whole ?? raw)
            guard whole != nil else { return text.count < limit ? .partial : .odd(text.count) }
            return text.withUnsafeBytes { Self.line($0, limit, body) }
        }
        switch line {
        case .partial: bytes.moveReaderIndex(to: bytes.writerIndex)
        case .whole(_, let count), .odd(let count):
            bytes.moveReaderIndex(forwardBy: count - before)
            text.removeAll(keepingCapacity: true)
        }
        return line
    }

    private static func line<Value>(
        _ line: UnsafeRawBufferPointer, _ limit: Int, _ body: (UnsafeRawBufferPointer) -> Value
    ) -> Line<Value> {
        let isOdd = line.count < 2 || line[line.count - 2] != ASCII.carriageReturn
        guard !isOdd, line.count <= limit else { return .odd(line.count) }
        return .whole(body(UnsafeRawBufferPointer(rebasing: line.dropLast(2))), line.count)
    }
}
