import HTTPBasics

/// Everything a task needs to know when it starts.
package struct TaskPlan: Hashable, Sendable {
    package enum Kind: Hashable, Sendable {
        case data
        /// Into a file; with a token, continued from where an earlier task stopped.
        indirect case download(resuming: ResumeToken?)
    }

    package var request: ClientRequest
    package var kind: Kind
    /// The questions that the delegate answers; all others take their default without a round trip.
    package var asks: QuestionKinds
    /// Longest silence (BEHAVIOUR 1.D2).
    package var requestTimeout: Duration
    /// Longest whole life (BEHAVIOUR 1.D3).
    package var resourceTimeout: Duration
    /// Set when the request cannot be sent at all: the task fails with it as soon as it is resumed.
    package var refusal: Failure.Kind?
    /// The session has protocol classes, and some of them may want the request.
    package var hasProtocols: Bool
    package var cacheRule: CacheRule
    /// Its answers may come from the session's cache, and may be kept there.
    package var usesCache = false
    package var lookup = CacheLookup.notYet
    /// The request's, if it was made when the task was started.
    package var cacheKey: CacheKey?

    /// What the cache had for the request when the task was started.
    package enum CacheLookup: Hashable, Sendable {
        /// Nobody has looked.
        case notYet
        case nothing
        /// The answer, which is offered under the number 0.
        indirect case answer(StoredResponse)
    }
    /// Which networks its requests may take (BEHAVIOUR 1.B16).
    package var demands = PathDemands.none
    /// The differentiated services code point (RFC 2474) of all its connections, redirects included; 0 for none.
    package var codePoint: UInt8 = 0
    /// How long after its start the task may begin at the earliest.
    package var delay: Duration?
    /// The whole body is kept for the caller by contract.
    package var collectsBody: Bool
    /// A delegate hears of each piece.
    package var tellsBody = false
    package var metrics: Metrics

    /// Whether transactions are noted, and for whom.
    package enum Metrics: Hashable, Sendable {
        case none
        /// For an observer outside: the task's user notices nothing of it.
        case observed
        /// For the task's user, before the completion (BEHAVIOUR 2.G1).
        case told
    }
    /// The number of the task's own delegate, if there is one that may decide about a server's certificates.
    package var trustScope: Int?
    /// For uploads that may go on after a loss (BEHAVIOUR 1.I6).
    package var resumable: ResumableUploadPlan?

    /// Whether pieces may wait for the caller: a body that is only kept waits for no call, and is not held back.
    package var hasWindow: Bool { tellsBody || !collectsBody }

    package init(
        request: ClientRequest, kind: Kind = .data, asks: QuestionKinds = [], collectsBody: Bool = false,
        requestTimeout: Duration = .seconds(60), resourceTimeout: Duration = .seconds(604_800),
        refusal: Failure.Kind? = nil, metrics: Metrics = .none, hasProtocols: Bool = false, delay: Duration? = nil,
        cacheRule: CacheRule = .useProtocol
    ) {
        self.request = request
        self.kind = kind
        self.asks = asks
        self.requestTimeout = requestTimeout
        self.resourceTimeout = resourceTimeout
        self.refusal = refusal
        self.hasProtocols = hasProtocols
        self.delay = delay
        self.cacheRule = cacheRule
        self.collectsBody = collectsBody
        self.metrics = metrics
    }
}

/// Which questions a task's user answers.
package struct QuestionKinds: OptionSet, Hashable, Sendable {
    package let rawValue: UInt16
    package init(rawValue: UInt16) { self.rawValue = rawValue }

    package static let redirect = QuestionKinds(rawValue: 1)
    package static let challenge = QuestionKinds(rawValue: 2)
    package static let response = QuestionKinds(rawValue: 4)
    package static let bodyStream = QuestionKinds(rawValue: 8)
    package static let delayedRequest = QuestionKinds(rawValue: 16)
    /// Needs no delegate: the loader always hears an answer.
    package static let loadChallenge = QuestionKinds(rawValue: 32)
    package static let bodyStreamFrom = QuestionKinds(rawValue: 64)
    /// What a connection asks before it is open.
    package static let connection = QuestionKinds(rawValue: 128)
    /// Needs no delegate, and is in no set: a storage answers.
    package static let cookies = QuestionKinds(rawValue: 256)
    /// Likewise, of a cache.
    package static let kept = QuestionKinds(rawValue: 512)
    package static let willCache = QuestionKinds(rawValue: 1024)
}
