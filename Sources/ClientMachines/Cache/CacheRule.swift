/// The six of `NSURLRequest.CachePolicy`.
package enum CacheRule: Hashable, Sendable {
    case useProtocol
    case reloadIgnoringLocal
    case returnElseLoad
    case returnDontLoad
    case reloadIgnoringLocalAndRemote
    case reloadRevalidating

    /// No kept response is wanted, however fresh.
    var ignoresKept: Bool { self == .reloadIgnoringLocal || self == .reloadIgnoringLocalAndRemote }
}
