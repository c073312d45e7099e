import Foundation
import Synchronization

/// Plays against a mutant what reaches it: first the scenarios, the cheapest world first, then the rest. The first
/// failure of each side ends that side, and the tests are not asked about what scenarios have found.
struct Trial: Sendable {
    struct Fate: Equatable, Codable, Sendable {
        enum Killer: String, Codable, Sendable { case scenarios, rest }

        /// By a failure, a crash, or for want of an end.
        var killer: Killer?
        var isOutOfTime = false
        var isReached: Bool
    }

    /// The most specific come first, alone: they are the likeliest to notice.
    private static let firstPart = 8
    /// Over sockets a scenario waits in real time: only so many, the most specific, are played.
    private static let mostOverSockets = 24

    private let copy: MutatedCopy
    /// By kind, the most specific first: those that reach the fewest mutants.
    let exercises: [Exercise.Kind: [Exercise]]

    /// Plays everything once without a mutant: that tells what each needs and reaches. What fails then is left out.
    init(_ copy: MutatedCopy, jobs: Int, tell: @escaping @Sendable (String) -> Void) throws {
        self.copy = copy
        let scenarios = try FileManager.default.subpathsOfDirectory(
            atPath: copy.folder.appending(path: "scenarios").path
        )
        .filter { $0.hasSuffix(".yaml") }.sorted()
        var all: [Exercise] = []
        for kind in Exercise.Kind.allCases {
            switch kind {
            case .tests: all += try Self.suites(of: copy).map { Exercise(kind: kind, name: $0) }
            // Of the judge: each expectation made wrong.
            case .expectations: all += Self.topics(of: scenarios).map { Exercise(kind: kind, name: $0) }
            default: all += scenarios.map { Exercise(kind: kind, name: "scenarios/\($0)") }
            }
        }
        let found = all
        let measured = try concurrently(found.count, jobs: jobs) { index in
            let exercise = try Self.measured(found[index], in: copy)
            // A case that needs another world or style is no failure: it reaches nothing.
            if exercise == nil, !found[index].kind.isOfScenarios { tell("left out, it fails: \(found[index].name)") }
            return exercise
        }
        exercises = Dictionary(grouping: measured.compactMap { $0 }, by: \.kind)
            .mapValues { $0.sorted { $0.weight < $1.weight } }
    }

    private static func topics(of scenarios: [String]) -> [String] {
        Set(scenarios.compactMap { $0.split(separator: "/").first.map(String.init) }).sorted()
    }

    /// The names of the suites, `Module.Suite`.
    private static func suites(of copy: MutatedCopy) throws -> [String] {
        let list = copy.folder.appending(path: "tests.txt")
        let words = [copy.tests.path, "--testing-library", "swift-testing", "--list-tests"]
        guard try Run.command(words, in: copy.folder, output: list) == .exited(0) else {
            throw Complaint("the copy's tests cannot be listed: see \(list.path)")
        }
        let names = try String(contentsOf: list, encoding: .utf8).split(separator: "\n")
            .compactMap { $0.contains("/") ? $0.split(separator: "/").first.map(String.init) : nil }
        return Set(names).sorted()
    }

    private static func measured(_ exercise: Exercise, in copy: MutatedCopy) throws -> Exercise? {
        var exercise = exercise
        let notes = "reached-\(UUID().uuidString)"
        let start = ContinuousClock.now
        let run = try Run.limited(
            Exercise.words([exercise], of: exercise.kind, in: copy), in: copy.folder,
            environment: ["MUTANTS_REACHED": copy.folder.appending(path: notes).path],
            limits: Run.Limits(processorSeconds: 300, seconds: 600))
        exercise.seconds = (ContinuousClock.now - start) / .seconds(1)
        exercise.reached = Array(repeating: false, count: copy.mutants.count + 1)
        for file in try FileManager.default.contentsOfDirectory(atPath: copy.folder.path)
        where file.hasPrefix(notes) {
            let path = copy.folder.appending(path: file)
            for (number, byte) in try Data(contentsOf: path).enumerated() where byte != 0 {
                exercise.reached[number] = true
            }
            try FileManager.default.removeItem(at: path)
        }
        exercise.weight = exercise.reached.count { $0 }
        return run == .exited(0) ? exercise : nil
    }

    // MARK: Playing

    func fate(of mutant: Mutant) throws -> Fate {
        var fate = Fate(isReached: false)
        for kind in Exercise.Kind.allCases {
            // What wrong expectations tell is about the judge; everything else of the machines would be asked again.
            if kind == .expectations, !mutant.file.hasPrefix("Judge/") { continue }
            var chosen = (exercises[kind] ?? []).filter { $0.reached[mutant.number] }
            if kind == .sockets { chosen = Array(chosen.prefix(Self.mostOverSockets)) }
            for part in [chosen.prefix(Self.firstPart), chosen.dropFirst(Self.firstPart)] where !part.isEmpty {
                fate.isReached = true
                let status = try play(Array(part), of: kind, mutant)
                if status == .exited(0) { continue }
                fate.killer = kind.isOfScenarios ? .scenarios : .rest
                fate.isOutOfTime = status == .outOfTime
                return fate
            }
        }
        return fate
    }

    func play(_ exercises: [Exercise], of kind: Exercise.Kind, _ mutant: Mutant) throws -> Run.Status {
        // A backtrace, which is not read, takes seconds.
        let environment = ["MUTANT": "\(mutant.number)", "SWIFT_BACKTRACE": "enable=no"]
        // Far beyond what they need together.
        let seconds = exercises.reduce(0) { $0 + $1.seconds }
        let limits = Run.Limits(processorSeconds: 10 + Int(3 * seconds), seconds: 30 + Int(4 * seconds))
        let words = Exercise.words(exercises, of: kind, in: copy)
        let status = try Run.limited(words, in: copy.folder, environment: environment, limits: limits)
        guard kind.isInRealTime, status != .exited(0), status != .outOfTime else { return status }
        return try Run.limited(words, in: copy.folder, environment: environment, limits: limits)
    }
}
