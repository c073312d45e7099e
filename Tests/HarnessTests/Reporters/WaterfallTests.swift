import Judge
import Testing

@testable import Harness

@Suite("The picture of transfers")
struct WaterfallTests {
    private func transfer(
        _ spans: [Transfer.Span] = [], request: String = "GET /a", isReused: Bool? = false, start: Double = 1,
        end: Double = 3
    ) -> Transfer {
        Transfer(
            task: "t", request: request, status: 200, isReused: isReused, start: start, spans: spans, taskEnd: end)
    }

    @Test(
        "Each transfer tells of its connection", arguments: [(true, "used before"), (false, "new"), (nil, "without")])
    func connection(isReused: Bool?, words: String) throws {
        let svg = try #require(Waterfall([transfer(isReused: isReused)])).svg
        #expect(["used before", "new", "without"].filter { svg.contains($0) } == [words])
    }

    @Test("Bars lie where their times are, on a line that has room for all")
    func places() throws {
        let spans: [Transfer.Span] = [
            .init(.lookup, start: 1, end: 1.5), .init(.request, start: 2, end: 2), .init(.response, start: 2, end: nil),
        ]
        let svg = try #require(Waterfall([transfer(spans)])).svg
        #expect(svg.contains(#"<rect class="lookup" x="300.0" y="19.0" width="160.0" height="12.0"/>"#))
        #expect(svg.contains(#"<rect class="request" x="620.0" y="19.0" width="1.5" height="12.0"/>"#))
        #expect(svg.contains(#"<rect class="response open" x="620.0" y="19.0" width="320.0" height="12.0"/>"#))
        #expect(svg.contains(#"<line class="life" x1="300.0" y1="25.0" x2="940.0" y2="25.0"/>"#))
        #expect(svg.contains(">2.00 s</text>"))
    }

    @Test("There is nothing to draw without transfers, and a moment is enough")
    func edges() throws {
        #expect(Waterfall([]) == nil)
        #expect(Waterfall([transfer(start: .nan, end: 1)]) == nil)
        let moment = try #require(Waterfall([transfer(start: 1, end: 1)])).svg
        #expect(!moment.contains("nan") && !moment.contains("inf"))
    }

    @Test("What others wrote is escaped and cut")
    func escapes() throws {
        let long = "GET /<script>&\"" + String(repeating: "x", count: 5000)
        let svg = try #require(Waterfall([transfer(request: long)])).svg
        #expect(!svg.contains("<script>"))
        #expect(svg.contains("GET /&lt;script&gt;&amp;&quot;"))
        #expect(svg.utf8.count < 3000)
    }
}
