import HTTPBasics

/// Everything a task needs to know when it starts.
package struct TaskPlan: Hashable, Sendable {
    package enum Kind: Hashable, Sendable {
        case data
        /// Into a file; with a token, continued from where an earlier task stopped.
        case download(resuming: ResumeToken?)
    }

    package var request: ClientRequest
    package var kind: Kind
    /// The questions that somebody will answer; all others take their default without a round trip.
    package var asks: QuestionKinds
    /// Longest silence; nil means for ever (BEHAVIOUR D2).
    package var requestTimeout: Duration
    /// Longest whole life (BEHAVIOUR D3).
    package var resourceTimeout: Duration
    /// Set when the request cannot be sent at all: the task fails with it as soon as it is resumed.
    package var refusal: Failure.Kind?

    package init(
        request: ClientRequest, kind: Kind = .data, asks: QuestionKinds = [],
        requestTimeout: Duration = .seconds(60), resourceTimeout: Duration = .seconds(604_800),
        refusal: Failure.Kind? = nil
    ) {
        self.request = request
        self.kind = kind
        self.asks = asks
        self.requestTimeout = requestTimeout
        self.resourceTimeout = resourceTimeout
        self.refusal = refusal
    }
}

/// Which questions a task's user answers.
package struct QuestionKinds: OptionSet, Hashable, Sendable {
    package let rawValue: UInt8
    package init(rawValue: UInt8) { self.rawValue = rawValue }

    package static let redirect = QuestionKinds(rawValue: 1)
    package static let challenge = QuestionKinds(rawValue: 2)
    package static let response = QuestionKinds(rawValue: 4)
}
