import HTTPBasics
import ScenarioFormat
import JudgeTestSupport
import Testing

@testable import Judge

@Suite("Time between events")
struct TimingMatchTests {
    private static let events = [
        Make.seen(.response, at: 100), Make.seen(.data, at: 150), Make.seen(.data, at: 400),
        Make.seen(.complete, at: 1400),
    ]

    private func difference(
        _ rule: TimingRule, _ tolerance: TimingTolerance = .exact, style: Style = .delegate
    ) -> String? {
        var task = EventJournal.TaskRecord(label: "t", kind: .data, target: "/")
        task.resumedAt = .zero
        return TimingMatch.difference(
            of: rule, task: task, events: TimingMatchTests.events,
            projection: StyleProjection(style: style, kind: .data, hasQuestionDelegate: false), tolerance: tolerance)
    }

    private func rule(
        _ event: TimingRule.Point, since: TimingRule.Point, _ from: Int, _ to: Int
    ) -> TimingRule {
        TimingRule(event, since: since, within: .milliseconds(from) ... .milliseconds(to), mark: Make.mark)
    }

    @Test("Bounds are exact in virtual time")
    func exact() {
        #expect(difference(rule(.last(.complete), since: .last(.data), 1000, 1000)) == nil)
        #expect(difference(rule(.last(.complete), since: .first(.data), 1250, 1250)) == nil)
        #expect(difference(rule(.first(.response), since: .resume, 100, 100)) == nil)
        #expect(difference(rule(.last(.complete), since: .last(.data), 1001, 2000)) != nil)
        #expect(difference(rule(.last(.complete), since: .last(.data), 0, 999)) != nil)
    }

    @Test(
        "Over sockets upper bounds widen by slack and stall, lower bounds only where the caller saw the beginning late")
    func widened() {
        let sockets = TimingTolerance.sockets(stall: .milliseconds(100))
        #expect(difference(rule(.last(.complete), since: .last(.data), 0, 650), sockets) == nil)
        #expect(difference(rule(.last(.complete), since: .last(.data), 0, 649), sockets) != nil)
        #expect(difference(rule(.first(.response), since: .resume, 101, 200), sockets) != nil)
        #expect(difference(rule(.last(.complete), since: .last(.data), 1125, 2000), sockets) == nil)
        #expect(difference(rule(.last(.complete), since: .last(.data), 1126, 2000), sockets) != nil)
    }

    @Test("The window is shown, and its widening where there is one")
    func text() {
        let late = rule(.last(.complete), since: .last(.data), 0, 500)
        #expect(difference(late) == "last complete came 1s after last data, expected 0s..500ms")
        let widened = difference(late, .sockets(stall: .milliseconds(100)))
        #expect(widened == "last complete came 1s after last data, expected 0s..500ms (widened by 350ms)")
    }

    @Test("An event that never came is named; one that the style lacks is not demanded")
    func missing() {
        #expect(difference(rule(.last(.redirect), since: .resume, 0, 9)) == "last redirect never came")
        #expect(difference(rule(.last(.complete), since: .last(.data), 5, 6), style: .async) == nil)
        #expect(difference(rule(.last(.complete), since: .resume, 5, 6), style: .async) != nil)
    }

    @Test("Dates of metrics are compared with each other, with the slack that events have")
    func metrics() {
        var transaction = SeenMetrics.Transaction(request: "GET /")
        transaction.dates[.requestEnd] = Instant(nanoseconds: 20_000_000)
        transaction.dates[.responseStart] = Instant(nanoseconds: 320_000_000)
        let told = Make.seen(.metrics, at: 900) {
            $0.metrics = SeenMetrics(
                redirects: 0, transactions: [transaction], end: Instant(nanoseconds: 500_000_000))
        }
        let task = EventJournal.TaskRecord(label: "t", kind: .data, target: "/")
        let compare = { (rule: TimingRule, tolerance: TimingTolerance, style: Style) in
            TimingMatch.difference(
                of: rule, task: task, events: [told],
                projection: StyleProjection(style: style, kind: .data, hasQuestionDelegate: false),
                tolerance: tolerance)
        }
        let sockets = TimingTolerance.sockets(stall: .zero)
        let wait = { (from: Int, to: Int) in
            rule(.transaction(0, .responseStart), since: .transaction(0, .requestEnd), from, to)
        }
        #expect(compare(wait(300, 300), .exact, .delegate) == nil)
        #expect(compare(wait(326, 400), sockets, .delegate) != nil)
        #expect(compare(wait(325, 400), sockets, .delegate) == nil)
        #expect(compare(wait(0, 100), sockets, .delegate) == nil)
        #expect(compare(wait(0, 1), .exact, .async) == nil, "no event is told there")
        let whole = rule(.taskInterval(isEnd: true), since: .taskInterval(isEnd: false), 500, 500)
        #expect(compare(whole, .exact, .delegate) == nil)
        let missing = rule(.transaction(1, .connectEnd), since: .taskInterval(isEnd: false), 0, 9)
        #expect(compare(missing, .exact, .delegate) == "transactions.1.connectEnd never came")
    }

    @Test("A window that is widened by more than it reaches means nothing any more")
    func meaning() {
        let long = TimingRule(.first(.complete), since: .resume, within: .seconds(1) ... .seconds(2), mark: Make.mark)
        let short = TimingRule(.first(.complete), since: .resume, within: .zero ... .milliseconds(50), mark: Make.mark)
        let loaded = TimingTolerance.sockets(stall: .milliseconds(900))
        #expect(loaded.keepsMeaning(of: long) && !loaded.keepsMeaning(of: short))
        let calm = TimingTolerance.sockets(stall: .milliseconds(250))
        #expect(calm.keepsMeaning(of: short))
        #expect(TimingTolerance.exact.keepsMeaning(of: short) && TimingTolerance.seeded.keepsMeaning(of: short))
    }
}
