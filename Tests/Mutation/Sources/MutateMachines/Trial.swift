import Foundation

/// What is played against a mutant, the cheapest first, until something fails. Only what reaches it is played.
struct Trial: Sendable {
    enum Stage: String, CaseIterable, Sendable {
        case delegate = "scenarios in delegate style"
        case tests = "unit tests"
        case others = "scenarios in the other styles"
    }

    /// How many scenarios are played first: those that reach the mutant and the fewest others.
    private static let mostSpecific = 8

    /// A file, with for each mutant's number whether it reaches that.
    private struct Scenario {
        let file: String
        let inDelegateStyle: [Bool]
        let inOthers: [Bool]

        var weight: Int { inDelegateStyle.count { $0 } + inOthers.count { $0 } }
    }

    enum Fate: Equatable, Sendable {
        /// By a failure, a crash, or for want of an end.
        case killed(Stage, outOfTime: Bool)
        case survived
        case unreached
    }

    private let copy: MutatedCopy
    /// What each stage needs when all of it is played.
    private var needs: [Stage: Run.Limits] = [:]
    private let files: [String]
    /// The most specific come first.
    private var scenarios: [Scenario] = []
    private var reachedByTests: [Bool] = []

    /// Plays everything without a mutant: it must pass, and tells how long it takes and what it reaches.
    init(_ copy: MutatedCopy, jobs: Int) throws {
        self.copy = copy
        files = try FileManager.default.subpathsOfDirectory(atPath: copy.folder.appending(path: "scenarios").path)
            .filter { $0.hasSuffix(".yaml") }.sorted().map { "scenarios/\($0)" }
        for stage in Stage.allCases {
            let (start, processorStart) = (ContinuousClock.now, Run.processorSeconds)
            let status = try play(stage, files)
            guard status == .exited(0) else {
                throw Complaint("without a mutant, the \(stage.rawValue) fail: \(status)")
            }
            needs[stage] = Run.Limits(
                processorSeconds: 1 + Run.processorSeconds - processorStart,
                seconds: 1 + Int((.now - start).components.seconds))
        }

        reachedByTests = try reached(by: .tests, [])
        let trial = self
        scenarios = try concurrently(files.count, jobs: jobs) { index in
            let file = trial.files[index]
            return Scenario(
                file: file, inDelegateStyle: try trial.reached(by: .delegate, [file]),
                inOthers: try trial.reached(by: .others, [file]))
        }
        scenarios.sort { $0.weight < $1.weight }
    }

    /// For each mutant's number, whether that reaches it.
    private func reached(by stage: Stage, _ scenarios: [String]) throws -> [Bool] {
        let notes = copy.folder.appending(path: "reached-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: notes) }
        let status = try play(stage, scenarios, ["MUTANTS_REACHED": notes.path])
        // A file that another world or style needs is nobody's failure, and reaches nothing.
        guard status == .exited(0), let notes = try? Data(contentsOf: notes) else {
            return Array(repeating: false, count: copy.mutants.count + 1)
        }
        return notes.map { $0 == UInt8(ascii: "1") }
    }

    func fate(of mutant: Mutant) throws -> Fate {
        let number = mutant.number
        let files = scenarios.filter { $0.inDelegateStyle[number] }.map(\.file)
        // The machines hardly know the styles: of what the delegate style has played, the first few are enough.
        let rest = Set(files.dropFirst(Self.mostSpecific))
        let others = scenarios.filter { $0.inOthers[number] && !rest.contains($0.file) }.map(\.file)
        let parts: [(stage: Stage, files: [String], isNeeded: Bool)] = [
            (.delegate, Array(files.prefix(Self.mostSpecific)), !files.isEmpty),
            (.tests, [], reachedByTests[number]),
            (.delegate, Array(rest), !rest.isEmpty),
            (.others, others, !others.isEmpty),
        ]
        var fate = Fate.unreached
        for part in parts where part.isNeeded {
            let status = try play(part.stage, part.files, ["MUTANT": "\(number)"])
            if status != .exited(0) { return .killed(part.stage, outOfTime: status == .outOfTime) }
            fate = .survived
        }
        return fate
    }

    private func play(
        _ stage: Stage, _ scenarios: [String], _ environment: [String: String] = [:]
    ) throws -> Run.Status {
        let run = [copy.command.path, "run", "--world", "simulated", "--in-process", "--fail-fast"]
        let words =
            switch stage {
            case .delegate: run + ["--style", "delegate"] + scenarios
            case .others: run + ["--style", "completion", "--style", "async"] + scenarios
            case .tests: [copy.tests.path, "--testing-library", "swift-testing"]
            }
        // A backtrace, which nobody reads, takes seconds.
        let environment = environment.merging(["SWIFT_BACKTRACE": "enable=no"]) { $1 }
        let limits = limits(stage, share: stage == .tests ? 1 : Double(scenarios.count) / Double(files.count))
        return try Run.limited(words, in: copy.folder, environment: environment, limits: limits)
    }

    /// Far beyond what that share of a stage needs.
    private func limits(_ stage: Stage, share: Double) -> Run.Limits {
        guard let need = needs[stage] else { return Run.Limits(processorSeconds: 600, seconds: 600) }
        return Run.Limits(
            processorSeconds: 5 + Int(3 * share * Double(need.processorSeconds)),
            seconds: 30 + Int(4 * share * Double(need.seconds)))
    }
}
