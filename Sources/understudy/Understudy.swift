import ArgumentParser
import Foundation
import Harness

/// The command. Everything it does lives in Harness; here is only its face.
@main
struct Understudy: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "understudy",
        abstract: "A scripted, misbehaving HTTP server, and a harness that judges clients with it.",
        discussion: """
            Examples:
              understudy run                           everything, in both worlds
              understudy run redirect --world simulated
              understudy serve scenarios/pool/x.yaml   play it for any client
              understudy lint                          check all scenario files
            """,
        subcommands: [Run.self, Serve.self, Lint.self, Show.self, List.self, Worker.self])

    /// As usual, but wrong use ends with 2, as documented, instead of the parser's 64.
    static func main() {
        do {
            var command = try parseAsRoot()
            try command.run()
        } catch {
            guard exitCode(for: error) == .validationFailure else { exit(withError: error) }
            Output.error(fullMessage(for: error))
            Foundation.exit(RunStatus.usage.rawValue)
        }
    }
}

/// Where scenarios lie; shared by the subcommands that look for them.
struct LibraryOptions: ParsableArguments {
    @Option(name: .customLong("scenarios"), help: "The folder with the scenarios.", completion: .directory)
    var root = "scenarios"
}

enum Output {
    static func line(_ text: String) { print(text) }

    static func error(_ text: String) { FileHandle.standardError.write(Data((text + "\n").utf8)) }

    /// Ends the command the way its help says.
    static func exit(_ status: RunStatus) -> ExitCode { ExitCode(status.rawValue) }

    /// Runs a command's body and turns what it throws into the documented exit statuses.
    static func guarding(_ body: () throws -> RunStatus) throws {
        do {
            let status = try body()
            if status != .passed { throw exit(status) }
        } catch let error as UsageError {
            Output.error("understudy: \(error)")
            throw exit(.usage)
        } catch let code as ExitCode {
            throw code
        } catch {
            Output.error("understudy: \(error)")
            throw exit(.internal)
        }
    }
}
