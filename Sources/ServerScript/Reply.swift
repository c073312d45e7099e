import HTTPBasics

/// One answer: what it says and how it is put on the wire.
package struct Reply: Hashable, Sendable {
    package enum Framing: Hashable, Sendable {
        /// Content-Length, unless the fields name one themselves or the status has no body.
        case length
        /// Chunks of this size.
        case chunked(size: Int)
        /// Neither length nor chunks: the end of the connection ends the body.
        case close
    }

    /// `Connection: keep-alive` or `close` as the server really behaves.
    package var status: Int
    /// A word for what the request brings, which is to be the status.
    package var statusText: String?
    package var reason: String?
    /// Sent as given, in order, duplicates and all; Date, Content-Length and the like are added where absent.
    package var fields: Fields
    package var body: Content
    package var framing: Framing
    /// Answer Range and If-Range for `body` by the rules of RFC 9110 13.1.5 and 14: 206, 200 or 416.
    package var isRanged: Bool
    package var trailers: Fields
    package var interim: [Interim]
    /// What it demands, each in a WWW-Authenticate field of its own.
    package var challenges: [ServerChallenge]
    /// How head and body are timed; empty sends all at once.
    package var timeline: [SendStep]
    /// Bytes in a second of everything behind the head; nil for all at once.
    package var sendRate: Int?
    /// Wait after the request was read.
    package var delay: Duration
    /// What is drawn and added to the delay.
    package var delaySpread: DelaySpread?
    /// In any order: each strikes at its own place, two at one place as they are listed.
    package var faults: [Fault]

    package init(
        status: Int = 200, reason: String? = nil, fields: Fields = Fields(), body: Content = .empty,
        framing: Framing = .length, isRanged: Bool = false, trailers: Fields = Fields(), interim: [Interim] = [],
        challenges: [ServerChallenge] = [], timeline: [SendStep] = [], sendRate: Int? = nil,
        delay: Duration = .zero, faults: [Fault] = []
    ) {
        self.status = status
        self.reason = reason
        self.fields = fields
        self.body = body
        self.framing = framing
        self.isRanged = isRanged
        self.trailers = trailers
        self.interim = interim
        self.challenges = challenges
        self.timeline = timeline
        self.sendRate = sendRate
        self.delay = delay
        self.faults = faults
    }
}

/// An informational answer before the final one.
package struct Interim: Hashable, Sendable {
    package var status: Int
    package var fields: Fields
    /// Before each of them.
    package var delay: Duration
    package var times: Int
    /// Sent in place of status and fields.
    package var raw: Content?

    package init(
        status: Int, fields: Fields = Fields(), delay: Duration = .zero, times: Int = 1, raw: Content? = nil
    ) {
        self.status = status
        self.fields = fields
        self.delay = delay
        self.times = times
        self.raw = raw
    }
}

/// One move on a reply's timeline. The head goes out before the first of them.
package enum SendStep: Hashable, Sendable {
    /// The next N bytes of the body.
    case bytes(Int)
    /// What is left of the body.
    case rest
    case wait(Duration)
    /// The next N bytes of the body as one chunk; `sizeLine` is sent in place of its true size.
    case chunk(Int, sizeLine: String? = nil)
    /// Bytes as they are, outside all framing.
    case raw(Content)
    /// From here on at most N bytes in one segment.
    case split(Int)
    case trailers
    /// Send nothing more, keep the connection.
    case stall
    case signal(String)
    case await(String)
    indirect case `repeat`(Int, [SendStep])
}
