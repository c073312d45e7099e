import HTTPBasics
import NIOCore

/// A request body on its way out: how much the task has handed to its connection, how much of that was taken.
struct OutgoingBody: Equatable, Sendable {
    /// What one part carries at most, so that progress is reported while a large body goes out.
    static let partBytes = 64 * 1024
    /// How much may be handed over ahead of what the transport has taken.
    static let windowBytes = 256 * 1024
    /// The same for files, of which nothing is held in memory: fewer and larger parts cost less.
    static let filePartBytes = 512 * 1024
    static let fileWindowBytes = 1024 * 1024

    /// Where the body comes from.
    private enum Source: Equatable {
        /// All of it is in `rest`.
        case memory
        /// Memory and files, as far as they have not been handed over.
        case composed(BodyCursor)
        /// A stream. Of one that goes out under a length that the caller has told, so much has not come yet.
        case stream(missing: DeclaredLength?)
    }

    private var source = Source.memory
    private var rest = ByteBuffer()
    private(set) var isReading = false
    /// The file that has to be opened before anything else can go out.
    private(set) var awaitedFile: BodyFile?
    /// The last bytes that were handed over are the end of a range of a file.
    private var isBehindFile = false
    /// The stream has no more to give.
    private var hasEnded = true
    /// The connection knows that nothing follows.
    private var saidEnd = true
    /// Body bytes that were handed over and not taken.
    private var inFlight = 0
    /// Something of the request was handed over and not taken, be it head or framing.
    private var isOnItsWay = false
    /// Nothing of the body leaves before the server has said so, or enough time has passed.
    private(set) var awaitsContinue = false
    private(set) var sent: Int64 = 0
    private var told: Int64 = 0
    private(set) var expected: DeclaredLength? = .zero

    /// What goes out with the head: of a body in memory the first part. Called once.
    ///
    /// - Parameter offset: So much of the whole the server has from an earlier request.
    mutating func begin(_ request: ClientRequest, from offset: Int64 = 0) -> BodyStart {
        (sent, told) = (offset, offset)
        (isOnItsWay, saidEnd) = (true, request.isBodyEmpty)
        awaitsContinue = request.expectsContinue
        switch request.body {
        case .composed(let body):
            expected = DeclaredLength(offset + body.length)
            source = .composed(BodyCursor(body))
        case .stream:
            expected = request.bodyLength.flatMap { DeclaredLength(offset)?.adding($0) }
            source = .stream(missing: request.bodyLength)
            hasEnded = false
        case .bytes(let body):
            expected = DeclaredLength(offset + Int64(body.readableBytes))
            rest = body
            if !awaitsContinue, let part = rest.readSlice(length: min(Self.partBytes, body.readableBytes)) {
                inFlight = part.readableBytes
                saidEnd = rest.readableBytes == 0
                return BodyStart(bytes: part, isWhole: saidEnd)
            }
        // A file is opened, and composed, before its head is said.
        case .file, nil: break
        }
        return BodyStart(isWhole: saidEnd)
    }

    /// How far into the body the transport was given bytes.
    var reach: Int64 { sent + Int64(inFlight) }

    /// Records what the transport took.
    mutating func took(_ bytes: SentBytes) {
        sent += Int64(bytes.body)
        inFlight -= bytes.body
        isOnItsWay = bytes.left > 0
    }

    /// The body bytes that were sent since this was last asked.
    mutating func takeUntold() -> Int64 {
        defer { told = sent }
        return sent - told
    }

    /// - Parameter file: The one that is open. Where another one's turn has come, nothing is given, and that becomes
    ///   `awaitedFile`.
    mutating func nextPart(of file: BodyFile? = nil) -> BodyPart? {
        guard !awaitsContinue else { return nil }
        if let part = nextBytes(of: file) {
            isOnItsWay = true
            return part
        }
        guard !saidEnd, canEnd else { return nil }
        saidEnd = true
        // Where no length stands in the head, the end goes over the wire by itself.
        if source == .stream(missing: nil) { isOnItsWay = true }
        return .end
    }

    private var canEnd: Bool {
        switch source {
        case .memory: rest.readableBytes == 0
        case .composed(let cursor): cursor.stretch == nil && (!isBehindFile || inFlight == 0)
        case .stream: hasEnded && rest.readableBytes == 0
        }
    }

