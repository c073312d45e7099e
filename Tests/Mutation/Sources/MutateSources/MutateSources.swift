import ArgumentParser
import Foundation
import Synchronization

@main
struct MutateSources: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "mutate-sources",
        abstract: "Plant small mistakes in the sources, one at a time, and count which of them are noticed.",
        discussion: """
            Run it in the project's folder. A run without patterns writes Documentation/MUTATION.md; every run writes
            .build/mutation/survivors.txt, and unseen.txt with what only scenarios overlooked. A run that was cut off
            goes on where it stopped, of a commit without changes.
            Exit status: 0 the score is enough, 1 it is not or an entry of equivalents.txt is wrong, 64 wrong use.
            """)

    @Argument(help: "Parts of mutants' names, such as ClientMachines/Wire/ or 'sizeByte boundary'; all without one.")
    var patterns: [String] = []
    @Option(help: "So many mutants of each module, spread evenly over it, and others with each commit; all without it.")
    var sample: Int?
    @Option(help: "How many to play at a time; two for each core without it, since they wait for their threads a lot.")
    var jobs = 2 * ProcessInfo.processInfo.activeProcessorCount
    @Option(help: "The least score of a module by everything, in percent.")
    var atLeast = 95.0
    @Option(help: "The least score of a module of the client by scenarios alone, in percent.")
    var atLeastByScenarios = 85.0
    @Flag(help: "Only name the mutants.")
    var list = false
    @Flag(help: "Only name the scenarios that notice none of the mutants that they reach and few others do.")
    var suspects = false

    func validate() throws {
        guard sample ?? 1 > 0, jobs > 0 else { throw ValidationError("--sample and --jobs begin at 1") }
    }

    func run() throws {
        let root = URL(filePath: FileManager.default.currentDirectoryPath)
        let commit = try Commit(of: root)
        var copy = try MutatedCopy(of: root)
        if list { return copy.mutants.forEach { print($0.name) } }
        tell("\(copy.mutants.count) mutants; building them")
        try copy.build { tell($0) }
        for mutant in copy.mutants where copy.refused.contains(mutant.number) { tell("refused: \(mutant.name)") }
        tell("\(copy.refused.count) refused; playing everything without a mutant")
        let trial = try Trial(copy, jobs: jobs) { tell($0) }
        let equivalents = try Equivalents(contentsOf: root.appending(path: "Tests/Mutation/equivalents.txt"))

        let mutants = copy.mutants.filter { mutant in
            !copy.refused.contains(mutant.number)
                && (patterns.isEmpty || patterns.contains { mutant.name.contains($0) })
        }
        if suspects { return try trial.suspects(among: mutants, jobs: jobs).forEach { print($0) } }
        let chosen = sample.map { Self.spread($0, of: mutants, from: commit.number) } ?? mutants
        let journal = try FateJournal(of: commit, in: root.appending(path: ".build/mutation"))
        let fates = try play(chosen, trial, journal)

        var score = Score()
        for (mutant, fate) in zip(chosen, fates) {
            score.count(mutant, fate, isEquivalent: equivalents.contains(mutant))
        }
        try write(score.survivorLines, to: root.appending(path: ".build/mutation/survivors.txt"))
        try write(score.unseenLines, to: root.appending(path: ".build/mutation/unseen.txt"))
        print(score.tables)
        print("\(score.endless) of the killed never ended.")
        print("Survivors:\n\(score.survivorLines.joined(separator: "\n"))")
        var wrong: [String] = []
        if patterns.isEmpty {
            let choice = sample.map { "\($0) mutants of each module" } ?? "every mutant"
            try report(score, "\(choice) of commit \(commit.name)")
                .write(to: root.appending(path: "Documentation/MUTATION.md"))
        }
        if patterns.isEmpty, sample == nil {
            let killed = zip(chosen, fates).filter { $1.killer != nil }.map(\.0.number)
            wrong = equivalents.wrong(among: copy.mutants, killed: Set(killed))
            for entry in wrong { print("equivalents.txt: \(entry)") }
        }
        let low = score.byModule.filter { $0.value.ofEverything < atLeast }.keys.sorted()
        if !low.isEmpty { print("below \(atLeast) % by everything: \(low.joined(separator: ", "))") }
        let overlooked = score.byModule.filter {
            MutatedCopy.clientModules.contains($0.key) && $0.value.ofScenarios < atLeastByScenarios
        }.keys.sorted()
        if !overlooked.isEmpty {
            print("below \(atLeastByScenarios) % by scenarios alone: \(overlooked.joined(separator: ", "))")
        }
        if !low.isEmpty || !overlooked.isEmpty || !wrong.isEmpty { throw ExitCode.failure }
    }

    /// Equally far apart within each module.
    private static func spread(_ count: Int, of mutants: [Mutant], from start: Int) -> [Mutant] {
        Dictionary(grouping: mutants, by: \.module).values.flatMap { module in
            let step = max(1, Double(module.count) / Double(count))
            return (0..<min(count, module.count)).map { module[(start + Int(Double($0) * step)) % module.count] }
        }
        .sorted { $0.number < $1.number }
    }

    private func play(_ mutants: [Mutant], _ trial: Trial, _ journal: FateJournal) throws -> [Trial.Fate] {
        let played = Atomic(0)
        return try concurrently(mutants.count, jobs: jobs) { index in
            let fate = try journal.fate(of: mutants[index], find: trial.fate)
            if fate.killer == nil { tell("survives: \(mutants[index].name)") }
            if fate.isOutOfTime { tell("never ends: \(mutants[index].name)") }
            let count = played.wrappingAdd(1, ordering: .relaxed).newValue
            if count % 50 == 0 { tell("\(count) of \(mutants.count)") }
            return fate
        }
    }

    private func tell(_ news: String) { FileHandle.standardError.write(Data("\(news)\n".utf8)) }

    private func write(_ lines: [String], to file: URL) throws {
        try Data(lines.map { $0 + "\n" }.joined().utf8).write(to: file, options: .atomic)
    }

    private func report(_ score: Score, _ what: String) -> Data {
        let day = Date.now.formatted(.iso8601.year().month().day())
        let survivors = score.survivorLines.map { "- `\($0)`\n" }.joined()
        return Data(
            """
            # Mutation

            `make mutate-sources` plants small mistakes in the modules below, one at a time, and counts which of them a
            scenario notices, and which of the others anything else does: a unit test or, of the judge's, `make mutate`.
            It writes this file. Over sockets only those scenarios are played that reach a mutant and the fewest others,
            two dozen of them. Mutants that cannot be noticed are listed in `Tests/Mutation/equivalents.txt`, each with
            its reason; the scores leave them out.

            Played on \(day): \(what).

            \(score.shortTables)
            ## Survivors

            \(survivors.isEmpty ? "None.\n" : survivors)
            """.utf8)
    }
}
