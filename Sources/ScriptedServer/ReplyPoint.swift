import ServerScript

/// A position in the life of an exchange at which something can go wrong.
public struct ReplyPoint: Hashable, Sendable {
    let landmark: Fault.Landmark

    /// The request's head has been read, its body not.
    public static let requestHead = ReplyPoint(landmark: .requestHead)
    /// The whole request has been read, nothing sent.
    public static let request = ReplyPoint(landmark: .request)
    /// The head is out, the body not.
    public static let headEnd = ReplyPoint(landmark: .headEnd)
    /// The size line of the last chunk is out; trailers and the empty line behind them are not. For chunked answers.
    public static let lastChunk = ReplyPoint(landmark: .lastChunk)
    /// The trailer fields are out, the empty line behind them is not. For answers with trailers.
    public static let trailers = ReplyPoint(landmark: .trailers)
    /// Everything is out.
    public static let end = ReplyPoint(landmark: .end)

    /// This many bytes of the request's body have been read.
    public static func requestBody(_ count: Int) -> ReplyPoint { ReplyPoint(landmark: .requestBody(max(0, count))) }

    /// This many bytes of the status line are out.
    public static func statusLine(_ count: Int) -> ReplyPoint { ReplyPoint(landmark: .statusLine(max(0, count))) }

    /// This many bytes of the head are out, status line included.
    public static func head(_ count: Int) -> ReplyPoint { ReplyPoint(landmark: .head(max(0, count))) }

    /// This many bytes of the body are out, framing not counted.
    public static func body(_ count: Int) -> ReplyPoint { ReplyPoint(landmark: .body(max(0, count))) }

    /// Before the informational answer of this index, from 0; one that comes several times counts as often.
    public static func interim(_ index: Int) -> ReplyPoint { ReplyPoint(landmark: .interim(max(0, index))) }

    /// A part of a chunk; what is named is out, what follows it is not.
    public enum ChunkPart: Hashable, Sendable {
        /// The line with the chunk's size.
        case size
        case data
        /// The line break behind the data.
        case crlf
    }

    /// This part of the chunk with this index, from 0, is out. For chunked answers.
    public static func chunk(_ index: Int, _ part: ChunkPart) -> ReplyPoint {
        let part: ServerScript.ChunkPart =
            switch part {
            case .size: .size
            case .data: .data
            case .crlf: .crlf
            }
        return ReplyPoint(landmark: .chunk(max(0, index), part))
    }

    /// The exchange is over and the connection has been idle this long.
    public static func idle(_ span: Duration) -> ReplyPoint { ReplyPoint(landmark: .idle(span)) }
}
