import HTTPBasics
import NIOCore

/// Fields of every request of a session, with the lines that they are in most heads: worked out once.
package struct StandingFields: Equatable, Sendable {
    package let fields: Fields
    /// The same for requests over TLS.
    private let secureFields: Fields
    /// For requests that have nothing to say to them; without those that a request writes itself.
    private let lines: ByteBuffer
    private let secureLines: ByteBuffer

    /// - Parameter secureEncoding: What a request over TLS accepts instead, if that is something else.
    package init(_ fields: Fields = Fields(), secureEncoding: String? = nil) {
        self.fields = fields
        var secure = fields
        if let secureEncoding { secure.set("Accept-Encoding", secureEncoding) }
        secureFields = secure
        lines = RequestWriter.lines(of: fields)
        secureLines = RequestWriter.lines(of: secure)
    }

    func fields(isSecure: Bool) -> Fields { isSecure ? secureFields : fields }

    func lines(isSecure: Bool) -> ByteBuffer { isSecure ? secureLines : lines }
}
