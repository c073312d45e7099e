import HTTPBasics
import ScenarioFormat
import ServerScript
import JudgeTestSupport
import Testing

@testable import Judge

@Suite("Judging a played case")
struct CaseJudgeTests {
    private func observation(_ style: Style = .delegate) -> CaseObservation {
        var observation = CaseObservation()
        var task = EventJournal.TaskRecord(label: "t", kind: .data, target: "/end")
        task.resumedAt = .zero
        if style == .delegate {
            task.body = SeenContent("done".utf8)
            observation.journal.record(Make.seen(.response) { $0.status = 200 })
            observation.journal.record(
                Make.seen(.data) {
                    $0.bytes = 4
                    $0.total = 4
                })
        } else {
            var returned = ReturnedResult()
            returned.status = 200
            returned.body = SeenContent("done".utf8)
            task.returned = returned
        }
        observation.journal.add(task: task)
        observation.journal.record(Make.success)
        observation.server = [
            ServerEvent(peer: PeerID(0), exchange: 0, instant: .zero, kind: .accepted),
            ServerEvent(
                peer: PeerID(0), exchange: 0, instant: .zero,
                kind: .request(
                    RecordedRequest(method: "GET", target: "/end", fields: Fields(), lane: nil, host: "a.test"))),
        ]
        return observation
    }

    private func expectation(_ set: (inout ScenarioFormat.Expectation) -> Void = { _ in }) -> ScenarioFormat.Expectation
    {
        var expectation = ScenarioFormat.Expectation()
        expectation.tasks = [
            TaskExpectation(
                label: "t",
                events: [
                    Make.pattern(.response) { $0.status = 200 }, Make.pattern(.data) { $0.total = .exactly(4) },
                    Make.pattern(.complete) { $0.outcomes = [.success] },
                ], body: .text("done"), mark: Make.mark)
        ]
        set(&expectation)
        return expectation
    }

    private func kinds(
        _ expectation: ScenarioFormat.Expectation, _ observation: CaseObservation, _ style: Style = .delegate
    ) -> [Finding.Kind] {
        CaseJudge(observation, expecting: expectation, style: style, tolerance: .exact).findings().map(\.kind)
    }

    @Test("All is as expected in every style", arguments: Style.allCases)
    func passes(style: Style) { #expect(kinds(expectation(), observation(style), style) == []) }

    @Test("A wrong response is found in every style", arguments: Style.allCases)
    func wrongStatus(style: Style) {
        let wrong = expectation {
            $0.tasks[0].events?[0] = Make.pattern(.response) { $0.status = 201 }
        }
        #expect(kinds(wrong, observation(style), style) == [.events])
    }

    @Test("A wrong body is found in every style", arguments: Style.allCases)
    func wrongBody(style: Style) {
        #expect(kinds(expectation { $0.tasks[0].body = .text("nope") }, observation(style), style) == [.body])
    }

    @Test("Each part of an expectation is looked at")
    func parts() {
        #expect(kinds(expectation { $0.connections = 2...3 }, observation()) == [.connections])
        #expect(kinds(expectation { $0.wire = [] }, observation()) == [.wire])
        #expect(kinds(expectation { $0.temporaryFiles = 1 }, observation()) == [.disk])
        #expect(kinds(expectation { $0.becomesInvalid = true }, observation()) == [.session])
        #expect(
            kinds(expectation { $0.closes = [CloseRule(task: "t", byClient: true, mark: Make.mark)] }, observation())
                == [.close])
        let order = OrderRule(.event(task: "t", .complete), before: .event(task: "t", .data), mark: Make.mark)
        #expect(kinds(expectation { $0.order = [order] }, observation()) == [.order])
        let timing = TimingRule(
            .last(.complete), since: .resume, within: .seconds(1) ... .seconds(2), mark: Make.mark)
        #expect(kinds(expectation { $0.tasks[0].timing = [timing] }, observation()) == [.timing])
        #expect(
            kinds(expectation { $0.tasks.append(TaskExpectation(label: "u", mark: Make.mark)) }, observation())
                == [.events])
    }

    @Test("Violations, unconsumed steps, a wedge and breaches are findings of their own")
    func server() {
        var bad = observation()
        bad.server.append(
            ServerEvent(
                peer: PeerID(0), exchange: 0, instant: .zero,
                kind: .violation(Violation("unmatched", nearest: Make.mark, differences: ["path"]))))
        bad.unconsumed = ["GET /two"]
        bad.wedge = "await t"
        bad.breaches = ["a timer is left"]
        #expect(kinds(expectation(), bad) == [.wedged, .violation, .script, .invariant])
    }

    @Test("The message names what was expected and what came, at which place")
    func message() throws {
        let wrong = expectation { $0.tasks[0].events?[1] = Make.pattern(.complete) }
        let finding = try #require(
            CaseJudge(observation(), expecting: wrong, style: .delegate, tolerance: .exact).findings().first)
        #expect(finding.summary == "t expected 'complete', got 'data: {total: 4}' at +0.000 s")
        #expect(finding.place == "t.yaml:1:1")
        #expect(finding.details.contains { $0.hasPrefix("  >") })
    }

    @Test("Counts of connections and of attempts are shown where they stand in the file")
    func counts() {
        var observation = observation()
        observation.attempts = 1
        let wrong = expectation {
            ($0.connections, $0.connectionsMark) = (7...7, SourceMark(file: "t.yaml", line: 3, column: 1))
            ($0.attempts, $0.attemptsMark) = (7, SourceMark(file: "t.yaml", line: 4, column: 1))
        }
        let findings = CaseJudge(observation, expecting: wrong, style: .delegate, tolerance: .exact).findings()
        #expect(findings.map(\.place) == ["t.yaml:3:1", "t.yaml:4:1"])
    }

    @Test("What a record of a difference names has no moments, counts and places")
    func seen() {
        func seen(_ expectation: ScenarioFormat.Expectation, _ observation: CaseObservation) -> String? {
            CaseJudge(observation, expecting: expectation, style: .delegate, tolerance: .exact).findings().first?.seen
        }
        let other = expectation { $0.tasks[0].events?[1] = Make.pattern(.complete) }
        #expect(seen(other, observation()) == "t got data")
        let more = expectation { $0.tasks[0].events?[1] = Make.pattern(.data) { $0.total = .exactly(5) } }
        #expect(seen(more, observation()) == "t got data (total)")
        var bad = observation()
        let violation = Violation(
            "GET /b on connection 3, exchange 0 matches nothing",
            differences: ["order: wanted GET /a (t.yaml:9:5) first"])
        bad.server.append(ServerEvent(peer: PeerID(3), exchange: 0, instant: .zero, kind: .violation(violation)))
        #expect(seen(expectation(), bad) == "server got GET /b (order: wanted GET /a)")
    }
}
