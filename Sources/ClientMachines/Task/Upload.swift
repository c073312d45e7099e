import DequeModule
import HTTPBasics
import NIOCore

/// A request body on its way out: how much went to the transport, how much of that was taken.
struct Upload: Equatable, Sendable {
    /// What one write carries at most, so that progress is reported while a large body goes out.
    static let sliceBytes = 64 * 1024
    /// How much may be written ahead of what the transport has taken.
    static let windowBytes = 256 * 1024
    /// The same for files, of which nothing is held in memory: fewer and larger slices cost less.
    static let fileSliceBytes = 512 * 1024
    static let fileWindowBytes = 1024 * 1024

    /// What goes out with one write.
    enum Slice: Equatable {
        case bytes(ByteBuffer)
        /// Bytes of the file that is open.
        case file(offset: Int64, count: Int)
    }

    /// Where the body comes from.
    private enum Source: Equatable {
        /// All of it is in `rest`.
        case memory
        /// Memory and files, as far as they have not been written.
        case composed(BodyCursor)
        /// A stream that goes out under a length that the caller has told; so much of it has not come yet.
        case measured(missing: DeclaredLength)
        /// A stream that goes out in chunks.
        case chunked
    }

    private var source = Source.memory
    /// What stands before `rest` on the wire and is no part of the body: a chunk's size line, the last chunk.
    private var framing = ByteBuffer()
    private var rest = ByteBuffer()
    private(set) var isReading = false
    /// The file that has to be opened before anything else can go out.
    private(set) var awaitedFile: BodyFile?
    /// The last bytes that were written are the end of a range of a file.
    private var isBehindFile = false
    private var hasEnded = true
    private var inFlight = BytesInFlight()
    /// Nothing of the body leaves before the server has said so, or enough time has passed.
    private(set) var awaitsContinue = false
    private(set) var sent: Int64 = 0
    private var told: Int64 = 0
    private(set) var expected: DeclaredLength? = .zero

    /// Appends the first slice of a body in memory to the head, so that small requests leave in one write. Called once.
    ///
    /// - Parameter offset: So much of the whole the server has from an earlier request.
    mutating func begin(head: ByteBuffer, of request: ClientRequest, from offset: Int64 = 0) -> ByteBuffer {
        (sent, told) = (offset, offset)
        inFlight.add(framing: head.readableBytes)
        awaitsContinue = request.expectsContinue
        switch request.body {
        case .composed(let body):
            expected = DeclaredLength(offset + body.length)
            source = .composed(BodyCursor(body))
            return head
        case .stream:
            expected = request.bodyLength.flatMap { DeclaredLength(offset)?.adding($0) }
            source = request.bodyLength.map { .measured(missing: $0) } ?? .chunked
            hasEnded = false
            return head
        case .bytes(var body):
            expected = DeclaredLength(offset + Int64(body.readableBytes))
            if awaitsContinue {
                rest = body
                return head
            }
            var first = head
            var slice = body.readSlice(length: min(Upload.sliceBytes, body.readableBytes)) ?? ByteBuffer()
            inFlight.add(body: slice.readableBytes)
            first.writeBuffer(&slice)
            rest = body
            return first
        // A file is opened, and composed, before its head is written.
        case .file, nil:
            return head
        }
    }

    /// How far into the body the transport was given bytes.
    var reach: Int64 { sent + Int64(inFlight.body) }

    /// Records what the transport took.
    mutating func took(_ bytes: Int) { sent += Int64(inFlight.took(bytes)) }

    /// The body bytes that were sent since this was last asked.
    mutating func takeUntold() -> Int64 {
        defer { told = sent }
        return sent - told
    }

    /// - Parameter file: The one that is open. Where another one's turn has come, nothing is given, and that becomes
    ///   `awaitedFile`.
    mutating func nextSlice(of file: BodyFile? = nil) -> Slice? {
        guard !awaitsContinue else { return nil }
        if case .composed(let cursor) = source { return nextSlice(from: cursor, file) }
        guard !isFull else { return nil }
        if framing.readableBytes > 0 {
            defer { framing = ByteBuffer() }
            inFlight.add(framing: framing.readableBytes)
            return .bytes(framing)
        }
        guard rest.readableBytes > 0, !isHoldingBack,
            let slice = rest.readSlice(length: min(Upload.sliceBytes, rest.readableBytes))
        else { return nil }
        inFlight.add(body: slice.readableBytes)
        return .bytes(slice)
    }

