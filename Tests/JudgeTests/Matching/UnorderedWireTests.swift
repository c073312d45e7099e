import HTTPBasics
import JudgeTestSupport
import ScenarioFormat
import ServerScript
import Testing

@testable import Judge

@Suite struct UnorderedWireTests {
    private func wanted(_ line: String, _ fields: [RequestMatch.NamedRule] = []) -> WireExpectation {
        var expectation = WireExpectation(line: line, mark: Make.mark)
        expectation.fields = fields
        return expectation
    }

    private func request(_ target: String, _ fields: [Fields.Field] = []) -> WireRequest {
        WireRequest(
            peer: PeerID(0), exchange: 0, instant: .zero,
            head: RecordedRequest(method: "GET", target: target, fields: Fields(fields), lane: nil, host: "a.test"))
    }

    private func difference(_ expected: [WireEntry], _ requests: [WireRequest]) -> String? {
        WireMatch.difference(of: expected, requests: requests).map { "\($0.index): \($0.reason)" }
    }

    private var entries: [WireEntry] {
        [
            .request(wanted("GET /first")), .unordered(["/a", "/b", "/c"].map { wanted("GET \($0)") }),
            .request(wanted("GET /last")),
        ]
    }

    @Test(arguments: [["/a", "/b", "/c"], ["/c", "/a", "/b"], ["/b", "/c", "/a"]])
    func `requests whose order is free may come in any, between those whose order is not`(middle: [String]) {
        #expect(difference(entries, (["/first"] + middle + ["/last"]).map { request($0) }) == nil)
        let lines = WireMatch.lines(of: entries, asIn: (["/first"] + middle + ["/last"]).map { request($0) })
        #expect(lines == (["/first"] + middle + ["/last"]).map { "GET \($0)" })
    }

    @Test(
        arguments: [
            (["/first", "/a", "/last", "/c"], "2: expected GET /b, got GET /last"),
            (["/first", "/a", "/last", "/x"], "2: expected one of GET /b, GET /c, got GET /last"),
            (["/first", "/a", "/a", "/c"], "2: expected GET /b, got GET /a"),
            (["/first", "/c", "/b"], "3: expected GET /a, got no further request"),
            (["/a", "/first", "/b", "/c", "/last"], "0: expected GET /first, got GET /a"),
            (["/first", "/c", "/b", "/a", "/last", "/more"], "5: a request that is not listed: GET /more"),
        ])
    func `what is missing, or too much, is named`(came: [String], message: String) {
        #expect(difference(entries, came.map { request($0) }) == message)
    }

    @Test func `what fits several is given to the one that leaves something for the others`() {
        let entries = [
            WireEntry.unordered([
                wanted("GET /", [.init("A", .present)]), wanted("GET /", [.init("A", .equals("1"))]),
                wanted("GET /"),
            ])
        ]
        let one = request("/", [.init("A", "1")]), two = request("/", [.init("A", "2")]), none = request("/")
        for requests in [[one, two, none], [none, one, two], [two, none, one]] {
            #expect(difference(entries, requests) == nil)
        }
        #expect(difference(entries, [one, none, none]) == "2: field A is absent")
    }
}
