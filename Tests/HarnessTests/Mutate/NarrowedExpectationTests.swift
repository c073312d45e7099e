import Judge
import JudgeTestSupport
import ScenarioFormat
import Testing

@testable import Harness

@Suite("An expectation without what is left open")
struct NarrowedExpectationTests {
    /// What is left of `written` where exactly one list of bare events holds.
    private func narrowed(_ written: [EventPattern], came: String) -> [EventPattern]? {
        var expectation = ScenarioFormat.Expectation()
        expectation.tasks = [Sample.expect("t", written)]
        return NarrowedExpectation.of(expectation) { tried in
            EventMatcher.mismatch(tried.tasks[0].events ?? [], against: Make.list(came)) == nil
        }.tasks[0].events
    }

    @Test("Of alternatives the one that came true, of maybe what came, of repeat how often")
    func narrows() {
        let response = Make.pattern(.response), data = Make.pattern(.data), end = Make.pattern(.complete)
        let maybe = EventPattern.maybe([Make.match(.sent), Make.match(.informational)])
        #expect(
            narrowed([maybe, .anyOf([[end], [response, data]]), end], came: "informational response data complete")
                == [.maybe([Make.match(.informational)]), .anyOf([[response, data]]), end])
        let redirects = EventPattern.repeat(0...3, Make.pattern(.redirect))
        #expect(
            narrowed([redirects, end], came: "redirect redirect complete")
                == [.repeat(2...2, Make.pattern(.redirect)), end])
    }

    @Test("What says one thing only stays as it is")
    func stays() {
        let written = [EventPattern.anything, Make.pattern(.complete), .never([.file])]
        #expect(narrowed(written, came: "response complete") == written)
    }
}
