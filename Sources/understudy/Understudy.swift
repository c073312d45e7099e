import ArgumentParser
import Foundation
import HTTPBasics
import Harness
import Judge
import ScenarioFormat
import ServerScript

/// The command. Everything it does lives in Harness; here is only its face.
@main
struct Understudy: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "understudy",
        abstract: "A scripted, misbehaving HTTP server, and a harness that judges clients with it.",
        discussion: """
            Scenarios are YAML files in the folder scenarios/ or in the one that --scenarios names. A scenario's id is \
            its path in that folder without .yaml, such as first/hello.

            Examples:
              understudy run                           play everything, in both worlds
              understudy run redirect --world simulated
              understudy serve first/hello             play its server for any client
              understudy lint                          check all scenario files
              understudy help run                      all options of a subcommand

            Results go to standard output, complaints and the progress of a run to standard error. There are colours \
            and progress on a terminal only, and no colours where the environment has NO_COLOR with any text or \
            TERM=dumb. 'understudy --generate-completion-script bash' prints completions; also for zsh and fish.

            Exit status: 0 all is well, 1 something failed, 2 wrong use or a file that cannot be read, 3 the tool \
            itself broke; each subcommand's help says what this means for it, and which others it has.
            """,
        version: "understudy \(LibraryVersion.text)",
        subcommands: [
            Init.self, Run.self, Serve.self, Lint.self, Show.self, List.self, Schema.self, Mutate.self, Matrix.self,
            Certs.self, Worker.self, Manual.self,
        ])

    /// As usual, but wrong use ends with 2, as documented, instead of the parser's 64.
    static func main() {
        Output.openMissingStreams()
        let arguments = Array(CommandLine.arguments.dropFirst())
        let commands = configuration.subcommands
        let word = arguments.first == "help" ? arguments.dropFirst().first : arguments.first
        if let word, !word.hasPrefix("-"), word != "help",
            !commands.contains(where: { $0._commandName == word })
        {
            let names = commands.filter { $0.configuration.shouldDisplay }.map { $0._commandName } + ["help"]
            Output.error("understudy: there is no command '\(word)'; \(Suggestion.remedy(for: word, among: names))")
            Foundation.exit(RunStatus.usage.rawValue)
        }
        do {
            var command = try parseAsRoot(Serve.rewritten(arguments))
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
    @Option(
        name: .customLong("scenarios"),
        help: ArgumentHelp("The folder with the scenarios.", valueName: "folder"), completion: .directory)
    var root = "scenarios"

    /// The folder that the patterns are about: files that lie elsewhere bring their own.
    func root(around patterns: [String]) throws -> String {
        let roots = Set(patterns.map { ScenarioFile.root(of: $0, near: root) })
        guard let found = roots.first else { return root }
        guard roots.count == 1 else {
            throw UsageError("these files belong to different folders: \(roots.sorted().joined(separator: ", "))")
        }
        return found
    }

    /// What the patterns mean, all of it without one; with the patterns as the harness takes them.
    func scenarios(matching patterns: [String]) throws -> (scenarios: [Scenario], patterns: [ScenarioPattern]) {
        let root = try root(around: patterns)
        let patterns = try patterns.map { try ScenarioLoading.pattern($0, root: root) }
        let loaded = try ScenarioLoading.load(root: root, patterns: patterns)
        for diagnostic in loaded.diagnostics { Output.error(diagnostic.rendered()) }
        if loaded.hasErrors { throw UsageError("some scenarios cannot be read") }
        return (loaded.scenarios, patterns)
    }
}

enum Output {
    /// A descriptor that our caller has closed would go to the next pipe or file, and be written into.
    static func openMissingStreams() {
        for descriptor in [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO] where fcntl(descriptor, F_GETFD) == -1 {
            // The lowest free number: this one.
            _ = open("/dev/null", O_RDWR)
        }
    }

    /// What the command was asked for: that it cannot be written is an error.
    static func line(_ text: String) throws {
        guard let code = write(text + "\n", to: STDOUT_FILENO) else { return }
        throw UsageError("cannot write to standard output: \(String(cString: strerror(code)))")
    }

    /// Progress and verdicts, which are in the exit status as well: a reader that has stopped misses nothing.
    ///
    /// - Returns: Whether it was written.
    @discardableResult
    static func tell(_ text: String, to descriptor: Int32 = STDOUT_FILENO) -> Bool {
        write(text, to: descriptor) == nil
    }

    static func isTerminal(_ descriptor: Int32) -> Bool { isatty(descriptor) == 1 }

    static func error(_ text: String) { _ = write(text + "\n", to: STDERR_FILENO) }

    /// Those of standard output.
    static var colors: Colors { colors(of: STDOUT_FILENO) }

    static func colors(of descriptor: Int32) -> Colors {
        Colors(isTerminal: isTerminal(descriptor), environment: ProcessInfo.processInfo.environment)
    }

    /// On standard error, so that results can go to a file meanwhile; nil without a terminal, or if the terminal
    /// cannot go back to the beginning of a line.
    static func progressLine() -> ProgressLine? {
        guard isatty(STDERR_FILENO) == 1, ProcessInfo.processInfo.environment["TERM"] != "dumb" else { return nil }
        return ProgressLine(colors: colors(of: STDERR_FILENO), columns: columns) { _ = write($0, to: STDERR_FILENO) }
    }

    /// Asked each time: windows change.
    private static func columns() -> Int {
        var size = winsize()
        return ioctl(STDERR_FILENO, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 0 ? Int(size.ws_col) : 80
    }

    /// The same if it does not block: the stream may be the one that is not read.
    static func errorIfHeard(_ text: String) {
        var stream = pollfd(fd: STDERR_FILENO, events: Int16(POLLOUT), revents: 0)
        if poll(&stream, 1, 0) == 1 { error(text) }
    }

    /// Nil when all was written, else the error's number.
    private static func write(_ text: String, to descriptor: Int32) -> Int32? {
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Foundation.write(descriptor, $0.baseAddress, $0.count) }
            if count < 0 && errno == EINTR { continue }
            guard count > 0 else { return errno }
            rest = rest.dropFirst(count)
        }
        return nil
    }

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
