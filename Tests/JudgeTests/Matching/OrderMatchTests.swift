import ScenarioFormat
import JudgeTestSupport
import Testing

@testable import Judge

@Suite("Order across tasks")
struct OrderMatchTests {
    private func event(_ task: String, _ word: EventWord) -> SeenEvent {
        var event = Make.seen(word)
        event.task = task
        return event
    }

    private func difference(_ events: [SeenEvent], exists: Bool = true) -> String? {
        let rule = OrderRule(
            .init(task: "b", word: .complete), before: .init(task: "a", word: .complete), mark: Make.mark)
        return OrderMatch.difference(of: rule, events: events) { _ in exists }
    }

    @Test("The earlier place must come first")
    func order() {
        #expect(difference([event("b", .complete), event("a", .complete)]) == nil)
        #expect(difference([event("a", .complete), event("b", .complete)]) != nil)
        #expect(difference([event("a", .complete)]) == "b.complete never came")
        #expect(difference([event("b", .complete)]) == "a.complete never came")
    }

    @Test("A place that the style lacks demands nothing")
    func absent() { #expect(difference([], exists: false) == nil) }
}
