import Foundation
import HTTPBasics
import Judge
import JudgeTestSupport
import ScenarioFormat
import ServerScript
import Simulator
import Testing

@testable import Harness

@Suite("What exploration leaves behind", .serialized)
struct FoundScenarioTests {
    /// Wrong on purpose: of two tasks at once either may be first.
    private static let race = """
        scenario: topic/race
        hosts: [a.test, b.test]
        cases:
          - {name: one of "two", body: "0123456789"}
        server:
          - {conn: A, request: GET /a, host: a.test, where: {headers: {Authorization: Basic secret}}, reply: {body: $body}}
          - {conn: B, request: GET /b, host: b.test, reply: {body: $body}}
        client:
          - {task: a, request: GET /a, headers: {Authorization: Basic secret}}
          - {task: b, request: $origin.b.test/b}
          - {await: a}
          - {await: b}
        expect:
          a: ok
          b: ok
          order: [a.complete before b.complete]
        """

    private func request(_ scenario: Scenario, exploration: Exploration? = nil) -> CaseRequest {
        let planned = PlannedCase(scenario: scenario, row: 0, world: .simulated, style: .delegate)
        return CaseRequest(
            number: 0, root: "/nowhere", planned: planned, seed: 0, exploration: exploration?.description)
    }

    private func read(_ text: String, file: String) throws -> Scenario {
        let result = ScenarioReader.read(text: text, file: file)
        #expect(result.diagnostics.map { $0.rendered() } == [])
        return try #require(result.scenario)
    }

    @Test("A failing schedule becomes a scenario that fails in the same way, by itself")
    func leavesScenario() throws {
        let scenario = try read(Self.race, file: "topic/race.yaml")
        let explorer = Explorer(scenario.cases[0], style: .delegate, seed: 0)
        let outcome = try explorer.run(.seeds(1...50))
        #expect(outcome.findings.map(\.kind) == [.order])
        let schedule = try #require(outcome.schedule)
        // Which of two goes first is one decision.
        #expect(schedule.count == 1)
        let found = FoundScenario(
            request(scenario), scenario, seed: try #require(outcome.failedSeed), schedule: schedule)
        #expect(found.id.hasPrefix("topic/race/one-of-"))
        #expect(found.notes.count == 1)
        let written = try read(found.text, file: found.id + ".yaml")
        #expect(written.needs == Needs(worlds: [.simulated], styles: [.delegate]))
        let result = CasePlayer.runner(load: { _, _ in written }).run(request(written))
        #expect(result.verdict == .fail)
        #expect(result.findings.map(\.kind) == [.order])
        // Without its schedule it passes.
        var plain = written
        plain.cases[0].schedule = nil
        let plainly = CasePlayer.runner(load: { [plain] _, _ in plain }).run(request(plain))
        #expect(plainly.verdict == .pass)
    }

    @Test("A failure that hangs on chance alone keeps its seed, and nothing else")
    func leavesChance() throws {
        let scenario = try read(
            """
            scenario: topic/chance
            server:
              - {conn: A, request: POST /a, reply: {body: x}, fault: {at: request, do: fin, probability: 10%}}
            client:
              - {task: t, request: POST /a}
              - {await: t}
            expect:
              t: ok
            """, file: "topic/chance.yaml")
        let outcome = try Explorer(scenario.cases[0], style: .delegate, seed: 0).run(.seeds(1...200))
        let schedule = try #require(outcome.schedule)
        #expect(schedule.map(\.departure.kind) == [.chance])
        let found = FoundScenario(
            request(scenario), scenario, seed: try #require(outcome.failedSeed), schedule: schedule)
        let written = try read(found.text, file: found.id + ".yaml")
        #expect(CasePlayer.runner(load: { _, _ in written }).run(request(written)).verdict == .fail)
    }

    @Test("Bends become a scenario in which nothing is expected but what always holds")
    func leavesBends() throws {
        let scenario = try read(Self.race, file: "topic/race.yaml")
        let bends = try ["0:0:content-length.0=2^63", "1:0:code=599"].map { try #require(Bend($0)) }
        let found = FoundScenario(request(scenario), scenario, bends: bends)
        #expect(found.id == "topic/race/one-of-two-delegate-0-0-content-length.0-2-63-1-0-code-599")
        let written = try read(found.text, file: found.id + ".yaml")
        #expect(written.cases.map(\.bends) == [bends])
        #expect(written.cases.map(\.expect) == [Expectation()])
        let runner = CasePlayer.runner(load: { _, _ in written })
        #expect(runner.run(request(written)).findings == [])
        #expect(runner.run(request(written, exploration: .bends(bends))).findings == [])
    }

    @Test("A bend that fails becomes a scenario that fails in the same way, by itself")
    func leavesBend() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: folder) }
        let scenario = try read(Self.race, file: "topic/race.yaml")
        func play(_ scenario: Scenario, _ flaw: FlawedClient.Flaw?, _ exploration: Exploration? = nil) -> CaseResult {
            let runner = CasePlayer.runner(
                load: { _, _ in scenario },
                adjust: { options in
                    if let flaw { options.machine = { FlawedClient(flaw, $0) } }
                })
            var request = request(scenario, exploration: exploration)
            request.foundFolder = folder.path
            return runner.run(request)
        }
        let named = try Exploration("bend:1:0:+age=0,1:0:code=404")
        let result = play(scenario, .forgets, named)
        #expect(result.verdict == .fail)
        #expect(result.exploration == "bend:1:0:code=404")
        let file = try #require(result.found)
        let left = try read(
            String(contentsOfFile: file, encoding: .utf8), file: String(file.dropFirst(folder.path.count + 1)))
        #expect(left.cases.map(\.bends) == [[try #require(Bend("1:0:code=404"))]])
        #expect(play(left, .forgets).findings.map(\.kind) == result.findings.map(\.kind))
        #expect(play(left, .forgets).verdict == .fail)
        #expect(play(left, nil).verdict == .pass)
    }

