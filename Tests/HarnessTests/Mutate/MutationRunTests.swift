import Judge
import ScenarioFormat
import JudgeTestSupport
import Testing

@testable import Harness

@Suite("Judging the judge")
struct MutationRunTests {
    private func scenario(_ change: (inout ScenarioFormat.Expectation) -> Void = { _ in }) -> Scenario {
        var sample = Sample.get
        change(&sample.expect)
        return Make.scenario("a/b", cases: [sample])
    }

    @Test("A judge that looks kills every mutant")
    func killed() throws {
        let run = try MutationRun([scenario { $0.connections = 1...1 }], patterns: [])
        #expect(run.mutants > 3)
        #expect(run.survivors.map(\.description) == [])
        #expect(run.unsound == [])
    }

    @Test("Every style judges what it can tell, inside of alternatives, too")
    func styles() throws {
        let open = scenario {
            $0.tasks[0].events = [
                .anyOf([[Sample.response(404)], [Sample.response(200, url: "/hello"), Sample.data(11)]]),
                .maybe([Make.match(.metrics)]), Sample.complete(),
            ]
            $0.wire = $0.wire?.map { entry in
                entry.map { request in
                    var request = request
                    (request.fields, request.absent) = ([.init("Host", .present)], ["Range"])
                    return request
                }
            }
        }
        let run = try MutationRun([open], patterns: [])
        #expect(run.survivors.map(\.description) == [])
        let first = try MutationRun([open].map { $0.limited(to: .delegate) }, patterns: []).mutants
        #expect(run.mutants > 2 * first)
    }

    @Test("A part asks no more of a style than the whole does")
    func shards() throws {
        let scenarios = [scenario { $0.connections = 1...1 }]
        let whole = try MutationRun(scenarios, patterns: [])
        let parts = try ["1/3", "2/3", "3/3"].map { try MutationRun(scenarios, patterns: [], part: RunPart($0)) }
        #expect(parts.map(\.mutants).reduce(0, +) == whole.mutants)
        #expect(parts.allSatisfy { $0.survivors.isEmpty && $0.mutants > 0 })
    }

    @Test("A case that fails as it is proves nothing")
    func unsound() throws {
        let run = try MutationRun([scenario { $0.connections = 5...5 }], patterns: [])
        #expect(run.unsound == ["a/b, delegate", "a/b, completion", "a/b, async"])
        #expect(run.mutants == 0)
    }
}

extension Scenario {
    fileprivate func limited(to style: Style) -> Scenario {
        var scenario = self
        scenario.needs.styles = [style]
        return scenario
    }
}
