import ArgumentParser
import Harness
import Judge

struct Matrix: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Print the table of scenarios and clients, as the scenario files record it.",
        discussion: """
            Nothing is played: 'run --client foundation' shows whether the records are true.

            Example:
              understudy matrix >matrix.md && mv matrix.md Documentation/MATRIX.md

            Exit status: 0 printed, 2 wrong use, an unreadable scenario, or a record of a case that is never played.
            """)

    @OptionGroup var library: LibraryOptions

    func run() throws {
        try Output.guarding {
            let (scenarios, _) = try library.scenarios(matching: [])
            if let idle = MatrixPage(scenarios).idle.first {
                throw UsageError("\(idle.mark): a record of a case that this client never plays")
            }
            try Output.line(String(MatrixPage.markdown(scenarios).dropLast()))
            return .passed
        }
    }
}
