import HTTPBasics
import NIOCore

/// Reads a `multipart/form-data` body as it streams in (RFC 7578, RFC 2046 5.1), strictly: no preamble, no
/// padding after a boundary, no epilogue but one CRLF. Holds one part's head and one delimiter's length at most.
package struct MultipartReader {
    package struct PartHead: Hashable, Sendable {
        package var name: String
        package var filename: String?
        package var type: String?
    }

    package enum Event: Hashable, Sendable {
        case part(PartHead)
        case data(ByteBuffer)
        case partEnd
    }

    static let partHeadLimit = 16 << 10
    package static let partLimit = 1024

    private enum State {
        case start
        case afterDelimiter
        case head(Fields)
        case data
        case epilogue
    }

    private var state = State.start
    private var buffer = ByteBuffer()
    private let delimiter: [UInt8]
    private var partCount = 0
    private var headBytes = 0

    package init(boundary: [UInt8]) { delimiter = Array("\r\n--".utf8) + boundary }

    package mutating func receive(_ bytes: ByteBuffer) {
        var bytes = bytes
        buffer.writeBuffer(&bytes)
    }

    package mutating func next() throws(Malformed) -> Event? {
        while true {
            switch state {
            case .start:
                // The first delimiter has no line break of the body's own before it.
                guard try take(delimiter[2...], else: "body does not start with the boundary") else { return nil }
                state = .afterDelimiter
            case .afterDelimiter: guard try readDelimiterEnd() else { return nil }
            case .head(let fields):
                guard let line = try headLine() else { return nil }
                if let event = try readHead(line, after: fields) { return event }
            case .data: return readData()
            case .epilogue:
                let view = buffer.readableBytesView
                guard view.count <= 2, Array("\r\n".utf8).starts(with: view) else {
                    throw Malformed("bytes after the closing boundary")
                }
                return nil
            }
        }
    }

    /// To be called when the body is over.
    package func finish() throws(Malformed) {
        guard case .epilogue = state else { throw Malformed("no closing boundary") }
        if buffer.readableBytes == 1 { throw Malformed("bytes after the closing boundary") }
    }

    private mutating func take(_ wanted: ArraySlice<UInt8>, else text: String) throws(Malformed) -> Bool {
        guard wanted.starts(with: buffer.readableBytesView.prefix(wanted.count)) else { throw Malformed(text) }
        return buffer.readSlice(length: wanted.count) != nil
    }

    private mutating func readDelimiterEnd() throws(Malformed) -> Bool {
        let view = buffer.readableBytesView
        guard view.count >= 2 else { return false }
        if view.starts(with: Array("--".utf8)) {
            state = .epilogue
        } else if view.starts(with: Array("\r\n".utf8)) {
            partCount += 1
            if partCount > MultipartReader.partLimit { throw Malformed("more than 1024 parts") }
            headBytes = 0
            state = .head(Fields())
        } else {
            throw Malformed("boundary not followed by CRLF")
        }
        buffer.moveReaderIndex(forwardBy: 2)
        return true
    }

    private mutating func headLine() throws(Malformed) -> ByteBuffer? {
        let view = buffer.readableBytesView
        guard let end = view.firstIndex(of: ASCII.lineFeed) else {
            if headBytes + view.count >= MultipartReader.partHeadLimit { throw Malformed("part head over 16 KiB") }
            return nil
        }
        let length = end - view.startIndex
        headBytes += length + 1
        if headBytes > MultipartReader.partHeadLimit { throw Malformed("part head over 16 KiB") }
        guard let line = buffer.readSlice(length: length), buffer.readSlice(length: 1) != nil else { return nil }
        guard line.readableBytesView.last == ASCII.carriageReturn else { throw Malformed("bare LF in a part head") }
        return line.getSlice(at: line.readerIndex, length: length - 1)
    }

    private mutating func readHead(_ line: ByteBuffer, after fields: Fields) throws(Malformed) -> Event? {
        guard line.readableBytes == 0 else {
            // Names of fields and files may be written in UTF-8 here (RFC 7578 5.1), and in nothing else.
            guard String(validating: line.readableBytesView, as: UTF8.self) != nil else {
                throw Malformed("part head is not in UTF-8")
            }
            let field = try line.withUnsafeReadableBytes { line throws(Malformed) in
                try FieldLine.parse(line, in: "part head")
            }
            var longer = fields
            if let field { longer.append(field.name, field.value) }
            state = .head(longer)
            return nil
        }
        let dispositions = fields.values("Content-Disposition")
        guard dispositions.count == 1 else { throw Malformed("part without exactly one Content-Disposition") }
        let disposition = try HeaderParameters.parse(dispositions[0])
        guard disposition.value.equalsIgnoringCase("form-data") else {
            throw Malformed("Content-Disposition is not form-data")
        }
        guard let name = disposition.named("name") else { throw Malformed("part without a name") }
        // RFC 7578 4.2 forbids the extended form of RFC 8187; the pieces of RFC 2231 are not read, either.
        if let other = disposition.names.first(where: { $0.contains("*") }) {
            throw Malformed("\(other) in form data")
        }
        state = .data
        let filename = disposition.named("filename")
        return .part(PartHead(name: name, filename: filename, type: fields.first("Content-Type")))
    }

    /// Part content up to the next delimiter; a possible beginning of one stays in the buffer.
    private mutating func readData() -> Event? {
        let view = buffer.readableBytesView
        let start = view.startIndex
        var from = start
        while let candidate = view[from...].firstIndex(of: ASCII.carriageReturn) {
            let rest = view[candidate...].prefix(delimiter.count)
            if delimiter.starts(with: rest) {
                if candidate > start { return dataEvent(candidate - start) }
                guard rest.count == delimiter.count else { return nil }
                buffer.moveReaderIndex(forwardBy: delimiter.count)
                state = .afterDelimiter
                return .partEnd
            }
            from = candidate + 1
        }
        return view.isEmpty ? nil : dataEvent(view.count)
    }

    private mutating func dataEvent(_ count: Int) -> Event? { buffer.readSlice(length: count).map(Event.data) }
}
