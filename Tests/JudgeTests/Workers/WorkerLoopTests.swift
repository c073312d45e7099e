import JudgeTestSupport
import ScenarioFormat
import Testing

@testable import Judge

@Suite("What a worker plays")
struct WorkerLoopTests {
    /// Conforms so many times, then no more.
    private final class Runner: CaseRunner {
        var left: Int

        init(conforming: Int) { left = conforming }

        func run(_ request: CaseRequest) -> CaseResult {
            left -= 1
            return request.result(left < 0 ? .fail : .pass)
        }
    }

    private func play(conforming: Int, plays: Int?) -> (result: CaseResult, told: [CaseProgress]) {
        let scenario = Make.scenario("a/b", cases: [Make.scenarioCase()])
        let planned = PlannedCase(scenario: scenario, row: 0, client: .foundation, world: .sockets, style: .async)
        var request = CaseRequest(number: 0, root: "/", planned: planned, seed: 0)
        request.plays = plays
        var told: [CaseProgress] = []
        let result = WorkerLoop.result(of: request, Runner(conforming: conforming)) { told.append($0) }
        return (result, told)
    }

    @Test("A case that may conform is played until it does not, and says each time that it goes on")
    func again() {
        let differing = play(conforming: 2, plays: 20)
        #expect(differing.result.verdict == .fail && differing.result.plays == 3)
        #expect(differing.told == [.again(play: 2), .again(play: 3)])
        let conforming = play(conforming: 50, plays: 20)
        #expect(conforming.result.verdict == .pass && conforming.result.plays == 20)
    }

    @Test("Any other is played once")
    func once() {
        let played = play(conforming: 50, plays: nil)
        #expect(played.result.plays == nil && played.told.isEmpty)
    }
}
