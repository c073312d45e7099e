import HTTPBasics

/// The decisions of one kind in one run, each the plain one (0) unless the schedule says otherwise.
///
/// An object, since several parts of the world may take turns at deciding: the count is the run's.
final class Decisions {
    private let kind: Departure.Kind
    private var random: SeededRandom?
    private let fixed: [Int: Int]
    private let record: ScheduleRecord?
    private var count = 0

    init(_ kind: Departure.Kind, random: SeededRandom? = nil, fixed: [Int: Int] = [:], record: ScheduleRecord? = nil) {
        self.kind = kind
        self.random = random
        self.fixed = fixed
        self.record = record
    }

    /// The next decision. `draw` is asked under a seed, `note` when a departure is written down.
    func next(
        at instant: Instant, _ draw: (inout SeededRandom) -> Int, note: (Int) -> String
    ) -> Int {
        defer { count += 1 }
        let choice = random == nil ? fixed[count] ?? 0 : drawn(draw)
        if choice != 0, let record {
            record.add(Departure(kind, at: count, takes: choice), at: instant, note(choice))
        }
        return choice
    }

    private func drawn(_ draw: (inout SeededRandom) -> Int) -> Int {
        guard var random else { return 0 }
        defer { self.random = random }
        return draw(&random)
    }
}

/// Gives each part of the world its decisions.
struct DecisionMaker {
    private var random: SeededRandom?
    private let fixed: [Departure.Kind: [Int: Int]]
    private let record: ScheduleRecord?
    /// For what is random in every run, such as names of files.
    private(set) var entropy: SeededRandom

    init(_ schedule: Schedule = .plain, record: ScheduleRecord? = nil) {
        self.record = record
        var fixed: [Departure.Kind: [Int: Int]] = [:]
        var seed: UInt64?
        switch schedule {
        case .plain: break
        case .seeded(let number): seed = number
        case .departing(let departures):
            for departure in departures { fixed[departure.kind, default: [:]][departure.index] = departure.choice }
        }
        self.fixed = fixed
        if schedule.seed != 0 {
            let departure = Departure(.chance, at: 0, takes: Int(Int64(bitPattern: schedule.seed)))
            record?.add(departure, at: .zero, "faults with a probability strike as under seed \(schedule.seed)")
        }
        entropy = SeededRandom(seed: seed ?? 0)
        random = seed == nil ? nil : entropy.fork()
    }

    mutating func decisions(_ kind: Departure.Kind) -> Decisions {
        Decisions(kind, random: random?.fork(), fixed: fixed[kind] ?? [:], record: record)
    }

    mutating func nextEntropy() -> SeededRandom { entropy.fork() }
}
