import Control
import Foundation
import HTTPBasics
import Judge
import Locks
import ScenarioFormat
import ScriptedServer
import ServerScript

/// `understudy serve`: plays a script for any client, again and again, and prints its verdict each time it is
/// consumed. What is listened to stays the same, and so do connections: only the script begins anew.
package final class ServeSession: Sendable {
    package struct Options: Sendable {
        package var bind = "127.0.0.1"
        package var port = 0
        /// Decides which faults with a probability happen in the first round; each further round has the next number.
        package var seed: UInt64 = 0
        /// End with the first verdict, or with that of the last of several files that have steps.
        package var isOnce = false
        package var log = Log.events
        /// Where the port of the first host is written.
        package var portFile: String?
        package var limits = ServedLimits()
        /// The port of the control interface; nil for none.
        package var admin: Int?
        /// What is run meanwhile, and decides when it ends.
        package var command: [String] = []
        /// The host that the command takes for its proxy.
        package var proxy: String?
        /// Answers what the script does not.
        package var improviser: (any Improviser)?
        /// What there is to say of the files at the start.
        package var notes: [String] = []

        package init() {}
    }

    /// What is printed besides addresses and verdicts.
    package enum Log: Sendable {
        case none
        /// Requests and answers as they come.
        case events
        /// A line for each exchange when it is answered.
        case exchanges
        /// The same, and everything else, for programs.
        case json
    }

    private let script: Script
    private let mounts: [ScriptMount]
    private let options: Options
    private let stop: StopSignal
    private let lines: LineQueue
    private let exchanges = ExchangeLog()
    private let judged = StopSignal()
    private let tally = Lock(RoundTally())
    /// While it runs.
    private let server = Lock<ScriptedServer?>(nil)

    /// `write` is given whole lines, one at a time, on a thread on which it may block.
    package init(
        _ script: Script, mounts: [ScriptMount] = [], options: Options, stop: StopSignal,
        write: @escaping @Sendable (String) throws -> Void
    ) {
        self.script = script
        self.mounts = mounts
        self.options = options
        self.stop = stop
        lines = LineQueue(write: write)
    }

    /// Blocks until it is stopped, or with `--once` until the first round of each file is over, or until its command
    /// is. The worst verdict decides, and the command's status before that. `unread` is how many lines were not read in
    /// the end.
    package func run() throws -> (status: Int32, unread: Int) {
        try DescriptorLimit.checkRoom()
        let server = try start()
        self.server.withLock { $0 = server }
        let control = try startControl(server)
        defer { if let control { try? Blocking.run { await control.stop() } } }
        let portFile = try options.portFile.map { try PortFile($0, port: server.port) }
        defer { portFile?.remove() }
        announce(server, control)
        let command = try startCommand(server, control)
        wait(for: command)
        let verdicts = try Blocking.run { try await server.end() }
        for (verdict, isOpen) in verdicts where isOpen { judge(verdict) }
        judgeUntouched(verdicts.map(\.verdict))
        let rounds = tally.withLock { $0 }
        if rounds.count > 1 { note(rounds.summary) }
        tellUnused(verdicts.map(\.verdict))
        let status = command?.status ?? 0
        return (status == 0 ? rounds.status.rawValue : status, lines.finish())
    }

    /// A script that nobody has asked for anything: its steps did not happen.
    private func judgeUntouched(_ verdicts: [Verdict]) {
        if let main = verdicts.first, tally.withLock({ $0.count == 0 }), mounts.isEmpty { return judge(main) }
        guard !mounts.isEmpty else { return }
        let owing = owingFiles.subtracting(tally.withLock { $0.files })
        for verdict in verdicts where owing.contains(verdict.scope) { judge(verdict) }
    }

    /// Routes that no scope has made use of, file by file.
    private func tellUnused(_ verdicts: [Verdict]) {
        for label in [""] + mounts.map(\.label) {
            let played = verdicts.filter { verdict in
                label.isEmpty ? verdict.scope.first != "/" : "\(verdict.scope):".hasPrefix("\(label):")
            }
            guard let first = played.first else { continue }
            for route in first.unusedRoutes where played.allSatisfy({ $0.unusedRoutes.contains(route) }) {
                note("unused: \(route)")
            }
        }
    }

    /// With several files each that has steps is waited for, in any of its scopes; else the first verdict is the last.
    private var areAllJudged: Bool {
        let owing = owingFiles
        return mounts.isEmpty || !owing.isEmpty && owing.isSubset(of: tally.withLock { $0.files })
    }

    /// Files that have steps, by their scopes.
    private var owingFiles: Set<String> {
        var owing = Set(mounts.filter { !$0.script.steps.isEmpty }.map(\.label))
        if !script.steps.isEmpty { owing.insert("") }
        return owing
    }

    private func wait(for command: ServedCommand?) {
        if let command { return StopSignal.waitForAny(of: [command.ended]) }
        StopSignal.waitForAny(of: options.isOnce ? [stop, judged] : [stop])
    }

    private func startControl(_ server: ScriptedServer) throws -> ControlServer? {
        guard let port = options.admin else { return nil }
        let limits = options.limits.control
        return try Blocking.run {
            try await ControlServer.start(server, bind: "127.0.0.1", port: port, limits: limits)
        }
    }

    private func startCommand(_ server: ScriptedServer, _ control: ControlServer?) throws -> ServedCommand? {
        guard !options.command.isEmpty else { return nil }
        var variables = ServedPlaces.variables(script.hosts, url: server.url(of:))
        variables.merge(ServedPlaces.variables(mounts, url: server.url, of: server.url(of:))) { $1 }
        if let url = options.proxy.flatMap(server.url(of:)) { variables.merge(ServedPlaces.proxyVariables(url)) { $1 } }
        if let control { variables[ServedPlaces.control] = control.url }
        return try ServedCommand(options.command, variables: variables)
    }

    /// For a process that does nothing else: it may open as many files as the system allows.
    package static func takeDescriptors() { DescriptorLimit.raise() }

    /// Gives up the round that is under way: its verdict is printed, and the next request begins the script anew.
    package func endRound() { server.withLock { $0 }?.endRound() }

    /// The number of a load that begins now; nil while nothing is served.
    package func loadTicket() -> Int? { server.withLock { $0 }?.loadTicket() }

    /// Plays this from the next request on; returns why it cannot.
    package func reload(_ script: Script, at scope: String? = nil, ticket: Int? = nil) -> String? {
        guard let server = server.withLock({ $0 }) else { return "nothing is served" }
        if let objection = server.objection(to: script, at: scope) { return objection + ": start the server again" }
        do {
            let result = try Blocking.run { try await server.order(.replace(script, ticket: ticket), in: scope) }
            if case .overtaken = result { return "a script that was loaded later is in place" }
        } catch {
            return "\(error)"
        }
        note(scope.map { "reloaded \($0)" } ?? "reloaded")
        return nil
    }

    /// What concerns the file, not its clients.
    package func report(_ text: String) { note(text) }

    private func start() throws -> ScriptedServer {
        let roundEnded: @Sendable (Verdict) -> Void = { [self] verdict in
            judge(verdict)
            if !options.isOnce, options.log != .json, verdict.scope.isEmpty { lines.append("listening again") }
            if areAllJudged { judged.raise() }
        }
        let full: @Sendable (Int) -> Void = { [self] limit in
            note("FULL: \(limit) connections are open, and more are closed unseen")
        }
        return try Blocking.run { [self] in
            try await ScriptedServer.start(
                script: script, bind: options.bind, port: options.port, seed: options.seed,
                rounds: options.isOnce ? .one : .many, hasScopes: true, mounts: mounts, limits: options.limits.server,
                improviser: options.improviser, onEvent: { [self] in tell($0) },
                onRound: roundEnded, onFull: full)
        }
    }

    private func announce(_ server: ScriptedServer, _ control: ControlServer?) {
        for (index, host) in script.hosts.enumerated() {
            let url = server.boundURL(of: host) ?? "?"
            let line = "\(index == 0 ? "listening" : "  \(host)") on \(url)"
            lines.append(options.log == .json ? ServeJSON.listening(host, url) : line)
        }
        for mount in mounts {
            let url = ServedPlaces.url(of: mount, server: server.url, bound: server.boundURL)
            let place =
                switch mount.place {
                case .prefix: url
                case .host(let name): "for Host: \(name)"
                case .port: "on \(url)"
                }
            lines.append(options.log == .json ? ServeJSON.listening(mount.label, url) : "  \(place)")
        }
        for text in options.notes { note("  \(text)") }
        if options.improviser != nil {
            let url = script.hosts.first.flatMap(server.boundURL) ?? ""
            note("  with the cookbook: \(url)/ lists it")
        }
        if let wanted = options.limits.server.connections, wanted > DescriptorLimit.room {
            note("  room for \(DescriptorLimit.room) connections only: the process may open so many files (ulimit -n)")
        }
        if mounts.isEmpty, script.steps.isEmpty, !script.routes.isEmpty || options.improviser == nil {
            note("  routes only: until it is stopped")
        }
        if let control {
            let line = "control on \(control.url)"
            lines.append(options.log == .json ? ServeJSON.listening("control", control.url) : line)
        }
    }

    /// What concerns no exchange and no verdict.
    private func note(_ text: String) { lines.append(options.log == .json ? ServeJSON.note(text) : text) }

    private func tell(_ event: ServerEvent) {
        switch options.log {
        case .none: return
        case .events: if let line = ServeText.event(event) { lines.append(line, isTrace: true) }
        case .exchanges: if let entry = exchanges.take(event) { lines.append(ServeText.exchange(entry), isTrace: true) }
        case .json:
            if let entry = exchanges.take(event) { lines.append(ServeJSON.exchange(entry, at: Date()), isTrace: true) }
        }
    }

    private func judge(_ verdict: Verdict) {
        tally.withLock { $0.add(verdict) }
        let told = options.log == .json ? [ServeJSON.verdict(verdict)] : ServeText.verdict(verdict)
        for line in told { lines.append(line) }
    }
}
