import HTTPBasics
import NIOCore

/// The framing of a body in chunks (RFC 9112 7.1): what is written around the data, and at which landmark the answer
/// stands when all of it is out.
struct ChunkWriter {
    private enum Place: Equatable {
        case between
        case data(left: Int, isUntouched: Bool)
        case lastChunk
        case trailers
        case over
    }

    private var place = Place.between
    private var index = -1

    /// Nil in the midst of data, and where nothing was written yet.
    var landmark: Fault.Landmark? {
        switch place {
        case .between: index < 0 ? nil : .chunk(index, .crlf)
        case .data(_, isUntouched: true): .chunk(index, .size)
        case .data(0, _): .chunk(index, .data)
        case .data, .over: nil
        case .lastChunk: .lastChunk
        case .trailers: .trailers
        }
    }

    /// Data bytes missing from the chunk whose size line is written; nil between chunks.
    var dataLeft: Int? {
        if case .data(let left, _) = place { return left }
        return nil
    }

    var isOver: Bool { place == .over }

    /// `sizeLine` stands in place of the true size.
    mutating func open(_ size: Int, sizeLine: String?, into outbox: inout ByteBuffer) {
        index += 1
        place = .data(left: size, isUntouched: true)
        outbox.writeString((sizeLine ?? String(size, radix: 16)) + "\r\n")
    }

    mutating func wrote(_ count: Int) {
        if count > 0, let left = dataLeft { place = .data(left: left - count, isUntouched: false) }
    }

    mutating func close(into outbox: inout ByteBuffer) {
        place = .between
        outbox.writeString("\r\n")
    }

    /// Ends the body, but writes nothing past a landmark at which a fault is due.
    mutating func end(with trailers: Fields, _ faults: PendingFaults, into outbox: inout ByteBuffer) {
        repeat {
            switch place {
            case .between, .data:
                outbox.writeString("0\r\n")
                place = .lastChunk
            case .lastChunk:
                outbox.writeLines(of: trailers)
                place = .trailers
            case .trailers, .over:
                outbox.writeString("\r\n")
                place = .over
            }
        } while !isOver && !faults.areDue(at: landmark)
    }
}
