import ArgumentParser
import Foundation
import Synchronization

@main
struct MutateMachines: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "mutate-machines",
        abstract:
            "Plant small mistakes in the client machines, one at a time, and count which of them somebody notices.",
        discussion: """
            Run it in the project's folder. A run of everything writes Documentation/MUTATION.md, every run
            .build/mutation/survivors.txt.
            Exit status: 0 the score is enough, 1 it is not or an entry of equivalents.txt is wrong, 64 wrong use.
            """)

    @Argument(help: "Parts of mutants' names, such as Wire/ or 'sizeByte boundary'; all without one.")
    var patterns: [String] = []
    @Option(help: "Only every n-th mutant.")
    var sample = 1
    @Option(help: "How many to play at a time; two for each core without it, since they wait for their threads a lot.")
    var jobs = 2 * ProcessInfo.processInfo.activeProcessorCount
    @Option(help: "The least score, in percent.")
    var atLeast = 85.0
    @Flag(help: "Only name the mutants.")
    var list = false

    func validate() throws {
        guard sample > 0, jobs > 0 else { throw ValidationError("--sample and --jobs begin at 1") }
    }

    func run() throws {
        let root = URL(filePath: FileManager.default.currentDirectoryPath)
        var copy = try MutatedCopy(of: root)
        if list { return copy.mutants.forEach { print($0.name) } }
        print("\(copy.mutants.count) mutants; building them")
        try copy.build()
        for mutant in copy.mutants where copy.refused.contains(mutant.number) { print("refused: \(mutant.name)") }
        let trial = try Trial(copy, jobs: jobs)
        let equivalents = try Equivalents(contentsOf: root.appending(path: "Tests/Mutation/equivalents.txt"))

        let mutants = copy.mutants.filter { mutant in
            !copy.refused.contains(mutant.number)
                && (patterns.isEmpty || patterns.contains { mutant.name.contains($0) })
        }
        let chosen = stride(from: 0, to: mutants.count, by: sample).map { mutants[$0] }
        let fates = try play(chosen, trial)

        var score = Score()
        for (mutant, fate) in zip(chosen, fates) {
            score.count(mutant, fate, isEquivalent: equivalents.contains(mutant))
        }
        let survivors = score.survivorLines().map { $0 + "\n" }.joined()
        try Data(survivors.utf8).write(to: root.appending(path: ".build/mutation/survivors.txt"))
        print(score.tables)
        print("\(score.endless) of the killed never ended.")
        print("Survivors:\n\(survivors)")
        let isWhole = chosen.count == mutants.count && patterns.isEmpty
        var wrong: [String] = []
        if isWhole {
            let killed = zip(chosen, fates).filter { $1 != .survived && $1 != .unreached }.map(\.0.number)
            wrong = equivalents.wrong(among: copy.mutants, killed: Set(killed))
            for entry in wrong { print("equivalents.txt: \(entry)") }
            try report(score).write(to: root.appending(path: "Documentation/MUTATION.md"))
        }
        if score.total.percent < atLeast || !wrong.isEmpty { throw ExitCode.failure }
    }

    private func play(_ mutants: [Mutant], _ trial: Trial) throws -> [Trial.Fate] {
        let played = Atomic(0)
        return try concurrently(mutants.count, jobs: jobs) { index in
            let fate = try trial.fate(of: mutants[index])
            switch fate {
            case .survived, .unreached: tell("survives: \(mutants[index].name)")
            case .killed(_, outOfTime: true): tell("never ends: \(mutants[index].name)")
            case .killed: break
            }
            let count = played.wrappingAdd(1, ordering: .relaxed).newValue
            if count % 50 == 0 { tell("\(count) of \(mutants.count)") }
            return fate
        }
    }

    private func tell(_ news: String) { FileHandle.standardError.write(Data("\(news)\n".utf8)) }

    private func report(_ score: Score) -> Data {
        let day = Date.now.formatted(.iso8601.year().month().day())
        let survivors = score.survivorLines().map { "- `\($0)`\n" }.joined()
        return Data(
            """
            # Mutation of the client machines

            `make mutate-machines` plants small mistakes in `Sources/ClientMachines`, one at a time, and counts which of
            them a simulated scenario or a unit test notices. It writes this file. Mutants that nobody could notice are
            listed in `Tests/Mutation/equivalents.txt`, each with its reason; the score leaves them out.

            Played on \(day).

            \(score.shortTables)
            ## Survivors

            \(survivors.isEmpty ? "None.\n" : survivors)
            """.utf8)
    }
}
