import CZlib
import NIOCore

/// What is wrong with a compressed stream.
package enum InflateError: Error, Hashable, Sendable {
    /// The bytes are not what the coding allows, or their checksum disagrees.
    case corrupt
    /// The input ended before the stream did.
    case truncated
}

/// Undoes one content coding, piece by piece.
///
/// Input is held as it comes, output is pulled: a call never yields more than the caller asked for, so a small input
/// that grows a thousandfold fills no memory. A gzip stream may have several members (RFC 1952 2.2); what follows the
/// end of the stream and is no further member is ignored. So may zstd have several frames (RFC 8878 3.1).
package final class Inflater {
    package enum Coding: Hashable, Sendable {
        case gzip
        /// RFC 1950, or bare RFC 1951 where the zlib header is absent (BEHAVIOUR 2.F28).
        case deflate
        /// RFC 7932, with the system's libbrotlidec.
        case brotli
        /// RFC 8878, with the system's libzstd.
        case zstd

        /// Whether this machine can undo it (BEHAVIOUR 2.F28-system).
        package var isAvailable: Bool {
            switch self {
            case .gzip, .deflate: true
            case .brotli: BrotliStream.isAvailable
            case .zstd: ZstdStream.isAvailable
            }
        }
    }

    private enum State {
        /// The header that tells how to read on is not complete yet.
        case opening
        case inflating
        /// A gzip member, or a frame, has ended; another may follow.
        case betweenMembers
        case ended
        case corrupt
    }

    private let coding: Coding
    private var stream: (any CodedStream)?
    private var state = State.opening
    private var pending = PendingInput()
    /// The last call filled its output, so zlib may have more without more input.
    private var mayHoldOutput = false
    private var lastCapacity = 0

    package init(_ coding: Coding) { self.coding = coding }

    package func feed(_ input: ByteBuffer) {
        switch state {
        case .ended, .corrupt: break
        case .opening, .inflating, .betweenMembers: pending.append(input)
        }
    }

    /// The next at most `maxBytes` decoded bytes; nil when that needs more input, or when the stream has ended.
    package func next(maxBytes: Int) throws(InflateError) -> ByteBuffer? {
        guard maxBytes > 0 else { return nil }
        while true {
            switch state {
            case .opening:
                guard open() else { return nil }
            case .inflating:
                if let output = inflateOnce(maxBytes: maxBytes) { return output }
                if state == .inflating && pending.count == 0 { return nil }
            case .betweenMembers:
                guard beginNextMember() else { return nil }
            case .ended:
                return nil
            case .corrupt:
                throw .corrupt
            }
        }
    }

    /// What is wrong when no more input follows and `next` has nothing more to give; nil when the stream is complete.
    /// No input at all is complete as well: a body may be empty in any coding.
    package func finish() -> InflateError? {
        switch state {
        case .opening: return pending.count == 0 ? nil : .truncated
        case .inflating: return .truncated
        case .betweenMembers, .ended: return nil
        case .corrupt: return .corrupt
        }
    }

    // MARK: Headers

    /// Begins the stream; false when that takes more input.
    private func open() -> Bool {
        guard let (first, second) = pending.firstTwo ?? (coding == .deflate ? nil : pending.first.map { ($0, 0) })
        else {
            return false
        }
        switch coding {
        case .gzip: stream = ZlibStream(windowBits: 16 + MAX_WBITS)
        case .deflate: stream = ZlibStream(windowBits: Self.isZlibHeader(first, second) ? MAX_WBITS : -MAX_WBITS)
        case .brotli: stream = BrotliStream()
        case .zstd: stream = ZstdStream()
        }
        state = stream == nil ? .corrupt : .inflating
        return true
    }

    /// RFC 1950 2.2: method 8, a window of at most 32 KiB, and a header divisible by 31.
    private static func isZlibHeader(_ first: UInt8, _ second: UInt8) -> Bool {
        first & 0x0f == 8 && first >> 4 <= 7 && (UInt16(first) << 8 | UInt16(second)) % 31 == 0
    }

    /// False when it takes more input to tell a further member from trailing bytes.
    private func beginNextMember() -> Bool {
        guard let first = pending.first else { return false }
        if Self.mayBegin(coding, first) {
            guard let (_, second) = pending.firstTwo else { return false }
            if Self.begins(coding, first, second) {
                state = stream?.restart() ?? false ? .inflating : .corrupt
                return true
            }
        }
        end()
        return true
    }

    private static func mayBegin(_ coding: Coding, _ first: UInt8) -> Bool {
        switch coding {
        case .gzip: first == 0x1f
        // A frame, or one that is to be skipped.
        case .zstd: first == 0x28 || first & 0xf0 == 0x50
        case .deflate, .brotli: false
        }
    }

    private static func begins(_ coding: Coding, _ first: UInt8, _ second: UInt8) -> Bool {
        switch coding {
        case .gzip: second == 0x8b
        case .zstd: second == (first == 0x28 ? 0xb5 : 0x2a)
        case .deflate, .brotli: false
        }
    }

    private func end() {
        state = .ended
        pending = PendingInput()
    }

    // MARK: The library

    /// One output buffer's worth; nil when the input at hand gave nothing.
    private func inflateOnce(maxBytes: Int) -> ByteBuffer? {
        guard pending.count > 0 || mayHoldOutput else { return nil }
        let capacity = min(maxBytes, nextCapacity)
        var output = ByteBufferAllocator().buffer(capacity: capacity)
        let written = output.writeWithUnsafeMutableBytes(minimumWritableBytes: capacity) { space in
            inflate(into: UnsafeMutableRawBufferPointer(rebasing: space.prefix(capacity)))
        }
        mayHoldOutput = written == capacity
        lastCapacity = capacity
        return written > 0 ? output : nil
    }

    /// Text shrinks to about a quarter; where it shrank more, each further buffer is twice as large.
    private var nextCapacity: Int {
        let largest = 64 * 1024
        if mayHoldOutput { return min(largest, max(1024, lastCapacity * 2)) }
        return pending.count < largest / 4 ? max(1024, pending.count * 4) : largest
    }

    /// Runs the library until `space` is full or the input at hand is used up; returns how much was written.
    private func inflate(into space: UnsafeMutableRawBufferPointer) -> Int {
        var written = 0
        var mayHoldOutput = mayHoldOutput
        while written < space.count, state == .inflating, pending.count > 0 || mayHoldOutput {
            let target = UnsafeMutableRawBufferPointer(rebasing: space[written...])
            var step = CodedStep()
            pending.consume { input in
                step = stream?.run(input, into: target) ?? CodedStep(outcome: .corrupt)
                return step.used
            }
            written += step.written
            mayHoldOutput = false
            switch step.outcome {
            case .goesOn: break
            case .stalled: return written
            // Members may be as small as they like: what they hold goes into the same output.
            case .ended where coding == .gzip || coding == .zstd:
                state = .betweenMembers
                _ = beginNextMember()
            case .ended: end()
            case .corrupt: state = .corrupt
            }
        }
        // What came before the corrupt place is still good; the error follows with the next call.
        return written
    }
}

