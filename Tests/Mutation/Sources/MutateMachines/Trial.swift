import Foundation

/// What is played against a mutant, in this order, until something fails.
struct Trial: Sendable {
    enum Stage: String, CaseIterable, Sendable {
        case delegate = "scenarios in delegate style"
        case others = "scenarios in the other styles"
        case tests = "unit tests"
    }

    enum Fate: Equatable, Sendable {
        /// By a failure, a crash, or for want of an end.
        case killed(Stage, outOfTime: Bool)
        case survived
        case unreached
    }

    private let copy: MutatedCopy
    private var limits = Run.Limits(processorSeconds: 600, seconds: 600)
    /// For each stage, whether it reaches the mutant of that number.
    private var reached: [Stage: [Bool]] = [:]

    /// Plays all stages without a mutant: they must pass, and tell how long they take and what they reach.
    init(_ copy: MutatedCopy) throws {
        self.copy = copy
        let notes = copy.folder.appending(path: "reached")
        let (start, processorStart) = (ContinuousClock.now, Run.processorSeconds)
        for stage in Stage.allCases {
            let status = try play(stage, ["MUTANTS_REACHED": notes.path])
            guard status == .exited(0) else {
                throw Complaint("without a mutant, the \(stage.rawValue) fail: \(status)")
            }
            reached[stage] = try Data(contentsOf: notes).map { $0 == UInt8(ascii: "1") }
        }
        // Far beyond what one stage needs.
        limits.processorSeconds = 10 + 4 * (Run.processorSeconds - processorStart)
        limits.seconds = 60 + 4 * Int((.now - start).components.seconds)
    }

    func fate(of mutant: Mutant) throws -> Fate {
        let stages = Stage.allCases.filter { reached[$0]?[mutant.number] ?? false }
        guard !stages.isEmpty else { return .unreached }
        for stage in stages {
            let status = try play(stage, ["MUTANT": "\(mutant.number)"])
            if status != .exited(0) { return .killed(stage, outOfTime: status == .outOfTime) }
        }
        return .survived
    }

    private func play(_ stage: Stage, _ environment: [String: String]) throws -> Run.Status {
        let scenarios = [
            copy.command.path, "run", "--world", "simulated", "--in-process", "--fail-fast", "--scenarios",
            copy.root.appending(path: "scenarios").path,
        ]
        let words =
            switch stage {
            case .delegate: scenarios + ["--style", "delegate"]
            case .others: scenarios + ["--style", "completion", "--style", "async"]
            case .tests: [copy.tests.path, "--testing-library", "swift-testing"]
            }
        return try Run.limited(words, in: copy.folder, environment: environment, limits: limits)
    }
}
