import HTTPBasics
import NIOCore

/// Reads requests off one connection, strictly by RFC 9112. The judge's own: it shares no line with the client.
///
/// Bytes go in as they come; events are pulled out. The outcome does not depend on how the bytes were split.
/// What follows a request stays here until the next one is asked for (pipelining).
package struct RequestReader {
    package enum Event: Hashable, Sendable {
        case head(RequestHead)
        case body(ByteBuffer)
        case end(trailers: Fields)
        case malformed(String)
    }

    /// Request line with all fields.
    package static let headLimit = 64 << 10
    private static let headExcess = "head over 64 KiB"
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
    }

    private var state = State.requestLine
    /// What of the current head or trailer section is read; beside the state, so that it grows in place.
    private var head: RequestHead?
    private var trailers = Fields()
    private var buffer = ByteBuffer()
    /// How far the current line has been searched for its end.
    private var scanned = 0
    /// Bytes of the current head or trailer section that are already read.
    private var sectionBytes = 0

    package init() {}

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

    private enum Progress {
        case event(Event)
        case goOn
        case needsBytes
    }

    private mutating func step(_ bodyLimit: Int) throws(Malformed) -> Progress {
        switch state {
        case .requestLine:
            head = try line("request line", limit: RequestReader.headLimit, of: RequestReader.headExcess) {
                bytes throws(Malformed) in try RequestLine.parse(bytes)
            }
            if head == nil { return .needsBytes }
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

    private mutating func finish(trailers: Fields) -> Progress {
        state = .requestLine
        sectionBytes = 0
        return .event(.end(trailers: trailers))
    }
}

// MARK: Heads

extension RequestReader {
    private mutating func readField() throws(Malformed) -> Progress {
        let line = try line("field line", limit: RequestReader.headLimit, of: RequestReader.headExcess) {
            bytes throws(Malformed) in try FieldLine.parse(bytes, in: "field line")
        }
        switch line {
        case nil: return .needsBytes
        case .field(let field):
            head?.fields.append(field.name, field.value)
            return .goOn
        case .empty: return try finishHead()
        }
    }

    private mutating func finishHead() throws(Malformed) -> Progress {
        guard var head else { return .needsBytes }
        self.head = nil
        try RequestRules.checkHost(head)
        head.framing = try RequestRules.framing(head)
        switch head.framing {
        case .none: state = .sized(left: 0)
        case .length(let count): state = .sized(left: count)
        case .chunked: state = .chunkLine
        }
        sectionBytes = 0
        return .event(.head(head))
    }

    /// What `read` makes of the next line, without its CRLF, once it is complete. `limit` bounds the section that it
    /// belongs to.
    private mutating func line<Line>(
        _ place: String, limit: Int, of excess: String, _ read: (UnsafeRawBufferPointer) throws(Malformed) -> Line
    ) throws(Malformed) -> Line? {
        let section = sectionBytes
        let scanned = scanned
        let found = try buffer.withUnsafeReadableBytes { bytes throws(Malformed) -> (length: Int, line: Line)? in
            guard let end = bytes[scanned...].firstIndex(of: ASCII.lineFeed) else {
                if section + bytes.count >= limit { throw Malformed(excess) }
                return nil
            }
            if section + end + 1 > limit { throw Malformed(excess) }
            guard end > 0, bytes[end - 1] == ASCII.carriageReturn else { throw Malformed("bare LF in \(place)") }
            let line = UnsafeRawBufferPointer(rebasing: bytes[..<(end - 1)])
            if line.contains(ASCII.carriageReturn) { throw Malformed("bare CR in \(place)") }
            return (end + 1, try read(line))
        }
        guard let found else {
            self.scanned = buffer.readableBytes
            return nil
        }
        self.scanned = 0
        sectionBytes += found.length
        buffer.moveReaderIndex(forwardBy: found.length)
        return found.line
    }
}

// MARK: Bodies

extension RequestReader {
    private mutating func takeBody(_ left: Int, _ limit: Int) -> ByteBuffer? {
        let count = min(left, limit, buffer.readableBytes)
        return count > 0 ? buffer.readSlice(length: count) : nil
    }

    private mutating func readChunkLine() throws(Malformed) -> Progress {
        let size = try line(
            "chunk size line", limit: RequestReader.chunkLineLimit, of: "chunk size line over 16 KiB"
        ) { bytes throws(Malformed) in try ChunkLine.parse(bytes) }
        guard let size else { return .needsBytes }
        sectionBytes = 0
        trailers = Fields()
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
        let line = try line("trailer line", limit: RequestReader.trailerLimit, of: "trailers over 16 KiB") {
            bytes throws(Malformed) in try FieldLine.parse(bytes, in: "trailer line")
        }
        switch line {
        case nil: return .needsBytes
        case .empty: return finish(trailers: trailers)
        case .field(let field):
            try RequestRules.checkTrailer(field)
            trailers.append(field.name, field.value)
            return .goOn
        }
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
        guard rest.isEmpty || rest.first == 0x3b else { throw Malformed("chunk size is not hexadecimal") }
        for byte in rest where (byte < 0x20 && byte != ASCII.tab) || byte == 0x7f {
            throw Malformed("control byte \(hexadecimal(byte)) in a chunk extension")
        }
        return size
    }
}
