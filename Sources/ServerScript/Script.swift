import HTTPBasics

/// What a scripted server does: ordered steps that must all be consumed, then routes matched any number of times.
///
/// A request is first offered to the next unconsumed step of its lane, then to the routes, then it is unmatched.
package struct Script: Hashable, Sendable {
    /// Names of the listeners; a step or route without one belongs to the first.
    package var hosts: [String]
    /// Hosts that refuse connections or never answer them: faults at `listen`, for the whole run.
    package var listenFaults: [String: Fault]
    /// Hosts that speak TLS.
    package var tls: [String: HostTLS] = [:]
    /// Hosts that are proxies.
    package var proxies: [String: ProxyRole] = [:]
    package var steps: [Step]
    package var routes: [Route]
    /// The answer to what no route matches; nil makes it a failure with a near-miss diff.
    package var otherwise: Reply?
    /// A server that plays it again and again ends a round when nothing has happened in its steps for so long.
    package var roundTimeout: Duration = .seconds(10)
    package var reading = Reading.strict
    /// All that it answers may be read by pages of other origins (CORS).
    package var isShared = false

    /// Steps of connections that have asked for nothing yet.
    var stepsOfFreshConnections: [Step] {
        // Whether a lane has no connection, before its first request and behind its end.
        var isFresh: [String?: Bool] = [:]
        return steps.filter { step in
            guard step.times > 0 else { return false }
            let wasFresh = isFresh[step.lane] ?? true
            if case .close = step.action { isFresh[step.lane] = true } else { isFresh[step.lane] = false }
            switch step.action {
            case .accept: return true
            case .read, .write, .close: return wasFresh
            case .exchange: return false
            }
        }
    }

    /// `https` for a host that speaks TLS.
    package func scheme(of host: String) -> String { tls[host] == nil ? "http" : "https" }

    package init(
        hosts: [String] = ["a.test"], listenFaults: [String: Fault] = [:], steps: [Step] = [], routes: [Route] = [],
        otherwise: Reply? = nil
    ) {
        self.hosts = hosts
        self.listenFaults = listenFaults
        self.steps = steps
        self.routes = routes
        self.otherwise = otherwise
    }
}

/// What becomes of a request that bends RFC 9112 in a way that many clients do and that every server understands.
package enum Reading: String, CaseIterable, Hashable, Sendable {
    /// A violation: who judges a client wants to know.
    case strict
    /// It is noted, and taken for what is meant; and a client that waits for 100 (Continue) gets one.
    case lenient
}

/// One line of the script.
package struct Step: Hashable, Sendable {
    package enum Action: Hashable, Sendable {
        /// One request and its answer.
        indirect case exchange(Exchange)
        /// The lane's connection is accepted here; with a fault, that is all that happens to it.
        case accept(Fault?)
        /// Wait for this many raw bytes from the client.
        case read(bytes: Int)
        /// Send raw bytes, outside any exchange.
        case write([UInt8])
        /// End the lane's connection.
        case close(Fault.Effect)
    }

    /// Connection label: binds the next accepted connection on first use, and asserts the same one afterwards.
    /// Steps without a label form one lane that any connection may continue.
    package var lane: String?
    package var host: String?
    /// How often the step must happen; 0 removes it.
    package var times: Int
    package var action: Action
    package var mark: SourceMark?
    /// Of a step that has happened but for these: what is left of it.
    package var owed: [Fault] = []

    package init(
        _ action: Action, lane: String? = nil, host: String? = nil, times: Int = 1, mark: SourceMark? = nil
    ) {
        self.action = action
        self.lane = lane
        self.host = host
        self.times = times
        self.mark = mark
    }
}

extension Step {
    /// In front of what the step is, where not all of it is left.
    package var owedText: String {
        owed.isEmpty ? "" : owed.map { "\($0.effect) at \($0.landmark)" }.joined(separator: " and ") + " of "
    }
}

/// What is demanded of a request, and what happens to it.
package struct Exchange: Hashable, Sendable {
    package var request: RequestMatch
    package var readBody: ReadBody
    /// Bytes of its body in a second; nil for as fast as they come.
    package var readRate: Int?
    /// Nil when a fault makes an answer impossible, or when the lane's next steps write raw bytes in its place.
    package var reply: Reply?
    /// Those before the answer, in any order; what goes wrong in the answer is its own.
    package var faults: [Fault]
    package var resumable: Resumption?
    /// Whether pages of other origins may read the answer (CORS); nil: as the script says.
    package var isShared: Bool?
    /// In the order of the script.
    package var changes: [StateChange] = []

    package init(
        _ request: RequestMatch, reply: Reply? = nil, faults: [Fault] = [], readBody: ReadBody = .all,
        readRate: Int? = nil, resumable: Resumption? = nil, isShared: Bool? = nil
    ) {
        self.request = request
        self.reply = reply
        self.faults = faults
        self.readBody = readBody
        self.readRate = readRate
        self.resumable = resumable
        self.isShared = isShared
    }
}

/// One line of the standalone server's habit: first match wins, any number of times.
package struct Route: Hashable, Sendable {
    package var host: String?
    package var exchange: Exchange
    /// How often it answers before later routes do; nil for ever.
    package var times: Int?
    package var mark: SourceMark?

    package init(_ exchange: Exchange, host: String? = nil, times: Int? = nil, mark: SourceMark? = nil) {
        self.exchange = exchange
        self.host = host
        self.times = times
        self.mark = mark
    }
}

/// How much of a request's body is read before the answer goes out.
package enum ReadBody: Hashable, Sendable {
    case all
    /// This many bytes; the rest stays unread until the answer is out, then the connection closes.
    case part(bytes: Int)
    case none
}
