import ScenarioFormat
import JudgeTestSupport
import Testing

@testable import Judge

@Suite("The journal of what a caller saw")
struct EventJournalTests {
    private func journal(_ events: [SeenEvent]) -> EventJournal {
        var journal = EventJournal()
        for event in events { journal.record(event) }
        return journal
    }

    private func data(_ bytes: Int, _ total: Int, at time: Int64 = 0) -> SeenEvent {
        Make.seen(.data, at: time) {
            $0.bytes = bytes
            $0.total = total
        }
    }

    private func sent(_ total: Int) -> SeenEvent { Make.seen(.sent) { $0.total = total } }

    @Test("A run of data becomes one event with all its bytes and the last total")
    func mergesRuns() {
        let merged = journal([Make.seen(.response), data(2, 2), data(3, 5, at: 9), Make.success]).merged(of: "t")
        #expect(merged.map(\.word) == [.response, .data, .complete])
        #expect(merged[1].bytes == 5)
        #expect(merged[1].total == 5)
        #expect(merged[1].time.nanoseconds == 9_000_000)
    }

    @Test("A total that falls starts a new run, because a body is sent again")
    func restart() {
        #expect(journal([sent(3), sent(9), sent(3), sent(9)]).merged(of: "t").map(\.total) == [9, 9])
    }

    @Test("Other events are not merged, nor are runs across tasks")
    func apart() {
        var other = data(1, 1)
        other.task = "u"
        let journal = journal([data(1, 1), other, data(1, 2), Make.seen(.redirect), Make.seen(.redirect)])
        #expect(journal.merged(of: "t").map(\.word) == [.data, .redirect, .redirect])
        #expect(journal.merged(of: "u").count == 1)
    }

    @Test("A call after the session became invalid is a breach")
    func afterInvalid() {
        var journal = journal([])
        journal.recordInvalid(at: .zero)
        #expect(journal.breaches.isEmpty)
        journal.record(Make.success)
        journal.recordInvalid(at: .zero)
        #expect(journal.breaches.count == 2)
    }
}
