import HTTPBasics
import NIOCore

/// What a task hears of the answer to its request, in whichever protocol its connection speaks.
///
///     informational*, head, body*, end        failed: in place of any of these, and the last
package enum ResponseEvent: Equatable, Sendable {
    /// 1xx but 101 (BEHAVIOUR 2.I1).
    case informational(ResponseHead)
    /// `contentLength` is what a usable Content-Length declares, nil when there is none. After HEAD, 204 and 304 no
    /// body follows all the same.
    case head(ResponseHead, contentLength: DeclaredLength?)
    case body(ByteBuffer)
    case end
    case failed(WireFailure)
}