    @Test("What a scenario with bends expects counts")
    func expectsWithBends() throws {
        func result(_ code: Int) throws -> CaseResult {
            let scenario = try read(
                """
                scenario: topic/bent
                server:
                  - {request: GET /a, reply: {body: x}}
                client: [{task: t, request: GET /a}, {await: t}]
                expect:
                  t: {events: [{response: {status: \(code)}}, {data: {total: 1}}, {complete: ok}]}
                bends: [0:0:code=404]
                """, file: "topic/bent.yaml")
            return CasePlayer.runner(load: { _, _ in scenario }).run(request(scenario))
        }
        #expect(try result(404).findings == [])
        #expect(try result(200).findings.map(\.kind) == [.events])
    }

    @Test("Bends that change nothing are a finding: the case is played as if they were not there")
    func idleBends() throws {
        let scenario = try read(
            """
            scenario: topic/bent
            server:
              - {request: GET /a, reply: {body: x}}
            client: [{task: t, request: GET /a}, {await: t}]
            bends: [0:0:code=404, 7:0:code=404]
            """, file: "topic/bent.yaml")
        let result = CasePlayer.runner(load: { _, _ in scenario }).run(request(scenario))
        #expect(result.findings.map(\.kind) == [.lane])
        #expect(result.findings.map(\.summary).allSatisfy { $0.contains("7:0:code=404") })
    }

    @Test("The kinds of decisions have the same names in files and in the simulator")
    func kinds() throws {
        #expect(ScheduleEntry.Kind.allCases.map(\.rawValue) == Departure.Kind.allCases.map(\.rawValue))
        for kind in Departure.Kind.allCases {
            let departure = Departure(kind, at: 3, takes: 4)
            let entry = try #require(ScheduleEntry(departure))
            #expect(Departure(entry) == departure)
            #expect(entry.description == departure.description)
        }
    }
}
