import HTTPBasics
import ServerScript
import Testing

@testable import ScenarioFormat

@Suite("Scenario decoder")
struct ScenarioDecoderTests {
    private func read(_ text: String) throws -> Scenario {
        let result = ScenarioReader.read(text: text, file: "topic/it.yaml")
        return try #require(result.scenario, "\(result.diagnostics.map { $0.rendered() })")
    }

    private func exchange(_ line: String, head: String = "") throws -> Exchange {
        let scenario = try read("\(head)\nserver:\n  - {request: \(line)}\n")
        guard case .exchange(let exchange)? = scenario.cases.first?.script.steps.first?.action else {
            throw Missing()
        }
        return exchange
    }

    private struct Missing: Error {}

    @Test("the smallest file has every default")
    func smallest() throws {
        let scenario = try read(
            """
            server:
              - {request: /hello, reply: {body: hello}}
            client: [{task: t, request: /hello}, {await: t}]
            expect: {t: ok}
            """)
        #expect(scenario.id == "topic/it" && scenario.kind == .must && scenario.needs == Needs())
        let single = try #require(scenario.cases.first)
        #expect(single.name == nil && single.session == SessionOptions() && single.script.hosts == ["a.test"])
        #expect(single.script.steps.count == 1)
        let exchange = Exchange(RequestMatch("GET", "/hello"), reply: Reply(body: .text("hello")))
        #expect(single.script.steps[0].action == .exchange(exchange))
        #expect(single.client.map(\.action) == [.task(TaskStep(label: "t", target: "/hello")), .await(task: "t")])
        var complete = EventMatch(.complete, mark: SourceMark(file: "topic/it.yaml", line: 4, column: 13))
        complete.outcomes = [.success]
        #expect(single.expect.tasks.map(\.events) == [[.anything, .event(complete)]])
    }

    @Test("who speaks of a body or of moments means a task that ends well", arguments: ["body: hi", "timing: []", ""])
    func ends(what: String) throws {
        let scenario = try read(
            """
            server:
              - {request: /hello, reply: {body: hi}}
            client: [{task: t, request: /hello}, {await: t}]
            expect: {t: {\(what)}}
            """)
        let events = try #require(scenario.cases.first?.expect.tasks.first?.events)
        #expect(events.first == .anything && events.count == 2)
        guard case .event(let end) = events.last else { return #expect(Bool(false), "\(events)") }
        #expect(end.word == .complete && end.outcomes == [.success])
    }

    @Test("a fault is kept with the phase it strikes in, wherever it is written")
    func faults() throws {
        let before = try exchange("GET /, reply: {fault: {at: request, do: reset}}")
        #expect(before.faults.map(\.landmark) == [.request] && before.reply == nil)
        let after = try exchange(
            "GET /, fault: {at: body+64KiB, do: fin}, reply: {body: {pattern: counter, size: 1MiB}}")
        #expect(after.faults.isEmpty && after.reply?.faults.map(\.landmark) == [.body(65_536)])
        let pause = try exchange("GET /, fault: {at: request-head, do: {delay: 2s}}")
        #expect(pause.faults.map(\.effect) == [.delay(.seconds(2))] && pause.reply == Reply())
        let chance = try exchange("GET /, fault: {at: request, do: fin, probability: 30%}, reply: {status: 201}")
        #expect(chance.faults.map(\.percent) == [30] && chance.reply?.status == 201)
    }

    @Test(
        "landmarks",
        arguments: [
            ("request-head", .requestHead), ("request-body+7", .requestBody(7)),
            ("request", .request), ("\"interim[2]\"", .interim(2)), ("status-line+0", .statusLine(0)),
            ("head+17", .head(17)), ("head-end", .headEnd), ("body+0", .body(0)), ("end", .end),
            ("idle+900ms", .idle(.milliseconds(900))), ("\"chunk[0].size\"", .chunk(0, .size)),
            ("\"chunk[1].data\"", .chunk(1, .data)), ("\"chunk[2].crlf\"", .chunk(2, .crlf)),
            ("last-chunk", .lastChunk), ("trailers", .trailers),
        ] as [(String, Fault.Landmark)])
    func landmarks(text: String, wanted: Fault.Landmark) throws {
        let interim = "[{status: 100}, {status: 102}, {status: 103}]"
        let reply = "{interim: \(interim), body: abc, chunked: 1, trailers: {X: y}}"
        let delayed = wanted == .idle(.milliseconds(900)) ? "fin" : "{delay: 1s}"
        let exchange = try exchange("GET /, fault: {at: \(text), do: \(delayed)}, reply: \(reply)")
        #expect(exchange.allFaults.map(\.landmark) == [wanted])
    }

    @Test("bodies are names where there is such a name, and text else")
    func bodies() throws {
        let head = "bodies: {blob: {pattern: fill, byte: 7, size: 1KiB}, twice: {gzip-of: blob}}"
        #expect(try exchange("/, reply: {body: blob}", head: head).reply?.body == .fill(7, size: 1024))
        #expect(try exchange("/, reply: {body: \"blob\"}", head: head).reply?.body == .text("blob"))
        #expect(try exchange("/, reply: {body: none}", head: head).reply?.body == .empty)
        #expect(
            try exchange("/, reply: {body: twice}", head: head).reply?.body == .compressed(.fill(7, size: 1024), .gzip))
        #expect(try exchange("/, where: {body: none}", head: head).request.body == RequestMatch.BodyRule.none)
        #expect(try exchange("/, where: {body: abc}", head: head).request.body == .equals(.text("abc")))
        let ranged = try exchange("/, reply: {range-of: blob}", head: head).reply
        #expect(ranged?.isRanged == true && ranged?.body == .fill(7, size: 1024))
    }

