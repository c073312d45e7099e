import HTTPBasics

/// Request line and fields of one request, already judged.
package struct RequestHead: Hashable, Sendable {
    package enum Framing: Hashable, Sendable {
        /// Neither length nor chunks: no body (RFC 9112 6.3, rule 7).
        case none
        case length(Int)
        case chunked
    }

    package var method: String
    package var target: String
    package var minorVersion: Int
    package var fields: Fields
    package var framing: Framing

    package init(
        method: String, target: String, minorVersion: Int = 1, fields: Fields = Fields(), framing: Framing = .none
    ) {
        self.method = method
        self.target = target
        self.minorVersion = minorVersion
        self.fields = fields
        self.framing = framing
    }

    /// Whether the client does not want the connection to live on. HTTP/1.0 counts as such: the server keeps
    /// no 1.0 connection alive.
    var wantsClose: Bool { minorVersion == 0 || fields.listsToken("close", in: "Connection") }

    var expectsContinue: Bool { fields.listsToken("100-continue", in: "Expect") }
}

extension Fields {
    /// Whether the comma-separated list in all fields of that name holds a token (RFC 9110 5.6.1).
    func listsToken(_ token: String, in name: String) -> Bool {
        values(name).contains { value in
            value.split(separator: ",").contains { $0.trimmingWhitespace.equalsIgnoringCase(token) }
        }
    }
}
