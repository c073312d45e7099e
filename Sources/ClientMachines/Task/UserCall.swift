import HTTPBasics
import NIOCore

/// Who has let a task in with the credential that it was given.
package enum Admission: Hashable, Sendable { case server, proxy }

/// One thing that a user is told. Cases are named after the delegate methods they become.
package enum UserCall: Hashable, Sendable {
    /// The request that is now being tried, after a redirect; becomes `currentRequest`.
    indirect case requestChanged(ClientRequest)
    /// The credential that the task was given is good, and may be kept.
    case letIn(Admission)
    /// There is no network that the task may use, and it waits for one.
    case waitingForConnectivity
    case informational(Response)
    /// Expected lengths are nil while they are not known.
    case sentBody(bytes: Int64, total: Int64, expected: DeclaredLength?)
    case response(Response)
    case data(ByteBuffer)
    /// A data task goes on as a download under the same identifier (BEHAVIOUR 1.B14).
    case becameDownload
    case wrote(bytes: Int64, total: Int64, expected: DeclaredLength?)
    case resumed(offset: Int64, expected: DeclaredLength?)
    /// The download is complete and closed at this path; the receiver owns the file from here on.
    case file(path: String)
    /// How the transfers went; nothing but the completion follows (BEHAVIOUR 2.G1).
    case metrics(TaskMetrics)
    /// Always the last call of a task. Nil is success, whatever the status (BEHAVIOUR 1.B1-3).
    case complete(Failure?)
}

/// One thing that a user is asked; the answer comes back as `UserAnswer` with the same `QuestionID`.
package indirect enum UserQuestion: Hashable, Sendable {
    /// May the task go on to `next`?
    case redirect(Response, next: ClientRequest)
    case challenge(Challenge)
    /// What shall become of this response? `rest` is its whole body, if that has come already: allowed at once, nothing
    /// else will follow but these bytes and a success.
    case response(Response, rest: ByteBuffer? = nil)
    /// The body must be sent again, and its stream has been read: where is another one?
    case bodyStream
    /// The moment has come before which the task was not to begin: with this request?
    case delayedRequest(ClientRequest)
    /// A loader wants a credential, and hears the answer itself.
    case loadChallenge(LoadChallengeID)
    /// The upload goes on: where is a stream of what follows this offset?
    case bodyStreamFrom(offset: Int64)
    /// A connection is being secured for the task.
    case connection(ConnectionChallenge)
    /// Of the session's storage: which cookies go along to this place?
    case cookies(URLReference)
    /// Of the session's cache: what is kept under this key, the newest first?
    case kept(CacheKey)
    /// The answer that was collected is whole: may it be kept, and as what?
    case willCache

    package var kind: QuestionKinds {
        switch self {
        case .redirect: return .redirect
        case .challenge: return .challenge
        case .response: return .response
        case .bodyStream: return .bodyStream
        case .delayedRequest: return .delayedRequest
        case .loadChallenge: return .loadChallenge
        case .bodyStreamFrom: return .bodyStreamFrom
        case .connection: return .connection
        case .cookies: return .cookies
        case .kept: return .kept
        case .willCache: return .willCache
        }
    }
}

package enum UserAnswer: Hashable, Sendable {
    /// Go on with this request; nil delivers the redirect response itself.
    indirect case redirect(ClientRequest?)
    indirect case challenge(ChallengeAnswer)
    case response(allow: Bool)
    /// Likewise to a response: the body goes into a file, as that of a download.
    case becomeDownload
    /// Send this: a stream that was not read yet, or what needs none; nil when there is nothing.
    case body(RequestBody?)
    indirect case delayedRequest(DelayedRequestAnswer)
    /// What the loader was told.
    indirect case loadChallenge(ChallengeAnswer)
    case connection(ConnectionAnswer)
    /// The value of a Cookie field; nil if there are none for it.
    case cookies(SecretText?)
    case kept([StoredResponse])
    /// The cache has heard what the user wants.
    case willCache
}

package enum DelayedRequestAnswer: Hashable, Sendable {
    case continueLoading
    case use(ClientRequest)
    case cancel
}

/// A response head with what the user needs to know about its attempt.
package final class Response: Hashable, Sendable {
    package let head: ResponseHead
    package let url: URLReference
    /// Body bytes that the user will receive, nil when unknown or decoded (BEHAVIOUR 2.F25).
    package let expectedLength: DeclaredLength?
    /// The number under which the session keeps what a loader gave; nil for what was received.
    package let supplied: Int?

    package init(head: ResponseHead, url: URLReference, expectedLength: DeclaredLength?, supplied: Int? = nil) {
        self.head = head
        self.url = url
        self.expectedLength = expectedLength
        self.supplied = supplied
    }

    /// As it goes to a user when no server has confirmed it: with its age by now, and without what may not be told
    /// again unasked (RFC 9111 4, 5.2.2.4).
    func forReuse(of stored: StoredResponse, at now: UnixTime) -> Response {
        let fields = FieldBlock(ReuseDecision.fields(of: stored, at: now))
        let head = ResponseHead(
            minorVersion: head.minorVersion, status: head.status, reason: head.reason, fields: fields)
        return Response(head: head, url: url, expectedLength: expectedLength)
    }

    package static func == (left: Response, right: Response) -> Bool {
        left === right
            || left.head == right.head && left.url == right.url && left.expectedLength == right.expectedLength
                && left.supplied == right.supplied
    }

    package func hash(into hasher: inout Hasher) { hasher.combine(head) }
}
