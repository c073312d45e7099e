import HTTPBasics

/// The six of `NSURLRequest.CachePolicy`.
package enum CacheRule: Hashable, Sendable {
    case useProtocol
    case reloadIgnoringLocal
    case returnElseLoad
    case returnDontLoad
    case reloadIgnoringLocalAndRemote
    case reloadRevalidating

    /// A first look at what has come, cheap for what is never kept. What says nothing of itself could only ever answer
    /// a request that takes anything: it is kept for who asks like that (BEHAVIOUR 2.D5-silent).
    func keeps(_ fields: FieldBlock) -> Bool {
        if let control = fields.first("Cache-Control") { return !control.equalsIgnoringCase("no-store") }
        return self == .returnElseLoad || fields.contains("ETag") || fields.contains("Last-Modified")
            || fields.contains("Expires")
    }

    /// No kept response is wanted, however fresh.
    package var ignoresKept: Bool { self == .reloadIgnoringLocal || self == .reloadIgnoringLocalAndRemote }
}
