import ArgumentParser
import Harness
import Judge

struct Init: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Write a first scenario, with comments, into a folder.",
        discussion: """
            Writes \(FirstScenario.path) below the folder, and nothing that is there already.

            Examples:
              understudy init
              understudy init tests/http && cd tests/http && understudy run first/busy

            Exit status: 0 written, 2 it is there already, or cannot be written.
            """)

    @Argument(
        help: ArgumentHelp("The folder, which is made if it is not there.", valueName: "folder"), completion: .directory
    )
    var folder = "."

    func run() throws {
        try Output.guarding {
            do {
                let path = try FirstScenario.write(into: folder)
                try Output.line(
                    """
                    \(path) is written. Read it, then try:
                      understudy serve \(path) --port 8080
                      curl -i http://127.0.0.1:8080/order
                    """)
            } catch let failure as FirstScenario.NotWritten {
                throw UsageError("\(failure)")
            }
            return .passed
        }
    }
}
