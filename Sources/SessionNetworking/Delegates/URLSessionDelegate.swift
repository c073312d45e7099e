#if !canImport(Darwin)
import Foundation

/// Messages about a session as a whole.
///
/// All delegate methods are optional: leaving one out is as if the delegate were not there for that message. They
/// run on the session's delegate queue, one after another.
public protocol URLSessionDelegate: NSObjectProtocol, Sendable {
    /// The session has become invalid; its very last message, after which the delegate is released.
    ///
    /// - Parameter error: Nil after `invalidateAndCancel()` and `finishTasksAndInvalidate()`.
    func urlSession(_ session: URLSession, didBecomeInvalidWithError error: (any Error)?)
}

extension URLSessionDelegate {
    /// Left out by the delegate: as if it were not there for this message.
    public func urlSession(_ session: URLSession, didBecomeInvalidWithError error: (any Error)?) {}
}
#endif
