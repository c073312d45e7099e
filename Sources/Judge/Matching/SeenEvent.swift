import HTTPBasics
import ScenarioFormat

/// One thing that the caller was told or asked, as the recording client saw it.
///
/// URLs are written the way a scenario writes them: path and query on the first host, `$origin.b.test/path` on
/// another one. That makes what was seen comparable between worlds, whose ports and addresses differ.
package struct SeenEvent: Hashable, Sendable {
    package enum Outcome: Hashable, Sendable {
        case success
        /// Name of the `URLError.Code`.
        case failure(code: String, hasResumeData: Bool)
    }

    package var task: String
    package var word: EventWord
    package var time: Instant
    package var status: Int?
    package var url: String?
    /// `METHOD /target` of the proposed request.
    package var to: String?
    /// How many bytes this event, or this run of events, stands for.
    package var bytes = 0
    /// All bytes so far, this event's included.
    package var total: Int?
    package var expected: Int?
    package var offset: Int?
    package var realm: String?
    package var method: String?
    package var level: ChallengeLevel?
    package var previousFailures: Int?
    package var isOfProxy: Bool?
    package var mimeType: String?
    package var encoding: String?
    package var filename: String?
    package var outcome: Outcome?
    package var fields = Fields()
    package var content: SeenContent?
    package var metrics: SeenMetrics?

    package init(_ word: EventWord, task: String, at time: Instant) {
        self.word = word
        self.task = task
        self.time = time
    }
}

/// What came back to a caller that learns everything at the end: by completion handler or by `await`.
package struct ReturnedResult: Hashable, Sendable {
    package var status: Int?
    package var url: String?
    /// The length that the response announced; -1 for none.
    package var expected: Int?
    package var mimeType: String?
    package var encoding: String?
    package var filename: String?
    package var fields = Fields()
    package var body: SeenContent?
    package var file: SeenContent?

    package init() {}
}