    @Test("framing, splitting and challenges")
    func replies() throws {
        #expect(try exchange("/, reply: {chunked: yes}").reply?.framing == .chunked(size: 16_384))
        #expect(try exchange("/, reply: {chunked: 7}").reply?.framing == .chunked(size: 7))
        #expect(try exchange("/, reply: {chunked: no}").reply?.framing == .length)
        #expect(try exchange("/, reply: {close-delimited: yes}").reply?.framing == .close)
        #expect(try exchange("/, reply: {split: 1}").reply?.timeline == [.split(1), .rest])
        #expect(try exchange("/, reply: {split: all}").reply?.timeline == [])
        let asked = try exchange("/, reply: {challenge: {basic: {realm: box}}}").reply
        #expect(asked?.status == 401 && asked?.challenges == [.basic(realm: "box")])
        let byHand = try exchange("/, reply: none")
        #expect(byHand.reply == nil && byHand.faults.isEmpty)
    }

    @Test("the project's redirect scenario has five cases, complete and without variables")
    func redirect() throws {
        let root = Goldens.package.appendingPathComponent("scenarios").path
        let result = ScenarioReader.read(path: root + "/redirect/post-becomes-get.yaml", root: root)
        let scenario = try #require(result.scenario)
        #expect(scenario.cases.map { scenario.id(of: $0) }.last == "redirect/post-becomes-get/308")
        let last = try #require(scenario.cases.last)
        #expect(last.script.steps.allSatisfy { $0.lane == "A" })
        let wire = last.expect.wire?.flatMap(\.requests)
        #expect(wire?.map(\.line) == ["POST /start", "POST /hop", "GET /end"])
        #expect(wire?[1].body == .equals(.text("a=1")))
        let first = scenario.cases.first?.expect.wire?.flatMap(\.requests)
        #expect(first?[1].body == RequestMatch.BodyRule.none)
    }

    @Test("rows that are not known are errors when the known ones are given")
    func rows() {
        let text = "rows: [1.C1, 1.C9]\nserver: []\n"
        #expect(!ScenarioReader.read(text: text, file: "a.yaml").hasErrors)
        #expect(ScenarioReader.read(text: text, file: "a.yaml", knownRows: ["1.C1"]).hasErrors)
    }
}
