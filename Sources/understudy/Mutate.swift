import ArgumentParser
import Harness
import Judge

struct Mutate: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Make each expectation wrong in every way, and demand that the judge finds it.",
        discussion: """
            Examples:
              understudy mutate
              understudy mutate redirect download/cut*
              understudy mutate --shard 2/4

            Exit status: 0 every mutant was found, 1 some survive or a case fails as it is, 2 wrong use.
            """)

    @Argument(help: "Which cases; all without one.")
    var patterns: [String] = []

    @Option(help: "Part i of n of the cases.")
    var shard: String?

    @OptionGroup var library: LibraryOptions

    func validate() throws { try RunPart.validate(shard) }

    func run() throws {
        try Output.guarding {
            let (scenarios, patterns) = try library.scenarios(matching: patterns)
            let run = try MutationRun(scenarios, patterns: patterns, part: shard.flatMap { RunPart($0) })
            for id in run.unsound { try Output.line("\(id) fails as it is") }
            for survivor in run.survivors { try Output.line("\(survivor)") }
            try Output.line(run.summary)
            return run.survivors.isEmpty && run.unsound.isEmpty ? .passed : .failures
        }
    }
}
