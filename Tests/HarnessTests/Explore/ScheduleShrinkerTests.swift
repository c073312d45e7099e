import Simulator
import Testing

@testable import Harness

@Suite("Shrinking a schedule")
struct ScheduleShrinkerTests {
    private let many = (0..<300).map { Departure(.turn, at: $0, takes: 40) }

    private func shortest(
        mostRuns: Int = 5000, _ fails: @escaping ([Departure]) -> Bool
    ) throws -> (departures: [Departure], runs: Int) {
        var runs = 0
        var shrinker = ScheduleShrinker(mostRuns: mostRuns) {
            runs += 1
            return fails($0)
        }
        return (try shrinker.shortest(many), runs)
    }

    @Test("What fails in the plain order needs no departure")
    func plain() throws {
        #expect(try shortest { _ in true }.departures == [])
    }

    @Test("Of many departures the few that matter remain, as small as they go")
    func few() throws {
        let found = try shortest { departures in
            let first = departures.first { $0.index == 17 }?.choice ?? 0
            return first >= 3 && departures.contains { $0.index == 230 }
        }
        #expect(found.departures == [Departure(.turn, at: 17, takes: 3), Departure(.turn, at: 230, takes: 1)])
        #expect(found.runs < 400)
    }

    @Test("Departures that matter only together stay together")
    func together() throws {
        let found = try shortest { $0.filter { $0.index.isMultiple(of: 60) }.count == 5 }
        #expect(found.departures.map(\.index) == [0, 60, 120, 180, 240])
    }

    @Test("Numbers below 0 go towards 0 as well")
    func negative() throws {
        var shrinker = ScheduleShrinker { ($0.first?.choice ?? 0) <= -5 }
        #expect(try shrinker.shortest([Departure(.latency, at: 1, takes: -81)]).map(\.choice) == [-5])
    }

    @Test("It stops after so many runs, with what it has")
    func bounded() throws {
        let found = try shortest(mostRuns: 20) { $0.contains { $0.index == 299 } }
        #expect(found.runs == 20)
        #expect(found.departures.contains { $0.index == 299 })
        #expect(found.departures.count < 300)
    }

    @Test("It stops when its time is over, with what it has")
    func outOfTime() throws {
        var runs = 0
        var shrinker = ScheduleShrinker(isOutOfTime: { runs >= 20 }) {
            runs += 1
            return $0.contains { $0.index == 299 }
        }
        let found = try shrinker.shortest(many)
        #expect(runs == 20)
        #expect(found.contains { $0.index == 299 })
        #expect(found.count < 300)
    }
}