    private mutating func nextSlice(from place: BodyCursor, _ open: BodyFile?) -> Slice? {
        var cursor = place
        defer { source = .composed(cursor) }
        awaitedFile = nil
        while let stretch = cursor.stretch {
            // Bytes of a file are taken only if it still is what it was: nothing follows them before that is known.
            guard !isBehindFile || inFlight.count == 0 else { return nil }
            let slice: Slice, count: Int
            switch stretch {
            case .bytes(let bytes):
                guard !isFull else { return nil }
                count = min(bytes.readableBytes, Upload.sliceBytes)
                slice = .bytes(bytes.getSlice(at: bytes.readerIndex, length: count) ?? ByteBuffer())
                isBehindFile = false
            case .memory(let memory, let range):
                guard !isFull else { return nil }
                count = min(range.count, Upload.sliceBytes)
                slice = .bytes(memory.bytes.copy(range.lowerBound..<range.lowerBound + Int64(count)))
                isBehindFile = false
            case .file(let file, let range):
                guard file == open else {
                    awaitedFile = file
                    return nil
                }
                guard inFlight.count < Upload.fileWindowBytes else { return nil }
                count = min(range.count, Upload.fileSliceBytes)
                slice = .file(offset: range.lowerBound, count: count)
                isBehindFile = count > 0 && count == range.count
            }
            cursor.advance(by: count)
            guard count > 0 else { continue }
            inFlight.add(body: count)
            return slice
        }
        return nil
    }

    /// Everything was handed to the transport.
    var isHandedOver: Bool {
        if case .composed(let cursor) = source { return cursor.stretch == nil }
        return hasEnded && framing.readableBytes == 0 && rest.readableBytes == 0
    }

    /// Handed over, and the connection may carry another exchange: what a file still owes can break it.
    var isWritten: Bool { isHandedOver && (!isBehindFile || inFlight.count == 0) }

    /// The server wants the body, or has been silent for long enough.
    mutating func goOn() { awaitsContinue = false }

    /// Written, and taken by the transport.
    var isSent: Bool { isWritten && inFlight.count == 0 }

    /// Written, and whatever the transport took of it was told.
    var isTold: Bool { isWritten && (expected == .zero || told == sent && inFlight.count == 0) }

    private var isFull: Bool { inFlight.count >= Upload.windowBytes }

    /// Whether the caller's stream or file is what everything waits for.
    var waitsForCaller: Bool { (isReading || awaitedFile != nil) && inFlight.count == 0 }

    // MARK: - Streams

    /// The bytes that complete the announced length leave only when the stream has said that it ends: a request whose
    /// body is longer than it claims is never completed (BEHAVIOUR 1.I1-mismatch).
    private var isHoldingBack: Bool { source == .measured(missing: 0) && !hasEnded }

    /// True when the stream is to be read again: one read at a time, and none ahead of the window.
    mutating func wantsRead() -> Bool {
        guard !hasEnded, !isReading, !isFull, !awaitsContinue, rest.readableBytes == 0 || isHoldingBack else {
            return false
        }
        isReading = true
        return true
    }

    /// What is wrong with the body, when it is not what was announced.
    enum Mismatch: String { case tooLong = "longer", tooShort = "shorter" }

    /// Takes what a read gave. A read that nobody waits for any more gives nothing.
    mutating func read(_ bytes: ByteBuffer) -> Mismatch? {
        guard isReading else { return nil }
        isReading = false
        switch source {
        case .memory, .composed: break
        case .measured(let missing):
            let count = DeclaredLength(counted: bytes.readableBytes)
            guard count <= missing else { return .tooLong }
            source = .measured(missing: missing.dropping(count))
        case .chunked:
            if bytes.readableBytes > 0 { frame("\(String(bytes.readableBytes, radix: 16))\r\n") }
        }
        // Nothing may be left here unless it is held back, and then there is no more.
        if bytes.readableBytes > 0 { rest = bytes }
        return nil
    }

    /// The stream has no more to give.
    mutating func end() -> Mismatch? {
        guard isReading else { return nil }
        isReading = false
        if case .measured(let missing) = source, missing > .zero { return .tooShort }
        hasEnded = true
        if source == .chunked { frame("0\r\n\r\n") }
        return nil
    }

    /// RFC 9112 7.1: every chunk but the first begins behind the line end of the one before.
    private mutating func frame(_ line: String) {
        if expectsLineEnd { framing.writeStaticString("\r\n") }
        framing.writeString(line)
        expectsLineEnd = true
    }

    private var expectsLineEnd = false
}

/// What the transport has not taken yet, in the order in which it goes: framing, then body, again and again.
private struct BytesInFlight: Equatable, Sendable {
    private struct Stretch: Equatable {
        var framing = 0
        var body = 0
    }

    /// The first stretch stands apart, so that a request without chunks needs no array.
    private var first = Stretch()
    private var later: Deque<Stretch> = []
    private(set) var count = 0
    /// What of it is body.
    private(set) var body = 0

    mutating func add(framing bytes: Int) {
        count += bytes
        if first.framing + first.body == 0 { first.framing = bytes } else { later.append(Stretch(framing: bytes)) }
    }

    mutating func add(body bytes: Int) {
        count += bytes
        body += bytes
        if later.isEmpty { first.body += bytes } else { later[later.count - 1].body += bytes }
    }

    /// Takes away what the transport took, and tells how much of it was body.
    mutating func took(_ bytes: Int) -> Int {
        var left = min(bytes, count)
        count -= left
        var taken = 0
        while left > 0 {
            let ofFraming = min(first.framing, left)
            let ofBody = min(first.body, left - ofFraming)
            first.framing -= ofFraming
            first.body -= ofBody
            taken += ofBody
            left -= ofFraming + ofBody
            guard first == Stretch(), let next = later.popFirst() else { continue }
            first = next
        }
        body -= taken
        return taken
    }
}
