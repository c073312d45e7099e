import HTTPBasics
import NIOCore

/// The answer to a request that the script does not allow; the connection ends with it.
///
/// An object, so that a connection takes no room for what most never have.
final class RefusedAnswer {
    let status: Int
    private let fields: Fields
    /// Of a request by a page of another origin, if the answer is shared with those.
    private let origin: CrossOrigin?
    /// Nil in answer to HEAD.
    private let body: String?

    /// `request` is nil for what could not be read. A shared script's answers may be read by pages of other origins.
    init(_ violation: Violation, of request: ReceivedHead?, status: Int, isShared: Bool) {
        self.status = status
        let (type, text) = UnmatchedAnswer(violation, status: status).content(for: request)
        var fields = Fields([.init("Content-Type", type)])
        origin = isShared ? request.flatMap(CrossOrigin.init) : nil
        fields.append("Content-Length", String(text.utf8.count))
        fields.append("Connection", "close")
        self.fields = fields
        body = request?.method == "HEAD" ? nil : text
    }

    func bytes(date: UnixTime) -> ByteBuffer {
        var answer = ByteBuffer(string: "HTTP/1.1 \(status) \(StatusPhrase.registered(status) ?? "")\r\n")
        var fields = Fields([.init("Date", HTTPDate.text(date))] + fields.list)
        origin?.share(&fields)
        answer.writeLines(of: fields)
        answer.writeString("\r\n")
        if let body { answer.writeString(body) }
        return answer
    }
}
