import HTTPBasics
import ServerScript

/// What must be seen; what holds without being written is in SCENARIO-FORMAT 'Expectations'.
package struct Expectation: Hashable, Sendable {
    package var tasks: [TaskExpectation]
    /// The requests that the server read, in order; nil demands nothing.
    package var wire: [WireEntry]?
    /// How many connections the server accepted.
    package var connections: ClosedRange<Int>?
    package var connectionsMark: SourceMark?
    /// How many connections the client tried to open.
    package var attempts: Int?
    package var attemptsMark: SourceMark?
    package var order: [OrderRule]
    package var closes: [CloseRule]
    /// Files left in the download directory when all is over.
    package var temporaryFiles: Int?
    /// `session: invalid` demands `didBecomeInvalidWithError(nil)` as the last call.
    package var becomesInvalid: Bool?
    /// What is in the session's storage in the end; nil demands nothing.
    package var cookies: [CookieMatch]?
    package var cookiesMark: SourceMark?

    package init() {
        tasks = []
        order = []
        closes = []
    }
}

/// What one task must do.
package struct TaskExpectation: Hashable, Sendable {
    package var label: String
    /// Ordered and closed: an event that is not listed fails.
    package var events: [EventPattern]?
    /// The body that the caller was given, whole.
    package var body: Content?
    package var timing: [TimingRule]
    package var mark: SourceMark

    package init(label: String, events: [EventPattern]? = nil, body: Content? = nil, mark: SourceMark) {
        self.label = label
        self.events = events
        self.body = body
        self.timing = []
        self.mark = mark
    }
}

/// Words for what a user is told or asked, one for each delegate method.
package enum EventWord: String, Hashable, Sendable, CaseIterable {
    case created, waiting, delayedRequest, redirect, challenge, needStream, sent, informational, response, data,
        becameDownload,
        wrote, resumed, file, willCache, metrics
    case complete

    /// Ignored unless a list speaks of them.
    package static let incidental: Set<EventWord> = [.created, .willCache, .metrics]
}

/// A place in the expected list.
package indirect enum EventPattern: Hashable, Sendable {
    case event(EventMatch)
    /// Any of these may come here or not, each at most once, in this order.
    case maybe([EventMatch])
    /// All of these, in any order.
    case unordered([EventPattern])
    /// None of these, anywhere in the list.
    case never([EventWord])
    /// Any events, up to the one that the next pattern accepts.
    case anything
    /// The pattern, that many times.
    case `repeat`(ClosedRange<Int>, EventPattern)
    /// One of these lists.
    case anyOf([[EventPattern]])
}

/// One event with the properties that matter; nil properties are not compared.
package struct EventMatch: Hashable, Sendable {
    package enum Outcome: Hashable, Sendable {
        case success
        /// Name of a `URLError.Code`; with or without resume data, nil if that does not matter.
        case failure(code: String, hasResumeData: Bool?)
    }

    package var word: EventWord
    package var mark: SourceMark
    package var status: Int?
    /// Path and query of the response's URL.
    package var url: String?
    /// `METHOD /target` of the proposed request.
    package var to: String?
    /// Bytes in total when the run of equal events ends.
    package var total: SizeRule?
    package var expected: Int?
    package var offset: Int?
    package var realm: String?
    package var method: String?
    package var level: ChallengeLevel?
    package var previousFailures: Int?
    /// Whether it is a proxy's challenge.
    package var isOfProxy: Bool?
    /// What a response says of its body: `mimeType`, `textEncodingName`, `suggestedFilename`.
    package var mimeType: String?
    package var encoding: String?
    package var filename: String?
    package var fields: [RequestMatch.NamedRule]
    /// Names of fields that must not be there.
    package var absent: [String] = []
    /// Names of fields, letter by letter.
    package var names: [String]
    package var content: Content?
    package var redirects: Int?
    /// All of them, in order.
    package var transactions: [TransactionMatch]?
    /// One of these outcomes.
    package var outcomes: [Outcome]

    package init(_ word: EventWord, mark: SourceMark) {
        self.word = word
        self.mark = mark
        self.fields = []
        self.names = []
        self.outcomes = []
    }
}

