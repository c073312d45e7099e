import HTTPBasics
import NIOCore

/// Divides what a server wants to send into heads, lines of framing and pieces of bodies, each of a numbered answer.
///
/// Bytes that cannot be read for sure are a piece as well: a bend need not know what they mean.
struct AnswerPieces {
    struct Piece {
        var kind: WireSpan.Kind
        /// Counted from 0 on the connection; informational answers count.
        var answer: Int
        var bytes: ByteBuffer
    }

    private var reader = ExchangeReader()
    /// Of a head or a line whose end has not come.
    private var partial = ByteBuffer()
    private var heads = 0

    private var answer: Int { max(0, heads - 1) }

    /// The methods of requests say which answers have bodies.
    mutating func readFromClient(_ bytes: ByteBuffer) { reader.readFromClient(bytes) { _ in } }

    mutating func expectAnswer(to method: String) { reader.expectAnswer(to: method) }

    mutating func readFromServer(_ bytes: ByteBuffer) -> [Piece] {
        var rest = partial
        rest.writeImmutableBuffer(bytes)
        var pieces: [Piece] = []
        var spans: [WireSpan] = []
        reader.readFromServer(bytes, { spans.append($0) }, { _ in })
        for span in spans {
            guard let slice = rest.readSlice(length: span.range.count) else { continue }
            if span.kind == .head { heads += 1 }
            pieces.append(Piece(kind: span.kind, answer: answer, bytes: slice))
        }
        partial = rest
        return pieces
    }

    /// The digits with which a line of framing begins: those of a chunk's size.
    static func size(of line: ByteBuffer) -> [UInt8]? {
        let digits = line.readableBytesView.prefix(while: ASCII.isHexDigit)
        let next = line.readableBytesView.dropFirst(digits.count).first
        let isSize = next == ASCII.carriageReturn || next == ASCII.semicolon || next == ASCII.space
        return digits.isEmpty || !isSize ? nil : Array(digits)
    }

    /// The server has finished, perhaps in the middle of a line.
    mutating func finish() -> Piece? {
        guard partial.readableBytes > 0 else { return nil }
        defer { partial.clear() }
        return Piece(kind: .other, answer: answer, bytes: partial)
    }
}
