import HTTPBasics

/// Request line and fields of one request, already judged.
///
/// A class, so that a head is handed on without being copied.
package final class ReceivedHead: Hashable, Sendable {
    package enum Framing: Hashable, Sendable {
        /// Neither length nor chunks: no body (RFC 9112 6.3, rule 7).
        case none
        case length(Int)
        case chunked
    }

    package let method: String
    package let target: String
    package let minorVersion: Int
    package let fields: Fields
    package let framing: Framing
    /// What a lenient reader has passed over.
    package let notes: [String]
    /// Of a request to a proxy: its target in the script's words, `$origin.b.test/x` for a URL of a host. A proxy's
    /// credentials are what it asks for, not the origin's.
    package let named: String?
    /// The proxy's name, likewise.
    package let proxy: String?
    /// What was said on its connection before, if it is being signed in with NTLM.
    package let ntlm: NTLMExchange?
    /// The server's token of Negotiate that it answers, likewise.
    package let negotiated: String?
    /// Of what a script's pattern is compared with: routes and templates ask for them, each of them again.
    let query: FormItems

    package init(
        method: String, target: String, minorVersion: Int = 1, fields: Fields = Fields(), framing: Framing = .none,
        notes: [String] = [], named: String? = nil, proxy: String? = nil, ntlm: NTLMExchange? = nil,
        negotiated: String? = nil
    ) {
        self.negotiated = negotiated
        self.proxy = proxy
        self.named = named
        self.method = method
        self.target = target
        self.minorVersion = minorVersion
        self.fields = fields
        self.framing = framing
        self.notes = notes
        self.ntlm = ntlm
        query = FormItems(queryOf: named ?? target)
    }

    /// The same, behind these messages.
    convenience init(_ head: ReceivedHead, behind exchange: NTLMExchange) {
        self.init(
            method: head.method, target: head.target, minorVersion: head.minorVersion, fields: head.fields,
            framing: head.framing, notes: head.notes, named: head.named, proxy: head.proxy, ntlm: exchange)
    }

    /// The same, behind this token of the server's.
    func behind(_ token: String) -> ReceivedHead {
        ReceivedHead(
            method: method, target: target, minorVersion: minorVersion, fields: fields, framing: framing, notes: notes,
            named: named, proxy: proxy, ntlm: ntlm, negotiated: token)
    }

    package static func == (left: ReceivedHead, right: ReceivedHead) -> Bool {
        left === right
            || left.method == right.method && left.target == right.target && left.minorVersion == right.minorVersion
                && left.fields == right.fields && left.framing == right.framing && left.notes == right.notes
                && left.named == right.named && left.proxy == right.proxy && left.ntlm == right.ntlm
                && left.negotiated == right.negotiated
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(method)
        hasher.combine(target)
        hasher.combine(fields)
    }

    /// What a script's pattern is compared with.
    var shownTarget: String { named ?? target }

    /// Where its credentials are, if it has any for who is asked.
    var authorizationField: String { named == nil ? "Authorization" : "Proxy-Authorization" }

    /// The same request with another method or target, or for a proxy.
    func renamed(
        method: String? = nil, target: String? = nil, named: String? = nil, by proxy: String? = nil
    ) -> ReceivedHead {
        ReceivedHead(
            method: method ?? self.method, target: target ?? self.target, minorVersion: minorVersion, fields: fields,
            framing: framing,
            notes: notes, named: named, proxy: proxy, ntlm: ntlm, negotiated: negotiated)
    }

    /// Whether the client does not want the connection to live on. HTTP/1.0 counts as such: the server keeps
    /// no 1.0 connection alive.
    var wantsClose: Bool { minorVersion == 0 || fields.listsToken("close", in: "Connection") }

    /// Whether it means it: a client of HTTP/1.0 does not, nor does one without a body (RFC 9110 10.1.1).
    var awaitsContinue: Bool { expectsContinue && minorVersion > 0 && framing != .none }

    var expectsContinue: Bool { fields.listsToken("100-continue", in: "Expect") }
}

extension Fields {
    /// Whether the comma-separated list in all fields of that name holds a token (RFC 9110 5.6.1).
    func listsToken(_ token: String, in name: String) -> Bool {
        list.contains { field in
            field.name.equalsIgnoringCase(name)
                && field.value.utf8.split(separator: ASCII.comma).contains {
                    Substring($0).trimmingWhitespace.equalsIgnoringCase(token)
                }
        }
    }
}
