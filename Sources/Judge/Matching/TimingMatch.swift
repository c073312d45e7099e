import HTTPBasics
import ScenarioFormat

/// How far real time may stretch what virtual time measures exactly (SCENARIO-FORMAT 'Expectations').
package struct TimingTolerance: Hashable, Sendable {
    /// Taken from lower bounds.
    package var lower: Duration
    /// Taken from lower bounds that count from what the caller saw: the library knew of it earlier, and its timers
    /// count from there.
    package var seenLate: Duration
    /// Added to upper bounds.
    package var upper: Duration
    /// What of it is there because the machine did not run us.
    package var stall: Duration = .zero

    package init(lower: Duration = .zero, seenLate: Duration = .zero, upper: Duration) {
        self.lower = lower
        self.seenLate = seenLate
        self.upper = upper
    }

    package static let exact = TimingTolerance(upper: .zero)

    /// Under a seed the network is slow at times and so is the delegate queue, which tells of `data` later.
    package static let seeded = TimingTolerance(lower: .milliseconds(50), upper: .milliseconds(100))

    /// Lower bounds stay strict: a timer must never fire early. `stall` is how long the machine was found not to run
    /// us while the case went on.
    package static func sockets(stall: Duration) -> TimingTolerance {
        var tolerance = TimingTolerance(seenLate: .milliseconds(25) + stall, upper: slack + stall)
        tolerance.stall = stall
        return tolerance
    }

    /// What every upper bound is given over sockets.
    private static let slack = Duration.milliseconds(250)

    /// Whether a window so widened still tells what is in time from what is not: the machine must not have stood still
    /// for longer than the window reaches, nor for longer than the general tolerance.
    package func keepsMeaning(of rule: TimingRule) -> Bool {
        stall <= max(rule.within.upperBound, TimingTolerance.slack)
    }
}

/// Compares the time between two events with a window.
package enum TimingMatch {
    /// Nil when the rule holds, or speaks of an event that does not exist in the style.
    package static func difference(
        of rule: TimingRule, task: EventJournal.TaskRecord, events: [SeenEvent], projection: StyleProjection,
        tolerance: TimingTolerance
    ) -> String? {
        guard exists(rule.event, projection), exists(rule.since, projection) else { return nil }
        guard let end = time(of: rule.event, task, events) else { return "\(name(rule.event)) never came" }
        guard let start = time(of: rule.since, task, events) else { return "\(name(rule.since)) never came" }
        let measured = end - start
        let late = rule.since == .resume ? .zero : tolerance.seenLate
        let lower = rule.within.lowerBound - tolerance.lower - late, upper = rule.within.upperBound + tolerance.upper
        if measured >= lower && measured <= upper { return nil }
        let window = "\(EventText.text(rule.within.lowerBound))..\(EventText.text(rule.within.upperBound))"
        let widened = tolerance.upper > .zero ? " (widened by \(EventText.text(tolerance.upper)))" : ""
        return "\(name(rule.event)) came \(EventText.text(measured)) after \(name(rule.since)), "
            + "expected \(window)\(widened)"
    }

    private static func exists(_ point: TimingRule.Point, _ projection: StyleProjection) -> Bool {
        switch point {
        case .resume: return true
        case .first(let word), .last(let word): return projection.visibility(word).isSeen
        case .transaction, .taskInterval: return projection.visibility(.metrics).isSeen
        }
    }

    private static func time(
        of point: TimingRule.Point, _ task: EventJournal.TaskRecord, _ events: [SeenEvent]
    ) -> Instant? {
        switch point {
        case .resume: return task.resumedAt
        case .first(let word): return events.first { $0.word == word }?.time
        case .last(let word): return events.last { $0.word == word }?.time
        case .transaction(let index, let date): return metrics(events)?.instant(of: date, in: index)
        case .taskInterval(let isEnd): return metrics(events).map { isEnd ? $0.end : .zero }
        }
    }

    private static func name(_ point: TimingRule.Point) -> String {
        switch point {
        case .resume: return "resume"
        case .first(let word): return "first \(word.rawValue)"
        case .last(let word): return "last \(word.rawValue)"
        case .transaction(let index, let date): return "transactions.\(index).\(date.rawValue)"
        case .taskInterval(let isEnd): return "taskInterval.\(isEnd ? "end" : "start")"
        }
    }

    private static func metrics(_ events: [SeenEvent]) -> SeenMetrics? { events.lazy.compactMap(\.metrics).first }
}