    private mutating func nextBytes(of file: BodyFile?) -> BodyPart? {
        if case .composed(let cursor) = source { return nextBytes(from: cursor, file) }
        guard !isFull, rest.readableBytes > 0, !isHoldingBack,
            let part = rest.readSlice(length: min(Self.partBytes, rest.readableBytes))
        else { return nil }
        inFlight += part.readableBytes
        return .bytes(part)
    }

    private mutating func nextBytes(from place: BodyCursor, _ open: BodyFile?) -> BodyPart? {
        var cursor = place
        defer { source = .composed(cursor) }
        awaitedFile = nil
        while let stretch = cursor.stretch {
            // Bytes of a file are taken only if it still is what it was: nothing follows them before that is known.
            guard !isBehindFile || inFlight == 0 else { return nil }
            let part: BodyPart, count: Int
            switch stretch {
            case .bytes(let bytes):
                guard !isFull else { return nil }
                count = min(bytes.readableBytes, Self.partBytes)
                part = .bytes(bytes.getSlice(at: bytes.readerIndex, length: count) ?? ByteBuffer())
                isBehindFile = false
            case .memory(let memory, let range):
                guard !isFull else { return nil }
                count = min(range.count, Self.partBytes)
                part = .bytes(memory.bytes.copy(range.lowerBound..<range.lowerBound + Int64(count)))
                isBehindFile = false
            case .file(let file, let range):
                guard file == open else {
                    awaitedFile = file
                    return nil
                }
                guard inFlight < Self.fileWindowBytes else { return nil }
                count = min(range.count, Self.filePartBytes)
                part = .file(offset: range.lowerBound, count: count)
                isBehindFile = count > 0 && count == range.count
            }
            cursor.advance(by: count)
            guard count > 0 else { continue }
            inFlight += count
            return part
        }
        return nil
    }

    /// Everything was handed over.
    var isHandedOver: Bool {
        switch source {
        case .memory: rest.readableBytes == 0
        case .composed(let cursor): cursor.stretch == nil
        case .stream: saidEnd
        }
    }

    /// Handed over, and the connection may carry another exchange: what a file still owes can break it.
    var isWritten: Bool { isHandedOver && (!isBehindFile || inFlight == 0) }

    /// The server wants the body, or has been silent for long enough.
    mutating func goOn() { awaitsContinue = false }

    /// Written, and taken by the transport.
    var isSent: Bool { isWritten && !isOnItsWay }

    /// Written, and what the transport took of it was told.
    var isTold: Bool { isWritten && (expected == .zero || told == sent && !isOnItsWay) }

    private var isFull: Bool { inFlight >= Self.windowBytes }

    /// Whether the caller's stream or file is what everything waits for.
    var waitsForCaller: Bool { (isReading || awaitedFile != nil) && !isOnItsWay }

    // MARK: - Streams

    /// The bytes that complete the announced length leave only when the stream has said that it ends: a request whose
    /// body is longer than it claims is never completed (BEHAVIOUR 1.I1-mismatch).
    private var isHoldingBack: Bool { source == .stream(missing: .zero) && !hasEnded }

    /// True when the stream is to be read again: one read at a time, and none ahead of the window.
    mutating func wantsRead() -> Bool {
        guard !hasEnded, !isReading, !isFull, !awaitsContinue, rest.readableBytes == 0 || isHoldingBack else {
            return false
        }
        isReading = true
        return true
    }

    /// What is wrong with the body, when it is not what was announced.
    enum WrongLength: String { case tooLong = "longer", tooShort = "shorter" }

    /// Takes what a read gave. A read that is not awaited any more gives nothing.
    mutating func read(_ bytes: ByteBuffer) -> WrongLength? {
        guard isReading else { return nil }
        isReading = false
        if case .stream(let missing?) = source {
            let count = DeclaredLength(counted: bytes.readableBytes)
            guard count <= missing else { return .tooLong }
            source = .stream(missing: missing.dropping(count))
        }
        // Nothing may be left here unless it is held back, and then there is no more.
        if bytes.readableBytes > 0 { rest = bytes }
        return nil
    }

    /// The stream has no more to give.
    mutating func end() -> WrongLength? {
        guard isReading else { return nil }
        isReading = false
        if case .stream(let missing?) = source, missing > .zero { return .tooShort }
        hasEnded = true
        return nil
    }
}
