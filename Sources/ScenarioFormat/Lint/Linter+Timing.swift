import HTTPBasics
import ServerScript

/// Bounds that the script's own pauses and timeouts cannot keep.
extension Linter {
    func checkTiming(_ expectation: TaskExpectation, of task: TaskStep, in scenarioCase: ScenarioCase) {
        checkMetricsTiming(expectation)
        for rule in expectation.timing where rule.since == .resume {
            if let least = leastTime(of: rule.event, expectation, task, scenarioCase),
                least.span > rule.within.upperBound
            {
                warn("\(least.why) \(ScenarioPrinter.text(least.span)), longer than 'within' allows", at: rule.mark)
            }
            // A sliced upload pauses by itself (BEHAVIOUR 3.B1-pause), and so does who tries addresses (2.F11-next).
            let isAtOnce = scenarioCase.names.isEmpty && scenarioCase.link == nil
            if task.sliced == nil, isAtOnce, rule.within.lowerBound > scenarioCase.scriptedWait {
                let total = scenarioCase.scriptedWait
                let pauses =
                    total == .zero
                    ? "the script never waits" : "all waits of the script take \(ScenarioPrinter.text(total))"
                warn("\(pauses), less than 'within' demands", at: rule.mark)
            }
        }
    }

    /// The dates of metrics have a clock of their own, and come with an event that is asked for.
    private func checkMetricsTiming(_ expectation: TaskExpectation) {
        let isTold = (expectation.events ?? []).flatMap(\.matches).contains { $0.word == .metrics }
        for rule in expectation.timing where rule.event.isOfMetrics || rule.since.isOfMetrics {
            if rule.event.isOfMetrics != rule.since.isOfMetrics {
                error(
                    "a date of metrics is compared with another one only", at: rule.mark,
                    remedy: "such as since: taskInterval.start")
            }
            if !isTold { error("its dates need a 'metrics' event", at: rule.mark, remedy: "write it under 'events'") }
        }
    }

    /// From the first `resume()` to an event, if everything but the script is infinitely fast.
    private func leastTime(
        of event: TimingRule.Point, _ expectation: TaskExpectation, _ task: TaskStep, _ scenarioCase: ScenarioCase
    ) -> (why: String, span: Duration)? {
        let outcomes = (expectation.events ?? []).flatMap(\.matches).filter { $0.word == .complete }.flatMap(\.outcomes)
        let takers = scenarioCase.script.exchanges.map(\.0).filter { $0.request.mayMatch(task.method, task.target) }
        switch event {
        case .first(.complete), .last(.complete):
            if outcomes == [.success] {
                return takers.map { $0.leastTimeToEnd(of: task) }.min().map { ("the server's pauses alone take", $0) }
            }
            guard !outcomes.isEmpty, outcomes.allSatisfy(\.isTimeout) else { return nil }
            return ("the timeout alone takes", scenarioCase.timeout(of: task.label))
        case .first(.response), .last(.response):
            return takers.map(\.leastTimeToHead).min().map { ("the server's pauses alone take", $0) }
        case .resume, .first, .last, .transaction, .taskInterval: return nil
        }
    }
}

extension EventMatch.Outcome {
    fileprivate var isTimeout: Bool {
        if case .failure("timedOut", _) = self { return true }
        return false
    }
}

extension Exchange {
    /// From the request to the end of the head.
    fileprivate var leastTimeToHead: Duration {
        var time = faults.pause.adding(reply?.delay ?? .zero)
        for interim in reply?.interim ?? [] { time = time.adding(interim.delay) }
        return time.adding((reply?.faults ?? []).filter(\.landmark.isBeforeBody).pause)
    }

    /// From the request to the end of the answer, as the client sees it; where that is not known, less.
    fileprivate func leastTimeToEnd(of task: TaskStep) -> Duration {
        guard let reply, (200...299).contains(reply.status), reply.status != 204, task.method != "HEAD" else {
            return leastTimeToHead
        }
        var time = leastTimeToHead
        time = time.adding(reply.faults.filter { !$0.landmark.isBeforeBody }.pause)
        switch reply.framing {
        case .length:
            guard !reply.isRanged, let size = reply.body.plainSize else { return time }
            var walk = PauseWalk(left: size)
            walk.follow(reply.timeline)
            return time.adding(walk.pauses)
        case .chunked: return reply.timeline.contains(.trailers) ? time : time.adding(reply.timeline.wait)
        case .close: return time.adding(reply.timeline.wait)
        }
    }
}

/// The pauses of a timeline up to the body's last byte.
private struct PauseWalk {
    var left: Int
    var pauses = Duration.zero

    init(left: Int) { self.left = left }

    mutating func follow(_ steps: [SendStep]) {
        for step in steps where left > 0 {
            switch step {
            case .wait(let span): pauses = pauses.adding(span)
            case .bytes(let count), .chunk(let count, _): left -= min(left, count)
            case .rest, .stall: left = 0
            case .repeat(let count, let steps): follow(steps, times: count)
            case .raw, .split, .trailers, .signal, .await: break
            }
        }
    }

    private mutating func follow(_ steps: [SendStep], times count: Int) {
        var once = PauseWalk(left: .max)
        once.follow(steps)
        let taken = Int.max - once.left
        // The rounds that surely leave something of the body, then the one that may not.
        let whole = taken == 0 ? count : min(count, (left - 1) / taken)
        pauses = pauses.adding(once.pauses, times: whole)
        left -= whole * taken
        if whole < count { follow(steps) }
    }
}

extension Fault {
    fileprivate var pause: Duration {
        switch landmark {
        case .idle, .end: .zero
        default: if case .delay(let span) = effect { span } else { .zero }
        }
    }
}

extension [Fault] {
    fileprivate var pause: Duration { reduce(.zero) { $0.adding($1.pause) } }
}

extension Fault.Landmark {
    /// Whether it lies before the end of the answer's head.
    fileprivate var isBeforeBody: Bool {
        switch self {
        case .listen, .accept, .requestHead, .requestBody, .request, .interim, .statusLine, .head: true
        case .headEnd, .body, .chunk, .lastChunk, .trailers, .end, .idle: false
        }
    }
}
