import HTTPBasics
import NIOCore

/// Reads the responses of one HTTP/1.1 connection, one request at a time (RFC 9112).
///
/// Pull-based: `feed` only stores, `next` takes out one event. What is not pulled stays inside unread, so a caller may
/// let a body wait until the user has answered a question. Body events are slices of the buffers that were fed.
///
///     idle --begin--> head --> length | chunked | untilClose | ending --> idle
///     head <--1xx--'      any of these but idle --> failed
package struct ResponseReader {
    package enum Event: Equatable, Sendable {
        /// 1xx but 101 (BEHAVIOUR 2.I1).
        case informational(ResponseHead)
        /// `contentLength` is what a usable Content-Length declares, nil when there is none. After HEAD, 204 and 304 no
        /// body follows all the same.
        case head(ResponseHead, contentLength: DeclaredLength?)
        case body(ByteBuffer)
        /// The response is complete. Nil: the connection may be used again.
        case end(CloseReason?)
        /// Nothing follows.
        case failed(WireFailure)
    }

    private enum Phase: Equatable {
        case idle, head
        case length(remaining: DeclaredLength)
        case chunked, untilClose
        /// The head was given out and no body follows.
        case ending
        case failed
    }

    private enum InputEnd { case open, closed, broken }

    private let limits: WireLimits
    private var phase = Phase.idle
    private var input = ReceivedBytes()
    private var inputEnd = InputEnd.open
    private var method = BodyFraming.RequestMethod()
    private var section = HeaderSectionReader()
    private var chunks = ChunkedReader()
    private var informationalResponses = 0
    private var closeReason: CloseReason?
    /// Since `begin`: all that was fed, and heads that were given out.
    private var fedBytes: Int64 = 0
    private var headBytes: Int64 = 0
    private var hasHead = false
    /// Bytes came before the request that is being answered.
    private var isUnsolicited = false

    /// Whether any byte of an answer came since `begin`: decides the transparent retry (BEHAVIOUR 1.E1).
    package private(set) var hasReceivedAnyByte = false

    package init(limits: WireLimits) { self.limits = limits }

    /// Bytes that were fed and not pulled. On an idle connection they mean that it must be closed (BEHAVIOUR 2.I41).
    package var bufferedByteCount: Int { input.count }

    /// How much of the response has come, heads of informational answers included; what stands behind its end is none
    /// of it. The body counts as it is on the wire.
    package var receivedBytes: (head: Int64, body: Int64) {
        guard hasHead else { return (fedBytes, 0) }
        return (headBytes, fedBytes - headBytes - (phase == .idle ? Int64(input.count) : 0))
    }

    /// The next response answers a request with this method. Call it when the request begins to be written; it has no
    /// effect while a response is being read, or after a failure.
    package mutating func begin(method name: String) {
        guard phase == .idle else { return }
        method = BodyFraming.RequestMethod(name)
        informationalResponses = 0
        hasReceivedAnyByte = false
        (fedBytes, headBytes, hasHead) = (0, 0, false)
        // Taken for an answer, such bytes would shift all later answers by one.
        isUnsolicited = input.count > 0
        phase = .head
    }

    package mutating func feed(_ bytes: ByteBuffer) {
        guard bytes.readableBytes > 0, phase != .failed, inputEnd == .open else { return }
        if phase != .idle && !isUnsolicited { hasReceivedAnyByte = true }
        fedBytes += Int64(bytes.readableBytes)
        input.append(bytes)
    }

    /// No more bytes will be fed. `cleanly`: by FIN; a reset must not pass for the end of a body.
    package mutating func inputClosed(cleanly: Bool) {
        if inputEnd == .open { inputEnd = cleanly ? .closed : .broken }
    }

    /// The next event; nil when it takes more bytes, or `begin`.
    package mutating func next() -> Event? {
        switch phase {
        case .idle, .failed: return nil
        case .head: return nextOfHead()
        case .length(let remaining): return nextOfLength(remaining)
        case .chunked: return nextOfChunks()
        case .untilClose: return nextUntilClose()
        case .ending: return end()
        }
    }

    /// The body that will be given out, if all of it is here, in one piece, and the response ends well with it.
    package var wholeRest: ByteBuffer? {
        switch phase {
        case .ending where input.count == 0: return ByteBuffer()
        case .length(DeclaredLength(counted: input.count)) where input.front.readableBytes == input.count:
            return input.front
        default: return nil
        }
    }

    /// How much of the body is sure to come besides what was fed: 0 outside of a body that has a length.
    package var missingBytes: Int {
        guard case .length(let remaining) = phase else { return 0 }
        return remaining.dropping(DeclaredLength(counted: input.count)).clamped(to: .max)
    }

    /// Takes out what was fed and belongs to no answer.
    package mutating func takeUnread() -> [ByteBuffer] {
        guard phase == .idle else { return [] }
        var pieces: [ByteBuffer] = []
        while let piece = input.take(atMost: .max) { pieces.append(piece) }
        return pieces
    }

    // MARK: Head

    private mutating func nextOfHead() -> Event? {
        if isUnsolicited { return fail(.unsolicitedBytes) }
        while input.count > 0 {
            switch input.front.withUnsafeReadableBytes({ section.read($0, limits: limits) }) {
            case .complete(let length): return headEvent(length: length)
            case .failed(let failure): return fail(failure)
            case .incomplete:
                if !input.joinNext() { return inputEnd == .open ? nil : fail(.connectionLostInHead) }
            }
        }
        guard inputEnd != .open else { return nil }
        return fail(hasReceivedAnyByte ? .connectionLostInHead : .emptyReply)
    }

    private mutating func headEvent(length: Int) -> Event? {
        guard let statusLine = section.statusLine, let bytes = input.take(atMost: length) else {
            return fail(.badStatusLine)
        }
        headBytes += Int64(length)
        var kept = bytes
        var lines = section.lines
        if section.needsRewriting { (kept, lines) = bytes.withUnsafeReadableBytes { section.rewritten($0) } }
        let reason = bytes.withUnsafeReadableBytes { Self.reason($0[statusLine.reason]) }
        let head = ResponseHead(
            minorVersion: statusLine.minorVersion, status: statusLine.status, reason: reason,
            fields: FieldBlock(bytes: Self.compacted(kept), lines: lines))
        if 100...199 ~= statusLine.status && statusLine.status != 101 {
            informationalResponses += 1
            if informationalResponses > limits.informationalResponses {
                return fail(.tooManyInformationalResponses)
            }
            // All of them may wait for a slow user (BEHAVIOUR 2.I36-interim).
            if headBytes > Int64(limits.headBytes) { return fail(.headTooLarge) }
            section = HeaderSectionReader()
            return .informational(head)
        }
        let fields = kept.withUnsafeReadableBytes { FramingFields(lines, in: $0) }
        section = HeaderSectionReader()
        switch BodyFraming.decide(for: method, statusLine, fields) {
        case .failure(let failure):
            return fail(failure)
        case .success(let framing):
            beginBody(framing)
            return .head(head, contentLength: framing.declaredLength)
        }
    }

    private mutating func beginBody(_ framing: BodyFraming) {
        hasHead = true
        closeReason = framing.closeReason
        switch framing.extent {
        case .none, .length(0): phase = .ending
        case .length(let length): phase = .length(remaining: length)
        case .untilClose: phase = .untilClose
        case .chunked:
            chunks = ChunkedReader()
            phase = .chunked
        }
    }

    /// A head lives as long as its response: it must not keep a whole receive buffer alive.
    private static func compacted(_ head: ByteBuffer) -> ByteBuffer {
        guard head.storageCapacity > 4096, head.storageCapacity / 4 > head.readableBytes else { return head }
        return ByteBuffer(bytes: head.readableBytesView)
    }

    /// Decoded like a field's value (BEHAVIOUR 2.F24), a bare CR as a space (BEHAVIOUR 2.I5).
    private static func reason(_ bytes: Slice<UnsafeRawBufferPointer>) -> String {
        if bytes.contains(ASCII.carriageReturn) {
            return String(wire: bytes.map { $0 == ASCII.carriageReturn ? ASCII.space : $0 })
        }
        // Nearly always; compared, and not looked up, since every request pays for it.
        if bytes.elementsEqual("OK".utf8) { return "OK" }
        return String(wire: bytes)
    }

    // MARK: Body

    private mutating func nextOfLength(_ remaining: DeclaredLength) -> Event? {
        guard let slice = input.take(atMost: remaining.clamped(to: .max)) else {
            return inputEnd == .open ? nil : fail(.connectionLostInBody)
        }
        let left = remaining.dropping(DeclaredLength(counted: slice.readableBytes))
        phase = left == .zero ? .ending : .length(remaining: left)
        return .body(slice)
    }

    private mutating func nextOfChunks() -> Event? {
        switch chunks.next(from: &input, limits: limits) {
        case .data(let slice): return .body(slice)
        case .end: return end()
        case .failed(let failure): return fail(failure)
        case .needsInput: return inputEnd == .open ? nil : fail(.connectionLostInBody)
        }
    }

    private mutating func nextUntilClose() -> Event? {
        if let slice = input.take(atMost: .max) { return .body(slice) }
        switch inputEnd {
        case .open: return nil
        case .closed: return end()
        case .broken: return fail(.connectionLostInBody)
        }
    }

    // MARK: End

    private mutating func end() -> Event {
        phase = .idle
        if let closeReason { return .end(closeReason) }
        // BEHAVIOUR 2.I22, 2.I32.
        if input.count > 0 { return .end(.surplusBytes) }
        return .end(inputEnd == .open ? nil : .peerClosed)
    }

    private mutating func fail(_ failure: WireFailure) -> Event {
        phase = .failed
        input.removeAll()
        return .failed(failure)
    }
}
