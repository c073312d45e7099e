import HTTPBasics
import Testing

@testable import Simulator

@Suite struct DecisionsTests {
    private func choices(_ schedule: Schedule, _ kind: Departure.Kind, record: ScheduleRecord? = nil) -> [Int] {
        var maker = DecisionMaker(schedule, record: record)
        // Every kind has its stream, whichever were made before.
        let streams = Departure.Kind.allCases.map { ($0, maker.decisions($0)) }
        return streams.filter { $0.0 == kind }.flatMap { _, decisions in
            (0..<6).map { _ in
                decisions.next(at: .zero) {
                    $0.below(3)
                } note: {
                    "takes \($0)"
                }
            }
        }
    }

    @Test(arguments: Departure.Kind.allCases)
    func `the plain schedule takes the plain way always`(kind: Departure.Kind) {
        #expect(choices(.plain, kind) == [0, 0, 0, 0, 0, 0])
    }

    @Test func `departures are taken where they stand, and nowhere else`() {
        let schedule = Schedule.departing([Departure(.turn, at: 1, takes: 2), Departure(.busy, at: 4, takes: 700)])
        #expect(choices(schedule, .turn) == [0, 2, 0, 0, 0, 0])
        #expect(choices(schedule, .busy) == [0, 0, 0, 0, 700, 0])
        #expect(choices(schedule, .length) == [0, 0, 0, 0, 0, 0])
    }

    @Test(arguments: Departure.Kind.allCases)
    func `what a seed decided is written down, and repeats it`(kind: Departure.Kind) {
        let record = ScheduleRecord()
        let drawn = choices(.seeded(7), kind, record: record)
        #expect(drawn == choices(.seeded(7), kind))
        #expect(choices(.departing(record.entries.map(\.departure)), kind) == drawn)
        // The first is the seed of what else is random.
        #expect(record.entries.first?.departure == Departure(.chance, at: 0, takes: 7))
        let decided = record.entries.dropFirst()
        #expect(!decided.isEmpty)
        #expect(decided.allSatisfy { $0.note == "takes \($0.departure.choice)" && $0.departure.kind == kind })
    }
}
