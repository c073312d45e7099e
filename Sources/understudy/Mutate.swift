import ArgumentParser
import Harness
import Judge

struct Mutate: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Make each expectation wrong in every way, and demand that the judge finds it.",
        discussion: """
            A pattern is the beginning of an id, a glob or the path of a .yaml file, as for 'run'. Each case is played \
            once in each style, in the simulated world; then the judge is asked about each wrong expectation.

            Examples:
              understudy mutate
              understudy mutate redirect download/cut*
              understudy mutate --shard 2/4

            Exit status: 0 every mutant was found, 1 some survive or a case fails as it is, 2 wrong use or an \
            unreadable scenario.
            """)

    @Argument(
        help: ArgumentHelp("Which cases; all without one.", valueName: "pattern"),
        completion: .file(extensions: ["yaml"]))
    var patterns: [String] = []

    @Option(help: ArgumentHelp("Part i of n of the cases, such as 2/4; n up to \(RunPart.most).", valueName: "i/n"))
    var shard: String?

    @OptionGroup var library: LibraryOptions

    func validate() throws { try RunPart.validate(shard) }

    func run() throws {
        try Output.guarding {
            let (scenarios, patterns) = try library.scenarios(matching: patterns)
            let live = Output.progressLine()
            let run = try MutationRun(scenarios, patterns: patterns, part: shard.flatMap { RunPart($0) }) {
                live?.show($0, of: $1, name: $2)
            }
            live?.clear()
            for id in run.unsound { try Output.line("\(id) fails as it is") }
            for survivor in run.survivors { try Output.line("\(survivor)") }
            try Output.line(run.summary)
            return run.survivors.isEmpty && run.unsound.isEmpty ? .passed : .failures
        }
    }
}
