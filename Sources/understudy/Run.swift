import ArgumentParser
import Foundation
import Harness
import Judge
import ScenarioFormat
import Serving

enum WorldChoice: String, ExpressibleByArgument, CaseIterable {
    case simulated, sockets, both

    var worlds: [WorldName] {
        switch self {
        case .simulated: [.simulated]
        case .sockets: [.sockets]
        case .both: WorldName.allCases
        }
    }
}

extension Style: ExpressibleByArgument {}

extension RunPart {
    static func validate(_ text: String?) throws {
        guard let text, RunPart(text) == nil else { return }
        throw ValidationError("--shard must be i/n with 1 <= i <= n <= \(RunPart.most)")
    }
}

/// `ours,foundation`; the beginning of a client's name is enough.
struct ClientChoice: ExpressibleByArgument, CustomStringConvertible {
    var clients: [ClientName]

    init(clients: [ClientName]) { self.clients = clients }

    init?(argument: String) {
        clients = []
        for word in argument.split(separator: ",", omittingEmptySubsequences: false) {
            guard let client = ClientName.allCases.first(where: { $0.rawValue.hasPrefix(word) }), !word.isEmpty else {
                return nil
            }
            if !clients.contains(client) { clients.append(client) }
        }
    }

    var description: String { clients.map(\.rawValue).joined(separator: ",") }
}

