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
            A pattern is the beginning of an id (redirect/post), a glob (auth/*, **/timeout*) or the path of a .yaml \
            file, which may lie elsewhere. Each scenario makes one case or more, and each case is played in each \
            world and style that is asked for. Cases that make no sense in a world or style are counted as skipped.

            A failure is printed with the line of the scenario, what went over the wire, and a command that repeats \
            it. The last line is PASSED, FAILED, INCOMPLETE after an interruption, or says that nothing was played.

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

            Exit status: 0 all passed, 1 at least one case failed, 2 wrong use, an unreadable scenario or nothing \
            played, 3 the harness broke or a report could not be written, 130 interrupted (what had finished is \
            reported).
            """)

    @Argument(
        help: ArgumentHelp("What to play; everything without one.", valueName: "pattern"),
        completion: .file(extensions: ["yaml"]))
    var patterns: [String] = []

    @OptionGroup var library: LibraryOptions

    @Option(
        help: """
            Whose URLSession: ours, foundation (the Swift toolchain's, over sockets only), or both with a comma between.
            """,
        completion: .list(["ours", "foundation", "ours,foundation"]))
    var client = ClientChoice(clients: [.ours])

    @Option(help: "Where: simulated (virtual time), sockets (the loopback interface, real time) or both.")
    var world = WorldChoice.both

    @Option(help: "How the caller learns of results; may be repeated. All of them without it.")
    var style: [Style] = []

    @Option(
        name: .shortAndLong, parsing: .unconditional,
        help: ArgumentHelp(
            """
            How many worker processes, 1 or more. Without it one for each core; three for each core over sockets, \
            where cases mostly wait.
            """, valueName: "count"))
    var jobs: Int?

    @Option(help: ArgumentHelp("Part i of n of the run, such as 2/4; n up to \(RunPart.most).", valueName: "i/n"))
    var shard: String?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            """
            Decides in which order things happen, how bytes are divided and how long they travel in the simulated \
            world: a whole number below 2^64. 0, the default, is the plain order.
            """, valueName: "number"),
        transform: SeedText.number)
    var seed: UInt64 = 0

    @Option(
        help: ArgumentHelp(
            """
            Play each case many times, in the simulated world only. every-cut: the connection ends behind each byte \
            of an answer; every-split: the answer arrives in two pieces, divided at each byte; every-cancel: the task \
            is cancelled at each step; seeds=N, seeds=A..B: other schedules; hostile, hostile=N, hostile=A..B: answers \
            with other numbers, fields and bytes; or one position from a report, such as cut:0:117:fin. A run that \
            fails under a seed or with bent answers is saved as a scenario, as short as possible, in the folder found \
            of the report directory (report/found without one).
            """, valueName: "what"),
        completion: .list(["every-cut", "every-split", "every-cancel", "hostile", "seeds=100"]))
    var explore: String?

    @Option(
        help: ArgumentHelp(
            "Write report.html, junit.xml and results.jsonl into this directory.", valueName: "directory"),
        completion: .directory)
    var report: String?

    @Option(
        help: ArgumentHelp(
            "Write what the machines did in simulated cases into this directory; one seed gives the same bytes each time.",
            valueName: "directory"),
        completion: .directory)
    var journal: String?

    @Flag(help: "Go on, and play again each scenario that changes, until Ctrl-C.")
    var watch = false

    @Flag(
        help: """
            Count failures of scenarios of the kind 'should', too, and windows over sockets that the machine has \
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
        TerminalReporter(
            colors: Output.colors, live: Output.progressLine(), excerpt: SourceExcerpt(root: root),
            isPart: shard != nil
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
