import NIOCore

/// What a loader says: a protocol class of the caller's, or the session's own for `data:` and `file:` URLs.
///
/// To a task it is what `ResponseEvent` is for an answer that comes over a connection.
package enum LoadEvent: Hashable, Sendable {
    /// No loader wants this request: it goes over HTTP.
    case declined
    /// Comes before all data, and once.
    case response(Response)
    /// The same of one that the session's cache may keep (BEHAVIOUR 2.D8).
    indirect case keepable(Response, KeepableResponse)
    case data(ByteBuffer)
    /// Response, data and end in one: a task is given them one after another.
    indirect case whole(Response, ByteBuffer)
    case end
    /// The loader is done; the task goes on with this request, if the user agrees.
    indirect case redirected(Response, next: ClientRequest)
    /// The loader waits for a credential; the world knows the challenge by this number.
    case challenged(LoadChallengeID)
    indirect case failed(Failure.Kind, detail: String)

    /// Whether it is a part of the answer to the request.
    var isAnswer: Bool {
        switch self {
        case .response, .keepable, .data, .whole, .end, .redirected: true
        case .declined, .challenged, .failed: false
        }
    }
}

/// What a loader is told.
package enum LoadAction: Hashable, Sendable {
    /// Find the loader for this request, and let it begin. One that is at home goes where the task's first request went
    /// (BEHAVIOUR 1.C3-additional).
    indirect case begin(ClientRequest, isAtHome: Bool)
    /// Give the kept response that was offered under this number, as the answer to this request.
    indirect case beginKept(Int, ClientRequest)
    /// All that was said is taken; a loader that waits to be asked may go on.
    case goOn
    /// Nothing that it says is heard any more. Always the last.
    case end
}

/// A challenge of one load.
package struct LoadChallengeID: Hashable, Sendable {
    package let value: Int
    package init(_ value: Int) { self.value = value }
}

extension ClientRequest {
    /// Whether no network is needed: `data:` (RFC 2397) and `file:` (RFC 8089).
    package var isLocal: Bool {
        guard let scheme = url.scheme else { return false }
        return scheme.equalsIgnoringCase("data") || scheme.equalsIgnoringCase("file")
    }
}