/// Buffers that wait to be inflated, in order.
private struct PendingInput {
    private var buffers: [ByteBuffer] = []
    private var used = 0
    private(set) var count = 0

    mutating func append(_ buffer: ByteBuffer) {
        guard buffer.readableBytes > 0 else { return }
        buffers.append(buffer)
        count += buffer.readableBytes
    }

    var first: UInt8? { byte(at: 0) }

    var firstTwo: (UInt8, UInt8)? {
        guard let first = byte(at: 0), let second = byte(at: 1) else { return nil }
        return (first, second)
    }

    private func byte(at offset: Int) -> UInt8? {
        var offset = offset
        for buffer in buffers[used...] {
            if offset < buffer.readableBytes { return buffer.getInteger(at: buffer.readerIndex + offset) }
            offset -= buffer.readableBytes
        }
        return nil
    }

    /// Hands the first buffer (or nothing) to `body`, which returns how many bytes it used.
    mutating func consume(_ body: (UnsafeRawBufferPointer) -> Int) {
        guard used < buffers.count else {
            _ = body(UnsafeRawBufferPointer(start: nil, count: 0))
            return
        }
        let length = buffers[used].withUnsafeReadableBytes(body)
        buffers[used].moveReaderIndex(forwardBy: length)
        count -= length
        if buffers[used].readableBytes == 0 {
            buffers[used] = ByteBuffer()
            used += 1
        }
        if used == buffers.count {
            buffers.removeAll(keepingCapacity: true)
            used = 0
        }
    }
}
