import Judge
import ScenarioFormat
import JudgeTestSupport
import Testing

@testable import Harness

/// One sample in one world and style.
struct Played: Sendable, CustomTestStringConvertible {
    var name: String
    var scenarioCase: ScenarioCase
    var world: WorldName
    var style: Style

    var testDescription: String { "\(name), \(world.rawValue), \(style.rawValue)" }

    /// Everything that makes sense somewhere.
    static let all: [Played] = Sample.all.flatMap { name, scenarioCase in
        WorldName.allCases.flatMap { world in
            Style.allCases.compactMap { style in
                guard Suitability.obstacle(Needs(), scenarioCase, world: world, style: style) == nil else { return nil }
                return Played(name: name, scenarioCase: scenarioCase, world: world, style: style)
            }
        }
    }

    func run(seed: UInt64 = 0) -> CaseResult {
        let scenario = Make.scenario(name, cases: [scenarioCase])
        let planned = PlannedCase(scenario: scenario, row: 0, world: world, style: style)
        let runner = CasePlayer.runner { _, _ in scenario }
        return runner.run(CaseRequest(number: 0, root: "/", planned: planned, seed: seed))
    }
}

@Suite("Playing whole cases", .serialized)
struct DriverTests {
    @Test("A sound case passes in every world and style", arguments: Played.all)
    func passes(played: Played) {
        let result = played.run()
        #expect(result.verdict == .pass, "\(FailureText.lines(result).joined(separator: "\n"))")
    }

    @Test("A sound case passes under seeds", arguments: Played.all.filter { $0.world == .simulated })
    func seeds(played: Played) {
        for seed in 1...20 as ClosedRange<UInt64> {
            let result = played.run(seed: seed)
            #expect(result.verdict == .pass, "\(FailureText.lines(result).joined(separator: "\n"))")
        }
    }

    @Test("A wrong expectation fails in every world and style", arguments: Played.all)
    func fails(played: Played) {
        var wrong = played
        wrong.scenarioCase.expect.tasks[0].events?.removeLast()
        wrong.scenarioCase.expect.tasks[0].events?.append(Sample.complete("badURL"))
        #expect(wrong.run().verdict == .fail)
    }

    @Test("A script that is not consumed fails", arguments: WorldName.allCases)
    func unconsumed(world: WorldName) {
        var wrong = Played(name: "get", scenarioCase: Sample.get, world: world, style: .delegate)
        wrong.scenarioCase.script.steps.append(Sample.exchange("GET", "/more", nil))
        let result = wrong.run()
        #expect(result.verdict == .fail)
        #expect(result.findings.map(\.kind) == [.script])
    }

    @Test("A lane that waits for what never comes is wedged, in virtual time at once")
    func wedged() {
        var wrong = Played(name: "get", scenarioCase: Sample.get, world: .simulated, style: .delegate)
        wrong.scenarioCase.client.append(ClientStep(.signal("x"), when: [.signal("never")], mark: Make.mark))
        let result = wrong.run()
        #expect(result.verdict == .wedged)
        #expect(result.findings.first?.summary.contains("step 3") == true)
    }

    @Test("A client that never comes to rest fails a case in which all else is right")
    func ticks() throws {
        let scenario = Make.scenario("topic/get", cases: [Sample.get])
        let runner = CasePlayer.runner { _, _ in
            scenario
        } adjust: {
            $0.machine = { FlawedClient(.ticks, $0) }
            $0.stepLimit = 10_000
        }
        for style in Style.allCases {
            let planned = PlannedCase(scenario: scenario, row: 0, world: .simulated, style: style)
            let result = runner.run(CaseRequest(number: 0, root: "/", planned: planned, seed: 0))
            #expect(result.verdict == .fail)
            #expect(result.findings.first?.summary == "the run came to no end")
        }
    }
}