struct Run: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Play scenarios and judge what the client does.",
        discussion: """
            A pattern is the beginning of an id (redirect/post), a glob (auth/*, **/timeout*) or the path of a file, also \
            of one elsewhere. \
            Cases that make no sense in a world or style are counted as skipped.

            Examples:
              understudy run redirect pool/drop
              understudy run ../mocks/login.yaml
              understudy run --world sockets --style async --jobs 4
              understudy run download --explore every-cut
              understudy run pool --explore seeds=1000 --style delegate
              understudy run redirect --client ours,foundation --world sockets
              understudy run timeout/stall --seed 7 --in-process
              understudy run --shard 2/4 --report reports
              understudy run retry/only-once --seed 7 --journal journals
              understudy run redirect --world simulated --watch

            Exit status: 0 all passed, 1 some failed, 2 wrong use, an unreadable scenario or nothing played, 3 the \
            harness broke, 130 interrupted.
            """)

    @Argument(help: "What to play; everything without one.")
    var patterns: [String] = []

    @OptionGroup var library: LibraryOptions

    @Option(help: "Whose URLSession, separated by commas: ours, foundation (the Swift toolchain's; sockets only).")
    var client = ClientChoice(clients: [.ours])

    @Option(help: "simulated (virtual time), sockets (real time) or both.")
    var world = WorldChoice.both

    @Option(help: "How the caller learns of results: delegate, completion or async; may be repeated. Default all.")
    var style: [Style] = []

    @Option(
        name: .shortAndLong, parsing: .unconditional,
        help: "How many worker processes; one for each core without it, three over sockets, where cases wait a lot.")
    var jobs: Int?

    @Option(help: "Part i of n of the run.")
    var shard: String?

    @Option(
        parsing: .unconditional,
        help: "Decides interleavings, segmentation and latency in the simulated world; 0 is the plain order.",
        transform: SeedText.number)
    var seed: UInt64 = 0

    @Option(
        help: """
            every-cut, every-split, every-cancel, hostile, seeds=N, seeds=A..B, hostile=N, hostile=A..B, or one \
            position that a report named (cut:0:117:fin, bend:0:0:code=204). Simulated world only. What fails under a \
            seed or with bent answers is left behind as a scenario, as short as it gets, in report/found.
            """)
    var explore: String?

    @Option(
        help: "Write report.html, junit.xml and results.jsonl into this directory.", completion: .directory)
    var report: String?

    @Option(
        help: "Write what the machines did in simulated cases into this directory; the same seed gives the same bytes.",
        completion: .directory)
    var journal: String?

    @Flag(help: "Go on, and play again each scenario that changes, until Ctrl-C.")
    var watch = false

    @Flag(
        help: """
            Count as failures what scenarios of the kind 'should' find, and windows over sockets that the machine has \
            widened beyond their meaning.
            """)
    var strict = false

    @Flag(help: "Play nothing new once a case has failed.")
    var failFast = false

    @Flag(help: "Play here instead of in worker processes, for a debugger.")
    var inProcess = false

    func validate() throws {
        if let jobs, jobs < 1 { throw ValidationError("--jobs must be at least 1") }
        try RunPart.validate(shard)
        if let explore { try validate(exploration: explore) }
        if watch, shard != nil { throw ValidationError("--watch plays what changes: --shard has no part in it") }
        if client.clients != [.ours], inProcess || explore != nil {
            throw ValidationError("other clients have worker processes and no simulator: no --in-process, no --explore")
        }
        if client.clients == [.foundation], world == .simulated {
            throw ValidationError("\(client) plays over sockets only")
        }
        if world == .sockets, journal != nil {
            throw ValidationError("--journal needs the simulated world: real machines keep none")
        }
    }

    private func validate(exploration text: String) throws {
        do {
            let exploration = try Exploration(text)
            if seed != 0, let reason = exploration.objectionToSeed { throw UsageError(reason) }
        } catch {
            throw ValidationError("--explore: \(error)")
        }
        if world == .sockets { throw ValidationError("--explore needs the simulated world") }
    }

    func run() throws {
        try Output.guarding {
            let stop = StopSignal()
            let interruption = InterruptSignals(stop)
            defer { withExtendedLifetime(interruption) {} }
            let root = try library.root(around: patterns)
            let options = options(root: root)
            if watch {
                let run = try WatchedRun(options, terminal: { terminal(root: root) }, stop: stop) {
                    Output.tell($0 + "\n")
                } complain: {
                    Output.error($0)
                }
                return try run.run()
            }
            let run = try ConformanceRun(options, terminal: terminal(root: root), stop: stop) { Output.error($0) }
            return try run.run()
        }
    }

    private func options(root: String) -> RunOptions {
        var options = RunOptions(root: root, executable: OwnExecutable.path)
        options.command = OwnExecutable.word
        options.patterns = patterns
        options.clients = client.clients
        options.worlds = world.worlds
        if !style.isEmpty { options.styles = style }
        options.jobs = jobs
        options.part = shard.flatMap { RunPart($0) }
        options.seed = seed
        options.exploration = explore.flatMap { try? Exploration($0) }
        options.reportDirectory = report
        options.journalDirectory = journal
        options.foundDirectory = "\(report ?? "report")/found"
        options.isInProcess = inProcess
        options.isStrict = strict
        options.stopsAtFailure = failFast
        return options
    }

    private func terminal(root: String) -> TerminalReporter {
        let isTerminal = isatty(STDOUT_FILENO) == 1
        let hasColors = isTerminal && ProcessInfo.processInfo.environment["NO_COLOR"] == nil
        return TerminalReporter(
            isTerminal: isTerminal, hasColors: hasColors, excerpt: SourceExcerpt(root: root), isPart: shard != nil
        ) { Output.tell($0) }
    }
}

enum SeedText {
    static func number(_ text: String) throws -> UInt64 {
        guard let seed = UInt64(text) else {
            throw ValidationError("--seed must be a whole number, 0 or more, not '\(text)'")
        }
        return seed
    }
}

enum OwnExecutable {
    /// As it was called where a shell finds it by its name, else where it lies: good in every folder.
    static var word: String {
        let called = CommandLine.arguments.first ?? path
        return called.contains("/") ? path : called
    }

    /// The file that this process runs, however it was called.
    static var path: String {
        (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? CommandLine.arguments[0]
    }
}

struct Worker: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Play cases that a supervisor asks for on standard input.", shouldDisplay: false)

    func run() { WorkerLoop.run { CasePlayer.runner(telling: $0) } }
}
