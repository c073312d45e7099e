import Foundation

/// What is played against a mutant, in this order, until something fails. Only what reaches it is played.
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
    /// Scenario files, each with the mutants that it reaches: for each number whether.
    private var scenarios: [(file: String, reached: [Bool])] = []
    private var reachedByTests: [Bool] = []

    /// Plays everything without a mutant: it must pass, and tells how long it takes and what it reaches.
    init(_ copy: MutatedCopy, jobs: Int) throws {
        self.copy = copy
        let files = try FileManager.default.subpathsOfDirectory(atPath: copy.folder.appending(path: "scenarios").path)
            .filter { $0.hasSuffix(".yaml") }.sorted().map { "scenarios/\($0)" }
        var longest = Run.Limits(processorSeconds: 0, seconds: 0)
        for stage in Stage.allCases {
            let (start, processorStart) = (ContinuousClock.now, Run.processorSeconds)
            let status = try play(stage, files)
            guard status == .exited(0) else {
                throw Complaint("without a mutant, the \(stage.rawValue) fail: \(status)")
            }
            longest.processorSeconds = max(longest.processorSeconds, Run.processorSeconds - processorStart)
            longest.seconds = max(longest.seconds, Int((.now - start).components.seconds))
        }
        // Far beyond what one stage needs.
        limits = Run.Limits(processorSeconds: 3 + 3 * longest.processorSeconds, seconds: 60 + 4 * longest.seconds)

        reachedByTests = try reached(by: .tests, [])
        let trial = self
        scenarios = try concurrently(files.count, jobs: jobs) { index in
            let styles = try [Stage.delegate, .others].map { try trial.reached(by: $0, [files[index]]) }
            return (files[index], zip(styles[0], styles[1]).map { $0 || $1 })
        }
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
        let files = scenarios.filter { $0.reached[mutant.number] }.map(\.file)
        var stages: [Stage] = files.isEmpty ? [] : [.delegate, .others]
        if reachedByTests[mutant.number] { stages.append(.tests) }
        guard !stages.isEmpty else { return .unreached }
        for stage in stages {
            let status = try play(stage, files, ["MUTANT": "\(mutant.number)"])
            if status != .exited(0) { return .killed(stage, outOfTime: status == .outOfTime) }
        }
        return .survived
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
        return try Run.limited(words, in: copy.folder, environment: environment, limits: limits)
    }
}
