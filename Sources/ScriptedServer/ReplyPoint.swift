import ServerScript

/// A position in the life of an exchange at which something can go wrong.
public struct ReplyPoint: Hashable, Sendable {
    let landmark: Landmark

    /// The request's head has been read, its body not.
    public static let requestHead = ReplyPoint(landmark: .requestHead)
    /// The whole request has been read, nothing sent.
    public static let request = ReplyPoint(landmark: .request)
    /// The head is out, the body not.
    public static let headEnd = ReplyPoint(landmark: .headEnd)
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

    /// The exchange is over and the connection has been idle this long.
    public static func idle(_ span: Duration) -> ReplyPoint { ReplyPoint(landmark: .idle(span)) }
}
