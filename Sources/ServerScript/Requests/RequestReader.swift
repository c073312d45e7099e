import HTTPBasics
import NIOCore

/// Reads requests off one connection, strictly by RFC 9112 unless it is told to be lenient. The judge's own: it shares
/// no line with the client.
///
/// Bytes go in as they come; events are pulled out. The outcome does not depend on how the bytes were split.
/// What follows a request stays here until the next one is asked for (pipelining).
package struct RequestReader {
    package enum Event: Hashable, Sendable {
        case head(ReceivedHead)
        case body(ByteBuffer)
        case end(trailers: Fields)
        case malformed(String)
    }

    /// Request line with all fields.
    package static let headLimit = 64 << 10
    package static let chunkLineLimit = 16 << 10
    package static let trailerLimit = 16 << 10

    private enum State {
        case requestLine
        case fieldLines
        case sized(left: Int)
        case chunkLine
        case chunkData(left: Int)
        case chunkEnd
        case trailers
        case failed(String)

        /// What follows a head.
        static func body(_ framing: ReceivedHead.Framing) -> State {
            switch framing {
            case .none: .sized(left: 0)
            case .length(let count): .sized(left: count)
            case .chunked: .chunkLine
            }
        }
    }

    private var state = State.requestLine
    /// What of the current head or trailer section is read; beside the state, so that it grows in place.
    @Rare private var requestLine: RequestLine?
    private var fields = Fields()
    private var buffer = ByteBuffer()
    /// How far the current line has been searched for its end.
    private var scanned = 0
    /// Bytes of the current head or trailer section that are already read.
    private var sectionBytes = 0
    private let reading: Reading
    /// What has been passed over in the current head.
    private var notes: [String] = []

    package init(_ reading: Reading = .strict) { self.reading = reading }

    package var bufferedBytes: Int { buffer.readableBytes }

    package mutating func receive(_ bytes: ByteBuffer) {
        var bytes = bytes
        if buffer.readableBytes == 0 { buffer = bytes } else { buffer.writeBuffer(&bytes) }
    }

    /// Takes up to `count` bytes as they are, for steps that read outside of HTTP.
    mutating func takeRaw(_ count: Int) -> ByteBuffer {
        let slice = buffer.readSlice(length: min(max(0, count), buffer.readableBytes)) ?? ByteBuffer()
        scanned = 0
        return slice
    }

    mutating func discardAll() { buffer.clear() }

    /// The next event, or nil when more bytes are needed, or when body bytes are due and `bodyLimit` is 0.
    package mutating func next(bodyLimit: Int = .max) -> Event? {
        do {
            while true {
                switch try step(bodyLimit) {
                case .event(let event): return event
                case .goOn: continue
                case .needsBytes: return nil
                }
            }
        } catch {
            state = .failed(error.text)
            return .malformed(error.text)
        }
    }

    /// The next event, or nil when more bytes are needed. A head that is among the recent ones is not read anew.
    package mutating func next(knowing recent: RecentHeads) -> Event? {
        guard case .requestLine = state, sectionBytes == 0 else { return next() }
        if let (head, count) = recent.head(in: buffer, reading) {
            buffer.moveReaderIndex(forwardBy: count)
            scanned = 0
            state = .body(head.framing)
            return .head(head)
        }
        let start = buffer, event = next()
        if case .head(let head) = event {
            recent.remember(head, in: start, count: start.readableBytes - buffer.readableBytes, reading)
        }
        return event
    }

    private enum Progress {
        case event(Event)
        case goOn
        case needsBytes
    }

    private mutating func step(_ bodyLimit: Int) throws(Malformed) -> Progress {
        switch state {
        case .requestLine:
            if isHandshake { throw Malformed("a TLS handshake on a port without TLS: the URL must begin with http://") }
            let reading = reading
            let line = try headLine("request line") { line throws(Malformed) in
                line.isEmpty && reading == .lenient ? nil : try RequestLine.parse(line, reading)
            }
            guard let line else { return .needsBytes }
            guard let parsed = line else {
                note("an empty line before the request line (RFC 9112 2.2)")
                return .goOn
            }
            if let text = parsed.note { note(text) }
            requestLine = parsed
            state = .fieldLines
            return .goOn
        case .fieldLines: return try readField()
        case .sized(let left):
            if left == 0 { return finish(trailers: Fields()) }
            guard let body = takeBody(left, bodyLimit) else { return .needsBytes }
            state = .sized(left: left - body.readableBytes)
            return .event(.body(body))
        case .chunkLine: return try readChunkLine()
        case .chunkData(let left):
            guard let body = takeBody(left, bodyLimit) else { return .needsBytes }
            state = left == body.readableBytes ? .chunkEnd : .chunkData(left: left - body.readableBytes)
            return .event(.body(body))
        case .chunkEnd: return try readChunkEnd()
        case .trailers: return try readTrailer()
        case .failed(let text): return .event(.malformed(text))
        }
    }

    /// A record of TLS of the type `handshake` (RFC 8446 5.1): it may have no line end, and both sides would wait.
    private var isHandshake: Bool { buffer.getInteger(at: buffer.readerIndex, as: UInt16.self) == 0x1603 }

    private mutating func note(_ text: String) { if !notes.contains(text) { notes.append(text) } }

    private mutating func finish(trailers: Fields) -> Progress {
        state = .requestLine
        fields = Fields()
        sectionBytes = 0
        // An idle connection holds no memory of what came: it is the event loop's, for the next one that reads.
        if buffer.readableBytes == 0 { buffer = ByteBuffer() }
        return .event(.end(trailers: trailers))
    }
}

