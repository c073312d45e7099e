import JudgeTestSupport
import ScenarioFormat
import ServerScript
import Testing

@testable import Judge

@Suite("Rules about events that a style does not tell")
struct UnheardEventsTests {
    private func notes(_ change: (inout ScenarioFormat.Expectation) -> Void) -> [String] {
        var scenarioCase = Make.scenarioCase()
        change(&scenarioCase.expect)
        return UnheardEvents.notes(Make.scenario("a/b", cases: [scenarioCase])).map { "\($0.mark): \($0.message)" }
    }

    private func forbidding(_ word: EventWord) -> [String] {
        notes { $0.tasks = [TaskExpectation(label: "t", events: [.never([word])], mark: Make.mark)] }
    }

    @Test("That something never comes demands nothing where it would not be told")
    func never() {
        #expect(
            forbidding(.informational) == [
                "t.yaml:1:1: 'informational' is not told in completion and async: there this demands nothing"
            ])
        #expect(forbidding(.redirect).isEmpty, "a delegate hears of it in every style")
        #expect(forbidding(.data).isEmpty, "it is returned")
    }

    @Test("An order and a moment need events that come by themselves")
    func timed() {
        let mark = SourceMark(file: "t.yaml", line: 7, column: 3)
        let order = notes { expect in
            let places = [EventWord.data, .complete].map { OrderRule.Place.event(task: "t", $0) }
            expect.order = [OrderRule(places[0], before: places[1], mark: mark)]
        }
        #expect(order == ["t.yaml:7:3: 'data' is not told in completion and async: there this demands nothing"])
        let timing = notes { expect in
            var task = TaskExpectation(label: "t", mark: Make.mark)
            task.timing = [TimingRule(.first(.complete), since: .resume, within: .zero ... .zero, mark: mark)]
            expect.tasks = [task]
        }
        #expect(timing.isEmpty)
    }
}
