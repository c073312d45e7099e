import NIOCore

/// What a proxy is told besides a request that it sends on.
package struct ForwarderFields: Hashable, Sendable {
    /// Our answer to its challenge.
    package var authorization: String?
    /// The connection says who asks: nobody else's word goes along.
    package var isSignedIn: Bool

    package init(authorization: String? = nil, isSignedIn: Bool = false) {
        self.authorization = authorization
        self.isSignedIn = isSignedIn
    }
}

/// The head of a request as a task says it: what it means, not how it is written.
package struct OutgoingHead {
    package let request: ClientRequest
    /// Our own answer to a challenge, in place of the caller's.
    package let authorization: String?
    /// The session's cookies for this place, in place of the caller's (BEHAVIOUR 2.C7).
    package let cookies: String?
    /// It goes where the task's first request went (BEHAVIOUR 1.C3-additional).
    package let isAtHome: Bool
    /// No cache on the way may answer (BEHAVIOUR 2.D2-past).
    package var isPastCaches = false
    /// There is a proxy that sends it on.
    package var forwarder: ForwarderFields?

    func bytes(_ settings: ClientSettings) -> ByteBuffer {
        RequestWriter.head(
            of: request, settings: settings, authorization: authorization, cookies: cookies,
            isPastCaches: isPastCaches, forwarder: forwarder)
    }
}

/// Credentials and cookies are in no text of it.
extension OutgoingHead: CustomStringConvertible, CustomReflectable {
    package var description: String { "\(request.method) \(request.url)" }

    package var customMirror: Mirror { Mirror(self, children: ["request": request]) }
}