// MARK: Heads

extension RequestReader {
    private mutating func readField() throws(Malformed) -> Progress {
        let place = "field line"
        let line = try headLine(place) { line throws(Malformed) in try FieldLine.parse(line, in: place) }
        guard let line else { return .needsBytes }
        guard let field = line else { return try finishHead() }
        fields.append(field.name, field.value)
        return .goOn
    }

    private mutating func finishHead() throws(Malformed) -> Progress {
        guard let line = requestLine else { return .needsBytes }
        try RequestRules.checkHost(fields, minorVersion: line.minorVersion)
        let (framing, note) = try RequestRules.framing(fields, minorVersion: line.minorVersion, reading)
        if let note { self.note(note) }
        state = .body(framing)
        let head = ReceivedHead(
            method: line.method, target: line.target, minorVersion: line.minorVersion, fields: fields, framing: framing,
            notes: notes)
        requestLine = nil
        notes = []
        fields = Fields()
        sectionBytes = 0
        return .event(.head(head))
    }

    private mutating func headLine<Parsed>(
        _ place: String, _ parse: (UnsafeRawBufferPointer) throws(Malformed) -> Parsed
    ) throws(Malformed) -> Parsed? {
        try line(place, limit: RequestReader.headLimit, of: "head over 64 KiB", parse)
    }

    /// What is read from a line, once it is complete; `parse` gets it without its CRLF. `limit` bounds the section that
    /// it belongs to.
    private mutating func line<Parsed>(
        _ place: String, limit: Int, of excess: String, _ parse: (UnsafeRawBufferPointer) throws(Malformed) -> Parsed
    ) throws(Malformed) -> Parsed? {
        let scanned = scanned, room = limit - sectionBytes
        let line = try buffer.withUnsafeReadableBytes { bytes throws(Malformed) -> (parsed: Parsed, count: Int)? in
            guard let end = bytes[scanned...].firstIndex(of: ASCII.lineFeed) else { return nil }
            if end >= room { throw Malformed(excess) }
            let text = bytes[..<end]
            guard text.last == ASCII.carriageReturn else { throw Malformed("bare LF in \(place)") }
            if text.dropLast().contains(ASCII.carriageReturn) { throw Malformed("bare CR in \(place)") }
            return (try parse(UnsafeRawBufferPointer(rebasing: text.dropLast())), end + 1)
        }
        guard let line else {
            self.scanned = buffer.readableBytes
            if buffer.readableBytes >= room { throw Malformed(excess) }
            return nil
        }
        self.scanned = 0
        sectionBytes += line.count
        buffer.moveReaderIndex(forwardBy: line.count)
        return line.parsed
    }
}

// MARK: Bodies

extension RequestReader {
    private mutating func takeBody(_ left: Int, _ limit: Int) -> ByteBuffer? {
        let count = min(left, limit, buffer.readableBytes)
        return count > 0 ? buffer.readSlice(length: count) : nil
    }

    private mutating func readChunkLine() throws(Malformed) -> Progress {
        let place = "chunk size line"
        let limit = RequestReader.chunkLineLimit, excess = "chunk size line over 16 KiB"
        let size = try line(place, limit: limit, of: excess) { line throws(Malformed) in try ChunkLine.parse(line) }
        guard let size else { return .needsBytes }
        sectionBytes = 0
        state = size == 0 ? .trailers : .chunkData(left: size)
        return .goOn
    }

    private mutating func readChunkEnd() throws(Malformed) -> Progress {
        let view = buffer.readableBytesView
        let wanted = [ASCII.carriageReturn, ASCII.lineFeed]
        guard wanted.starts(with: view.prefix(2)) else { throw Malformed("chunk data not followed by CRLF") }
        guard buffer.readSlice(length: 2) != nil else { return .needsBytes }
        state = .chunkLine
        return .goOn
    }

    private mutating func readTrailer() throws(Malformed) -> Progress {
        let place = "trailer line", limit = RequestReader.trailerLimit
        let line = try line(place, limit: limit, of: "trailers over 16 KiB") { line throws(Malformed) in
            try FieldLine.parse(line, in: place)
        }
        guard let line else { return .needsBytes }
        guard let field = line else { return finish(trailers: fields) }
        try RequestRules.checkTrailer(field)
        fields.append(field.name, field.value)
        return .goOn
    }
}

/// `chunk-size [ chunk-ext ]` (RFC 9112 7.1).
private enum ChunkLine {
    static func parse(_ line: some Collection<UInt8>) throws(Malformed) -> Int {
        let digits = line.prefix { hexadecimalValue($0) != nil }
        guard !digits.isEmpty else { throw Malformed("chunk size is not hexadecimal") }
        var size = 0
        for digit in digits {
            let (scaled, overflow) = size.multipliedReportingOverflow(by: 16)
            let (sum, carried) = scaled.addingReportingOverflow(hexadecimalValue(digit) ?? 0)
            if overflow || carried { throw Malformed("chunk size is too large") }
            size = sum
        }
        let rest = line.dropFirst(digits.count)
        guard rest.isEmpty || rest.first == ASCII.semicolon else { throw Malformed("chunk size is not hexadecimal") }
        for byte in rest where (byte < 0x20 && byte != ASCII.tab) || byte == 0x7f {
            throw Malformed("control byte \(hexadecimal(byte)) in a chunk extension")
        }
        return size
    }
}
