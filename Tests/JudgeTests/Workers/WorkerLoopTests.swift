import JudgeTestSupport
import ScenarioFormat
import Testing

@testable import Judge

@Suite("What a worker plays")
struct WorkerLoopTests {
    /// Conforms so many times, then no more.
    private final class Runner: CaseRunner {
        private var left: Int
        private var vague: Int

        init(conforming: Int, vague: Int) { (left, self.vague) = (conforming, vague) }

        func run(_ request: CaseRequest) -> CaseResult {
            left -= 1
            vague -= 1
            var result = request.result(left < 0 ? .fail : .pass)
            if vague >= 0 { result.isVague = true }
            return result
        }
    }

    private func play(conforming: Int, plays: Int?, vague: Int = 0) -> (result: CaseResult, told: [CaseProgress]) {
        let scenario = Make.scenario("a/b", cases: [Make.scenarioCase()])
        let planned = PlannedCase(scenario: scenario, row: 0, client: .foundation, world: .sockets, style: .async)
        var request = CaseRequest(number: 0, root: "/", planned: planned, seed: 0)
        request.plays = plays
        var told: [CaseProgress] = []
        let result = WorkerLoop.result(of: request, Runner(conforming: conforming, vague: vague)) { told.append($0) }
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

    @Test(
        "One that passes with windows beyond their meaning is played until its windows mean something, three times at most",
        arguments: [(0, 0), (1, 1), (2, 2), (50, 2)])
    func vague(plays: Int, more: Int) {
        let played = play(conforming: 50, plays: nil, vague: plays)
        #expect(played.result.isVague == (plays > 2 ? true : nil) && played.result.plays == nil)
        #expect(played.told.count == more)
        #expect(play(conforming: 0, plays: nil, vague: plays).told.isEmpty)
    }

    @Test("Any other is played once")
    func once() {
        let played = play(conforming: 50, plays: nil)
        #expect(played.result.plays == nil && played.told.isEmpty)
    }
}
