import HTTPBasics

/// The six of `NSURLRequest.CachePolicy`.
package enum CacheRule: Hashable, Sendable {
    case useProtocol
    case reloadIgnoringLocal
    case returnElseLoad
    case returnDontLoad
    case reloadIgnoringLocalAndRemote
    case reloadRevalidating

    /// A first look at what has come, cheap for what says nothing of caches. That could only ever answer a request that
    /// takes anything: it is kept for who asks like that (BEHAVIOUR 2.D5-silent).
    func hears(_ fields: FieldBlock) -> Bool {
        self == .returnElseLoad || fields.contains("Cache-Control") || fields.contains("ETag")
            || fields.contains("Last-Modified") || fields.contains("Expires")
    }

    /// No kept response is wanted, however fresh.
    package var ignoresKept: Bool { self == .reloadIgnoringLocal || self == .reloadIgnoringLocalAndRemote }
}