package enum SizeRule: Hashable, Sendable {
    case exactly(Int)
    case atLeast(Int)
    case atMost(Int)
}

/// `{event, since, within: a..b}`.
package struct TimingRule: Hashable, Sendable {
    package enum Point: Hashable, Sendable {
        /// The task was resumed for the first time.
        case resume
        case first(EventWord)
        case last(EventWord)
        /// A date of the task's metrics.
        case transaction(Int, TransactionDate)
        case taskInterval(isEnd: Bool)

        /// Whether metrics must be told for it to exist.
        package var isOfMetrics: Bool {
            switch self {
            case .transaction, .taskInterval: true
            case .resume, .first, .last: false
            }
        }
    }

    package var event: Point
    package var since: Point
    package var within: ClosedRange<Duration>
    package var mark: SourceMark

    package init(_ event: Point, since: Point, within: ClosedRange<Duration>, mark: SourceMark) {
        self.event = event
        self.since = since
        self.within = within
        self.mark = mark
    }
}

/// `b.complete before a.complete`, `GET /a before t.response`.
package struct OrderRule: Hashable, Sendable {
    package enum Place: Hashable, Sendable {
        case event(task: String, EventWord)
        /// The server has read the head of this request.
        case request(String)

        package var text: String {
            switch self {
            case .event(let task, let word): "\(task).\(word.rawValue)"
            case .request(let line): Secrets.shown(line)
            }
        }
    }

    package var earlier: Place
    package var later: Place
    package var mark: SourceMark

    package init(_ earlier: Place, before later: Place, mark: SourceMark) {
        self.earlier = earlier
        self.later = later
        self.mark = mark
    }

    /// What a caller hears.
    package var events: [(task: String, word: EventWord)] {
        [earlier, later].compactMap { if case .event(let task, let word) = $0 { (task, word) } else { nil } }
    }

    /// What the server reads.
    package var requests: [String] {
        [earlier, later].compactMap { if case .request(let line) = $0 { line } else { nil } }
    }
}

/// A place in the list of requests on the wire.
package enum WireEntry: Hashable, Sendable {
    case request(WireExpectation)
    /// All of these, in any order.
    case unordered([WireExpectation])

    package var requests: [WireExpectation] {
        switch self {
        case .request(let request): [request]
        case .unordered(let requests): requests
        }
    }

    package func map(_ change: (WireExpectation) -> WireExpectation) -> WireEntry {
        switch self {
        case .request(let request): .request(change(request))
        case .unordered(let requests): .unordered(requests.map(change))
        }
    }

    /// With another one in the place of one of its requests, or with none.
    package func replacing(_ index: Int, with other: WireExpectation?) -> WireEntry {
        if case .request = self, let other { return .request(other) }
        var requests = self.requests
        requests.replaceSubrange(index...index, with: other.map { [$0] } ?? [])
        return .unordered(requests)
    }
}

/// One request on the wire, as the server read it.
package struct WireExpectation: Hashable, Sendable {
    package var line: String
    package var fields: [RequestMatch.NamedRule]
    package var absent: [String]
    package var body: RequestMatch.BodyRule?
    package var mark: SourceMark

    package init(line: String, mark: SourceMark) {
        self.line = line
        self.fields = []
        self.absent = []
        self.mark = mark
    }
}

/// `wire-close: [{conn-of: dead, by: client}]`: who ended the connection that carried the task's last exchange.
package struct CloseRule: Hashable, Sendable {
    package var task: String
    package var byClient: Bool
    package var mark: SourceMark

    package init(task: String, byClient: Bool, mark: SourceMark) {
        self.task = task
        self.byClient = byClient
        self.mark = mark
    }
}
