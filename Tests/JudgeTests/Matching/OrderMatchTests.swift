import HTTPBasics
import JudgeTestSupport
import ScenarioFormat
import ServerScript
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
            .event(task: "b", .complete), before: .event(task: "a", .complete), mark: Make.mark)
        var observation = CaseObservation()
        for event in events { observation.journal.record(event) }
        return OrderMatch.difference(of: rule, in: observation) { _, _ in exists }
    }

    @Test("The earlier place must come first")
    func order() {
        #expect(difference([event("b", .complete), event("a", .complete)]) == nil)
        #expect(difference([event("a", .complete), event("b", .complete)]) != nil)
        #expect(difference([event("a", .complete)]) == "b.complete never came")
        #expect(difference([event("b", .complete)]) == "a.complete never came")
    }

    @Test(
        "A request is compared by when the server has read it, on the callers' clock",
        arguments: [(4, 3, true), (3, 4, false), (4, 4, false)] as [(Int64, Int64, Bool)])
    func requests(read: Int64, heard: Int64, isBehind: Bool) {
        var observation = CaseObservation()
        observation.start = Instant(nanoseconds: 1_000)
        var event = event("b", .complete)
        event.time = Instant(nanoseconds: heard)
        observation.journal.record(event)
        let request = RecordedRequest(method: "GET", target: "/a", fields: Fields(), lane: nil, host: "a.test")
        observation.server = [
            ServerEvent(
                peer: PeerID(0), exchange: 0, instant: Instant(nanoseconds: 1_000 + read), kind: .request(request))
        ]
        let place = OrderRule.Place.event(task: "b", .complete)
        let rule = OrderRule(place, before: .request("GET /a"), mark: Make.mark)
        #expect((OrderMatch.difference(of: rule, in: observation) { _, _ in true } == nil) == isBehind)
        let missing = OrderRule(.request("GET /x"), before: place, mark: Make.mark)
        #expect(OrderMatch.difference(of: missing, in: observation) { _, _ in true } == "GET /x never came")
    }

    @Test("A place that the style lacks demands nothing")
    func absent() { #expect(difference([], exists: false) == nil) }
}
