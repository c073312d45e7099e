import ArgumentParser
import Cookbook
import Foundation
import Harness
import Judge
import ScenarioFormat
import ServerScript
import Serving

struct Serve: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Play the server side of a scenario file for any client.",
        usage: "understudy serve [<options>] [<file> ...] [-- <command> ...]",
        discussion: """
            Steps under server: must all happen; when the last one has, the verdict is printed and the next request \
            begins the script anew. A round that its client gives up ends after round-timeout: (10 s unless the file \
            says otherwise) in which nothing happens in its steps, or on SIGHUP, and is a failure: ABANDONED. Requests \
            that nothing in the file expects get 404 with what came closest. A script whose answers await a signal of \
            the scenario's own client is refused: it would never come. With reading: lenient in the file, and with \
            --builtin alone, what many clients do wrong in a request's head is noted in place of being refused.

            Each round's verdict counts: the exit status is the worst. Lines that are not read in time are dropped \
            and counted; no client waits for them.

            One file is at the root of the server. Several are each at a path that is the file's name, a folder's at \
            their paths in it; before a '=' may stand another path, a name for the Host field, or a port such as :8081 \
            that is the file's own. They share a server, so none of them has hosts or TLS of its own.

            Behind -- stands a command that is run meanwhile, with UNDERSTUDY_URL in its environment, and \
            UNDERSTUDY_URL_B_TEST for a host b.test. The server ends with it; the lines go to standard error. With \
            --admin it can load, reset, wait, verify and give signals: Documentation/CONTROL.md. With signals an \
            answer may await those of the scenario's client. Tests that share a server name a scope each.

            Examples:
              understudy serve scenarios/first/hello.yaml --port 8080
              understudy serve first/hello          the id works, too
              understudy serve mock.yaml --tls expired
              understudy serve --builtin --port 8080 httpbin's endpoints, and faults in the URL
              understudy serve --builtin --cases scenarios    each scenario's server, at /case
              understudy serve mock.yaml --once && echo the client did it all
              understudy serve mock.yaml -- pytest    the tests find it at UNDERSTUDY_URL
              understudy serve users.yaml orders.yaml             at /users and at /orders
              understudy serve /=base.yaml /v2=new.yaml pay.test=pay.yaml :8081=mail.yaml

            Exit status: 0 every round was fulfilled, 1 one was not, 2 wrong use or an unreadable file, 3 it cannot \
            listen, 4 a round was abandoned, and no other failed. SIGINT and SIGTERM end it with the same statuses. A \
            command gets the signals in its place, and its status comes first: the server's is told if that is 0.
            """)

    @Argument(
        help: ArgumentHelp(
            "Scenario files, their ids, or folders, each perhaps with its place before a '='.", valueName: "file"),
        completion: .file(extensions: ["yaml"]))
    var files: [String] = []

    @Flag(help: "Serve the cookbook as well: httpbin's endpoints, and faults in the URL. GET / lists them.")
    var builtin = false

    @Option(
        help: ArgumentHelp(
            """
            With --builtin: below /case, the server's half of each scenario in this folder, for any client; GET /case \
            lists them.
            """, valueName: "folder"), completion: .directory)
    var cases: String?

    @Option(
        name: .customLong("case"),
        help: ArgumentHelp("Which of its cases; the first without it.", valueName: "name"))
    var caseName: String?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            """
            The port of the first host, 0 to 65535; 0 lets the system choose one, as it does for each further host. \
            All are printed.
            """, valueName: "number"))
    var port: Int = 0

    @Option(help: ArgumentHelp("The IP address to listen on, or a name that has one.", valueName: "address"))
    var bind = "127.0.0.1"

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            """
            Decides which faults with a probability happen in the first round: a whole number below 2^64, 0 without \
            it. Each further round has the next number.
            """, valueName: "number"),
        transform: SeedText.number)
    var seed: UInt64 = 0

    @Option(
        help: ArgumentHelp(
            """
            Every host speaks TLS, with this certificate in place of what the file says; 'understudy certs' writes the \
            authority that clients have to trust.
            """, valueName: "preset"), completion: .list(CertificatePreset.allCases.map(\.rawValue)))
    var tls: CertificatePreset?

    @Flag(help: "End with the first verdict; of several files, when each that has steps has had one.")
    var once = false

    @Flag(name: .shortAndLong, help: "Print addresses and verdicts only, not each request.")
    var quiet = false

    @Option(
        help: ArgumentHelp(
            "How each exchange is told: text, or json for lines of JSON. Without it text, or nothing with a command.",
            valueName: "format"))
    var log: LogFormat?

    @Option(
        help: ArgumentHelp(
            """
            Write the first host's port into this file once it listens, in place of what was in it; at the end it is \
            removed.
            """,
            valueName: "file"),
        completion: .file())
    var portFile: String?

    @Option(help: ArgumentHelp("A control interface on this port of the loopback interface.", valueName: "port"))
    var admin: Int?

    @Flag(help: "Play the file anew when it changes; one with mistakes is told, and the old one is kept.")
    var watch = false

    @Option(
        help: ArgumentHelp(
            """
            A number alone is how many connections there may be at one time. By name, one in each --limit: \
            connections=12000, idle=5m, scopes=1000, journal=1000 (requests), journal-size=1MiB, waits=1000, \
            control-connections=100, control-body=8MiB. Documentation/SERVING.md has them in a table.
            """, valueName: "name=value"))
    var limit: [String] = []

    @Flag(help: "As with reading: lenient in the file.")
    var lenient = false

    @Flag(help: "Set http_proxy and its like for the command, to the first host that is an HTTP proxy.")
    var proxyEnv = false

    /// What stands behind `--`.
    @Option(
        name: .customLong(commandWord), parsing: .unconditionalSingleValue,
        help: ArgumentHelp("A word of the command.", visibility: .hidden))
    var command: [String] = []

    private static let commandWord = "command-word"

    /// Files are a list, and the parser knows no second one: each word behind `--` becomes an option of its own.
    static func rewritten(_ arguments: [String]) -> [String] {
        guard arguments.first == "serve", let end = arguments.firstIndex(of: "--") else { return arguments }
        let words = arguments[(end + 1)...]
        // Nothing is told to `validate` as a word that no command can have.
        return arguments[..<end] + (words.isEmpty ? [""] : words).flatMap { ["--\(commandWord)", $0] }
    }

    enum LogFormat: String, CaseIterable, ExpressibleByArgument { case text, json }

    func validate() throws {
        if command.first?.isEmpty == true { throw ValidationError("a command is missing behind --") }
        if files.isEmpty, !builtin { throw ValidationError("a file is missing, or --builtin") }
        if cases != nil, !builtin { throw ValidationError("--cases goes with --builtin") }
        // Steps may come by a case, by the control interface, and a command ends by itself.
        if once, files.isEmpty, cases == nil, admin == nil, command.isEmpty {
            throw ValidationError("--once is for a file: the cookbook has no steps that end")
        }
        if files.isEmpty, caseName != nil { throw ValidationError("--case is one of a file") }
        if !(0...65_535).contains(port) { throw ValidationError("--port must be 0 to 65535") }
        if let admin, !(0...65_535).contains(admin) { throw ValidationError("--admin must be 0 to 65535") }
        if quiet, log != nil { throw ValidationError("--quiet and --log are one or the other") }
        if watch, files.isEmpty { throw ValidationError("--watch is for a file") }
        if proxyEnv, command.isEmpty { throw ValidationError("--proxy-env is for a command behind --") }
    }

    func run() throws {
        try Output.guarding {
            // A command would inherit it.
            if command.isEmpty { ServeSession.takeDescriptors() }
            // A bare word behind a file is rather a command than a file.
            if let word = files.dropFirst().first(where: { !$0.contains { "/.=:".contains($0) } }),
                !FileManager.default.fileExists(atPath: ScenarioFile.resolved(word))
            {
                throw UsageError("\(word): there is no such file; in front of a command stands --")
            }
            if bind.isEmpty { throw UsageError("--bind: an address, or localhost") }
            let served = try ServedFiles(files, resolve: { ScenarioFile.resolved($0) })
            if caseName != nil, !served.mounts.isEmpty { throw UsageError("--case is for one file") }
            var notes: [String] = []
            let mounts = try served.mounts.compactMap { try mount($0, &notes) }
            let root = try served.root.map { try chosenScript(of: $0.path, isAlone: mounts.isEmpty, &notes) }
            let script = try prepared(root ?? Serve.emptyScript(beside: mounts))
            var options = try options(for: script)
            options.notes = notes
            return try serve(script, mounts, served, options)
        }
    }

    /// The script as the options want it.
    private func prepared(_ script: Script, at file: ServedFiles.File? = nil) throws -> Script {
        var script = script
        if let place = file?.place, let file,
            let objection = ScriptMount.objection(to: script, at: ScriptMount(place, script).label)
        {
            throw UsageError("\(file.path) can only be served alone, or at a port of its own: \(objection)")
        }
        if let tls, file == nil {
            for host in script.hosts where script.proxies[host] == nil {
                script.tls[host, default: HostTLS()].certificate = tls
            }
        }
        if lenient { script.reading = .lenient }
        try checkTLS(script)
        // Who has the control interface can give the signals.
        if admin == nil { try checkWaits(script) }
        return script
    }

    private func mount(_ file: ServedFiles.File, _ notes: inout [String]) throws -> ScriptMount? {
        guard let place = file.place else { return nil }
        return ScriptMount(place, try prepared(try chosenScript(of: file.path, isAlone: false, &notes), at: file))
    }

    private func options(for script: Script) throws -> ServeSession.Options {
        var options = ServeSession.Options()
        options.bind = bind
        options.port = port
        options.seed = seed
        options.isOnce = once
        options.portFile = portFile
        options.command = command
        options.limits = try ServedLimits(limit)
        options.admin = admin
        if builtin { options.improviser = try cookbook(for: script) }
        switch log {
        case .json: options.log = .json
        case .text: options.log = Output.isTerminal(lineStream) ? .exchanges : .events
        case nil where quiet || !command.isEmpty: options.log = .none
        case nil: options.log = Output.isTerminal(lineStream) ? .exchanges : .events
        }
        if proxyEnv {
            options.proxy = script.hosts.first { if case .http = script.proxies[$0] { true } else { false } }
            if options.proxy == nil { throw UsageError("--proxy-env: no host of the script is an HTTP proxy") }
        }
        return options
    }

    private func cookbook(for script: Script) throws -> Cookbook {
        guard let cases, let host = script.hosts.first else { return Cookbook() }
        guard ScenarioLibrary(root: cases) != nil else { throw UsageError("--cases: there is no folder '\(cases)'") }
        let loaded = try ScenarioLoading.load(root: cases, patterns: [])
        for diagnostic in loaded.diagnostics where diagnostic.severity == .error { Output.error(diagnostic.rendered()) }
        guard !loaded.scenarios.isEmpty else {
            throw UsageError("--cases: there is no scenario that can be read below '\(cases)'")
        }
        let list = CaseCatalogue.cases(of: loaded.scenarios, host: host, tls: script.tls[host], isLenient: lenient)
        return Cookbook(cases: CookbookCases(list))
    }

    /// The command has standard output for itself.
    private var lineStream: Int32 { command.isEmpty ? STDOUT_FILENO : STDERR_FILENO }

    private func serve(
        _ script: Script, _ mounts: [ScriptMount], _ served: ServedFiles, _ options: ServeSession.Options
    ) throws -> RunStatus {
        let stop = StopSignal()
        // A command gets the signals.
        let interruption = command.isEmpty ? InterruptSignals(stop) : nil
        defer { withExtendedLifetime(interruption) {} }
        let colors = options.log == .json ? nil : Output.colors(of: lineStream)
        let session = ServeSession(script, mounts: mounts, options: options, stop: stop) { [lineStream] line in
            let text = (colors?.verdict(line) ?? line) + "\n"
            if !Output.tell(text, to: lineStream) { throw UsageError("nobody reads this") }
        }
        let hangUp = command.isEmpty ? HangUp(stop: stop) { session.endRound() } : nil
        defer { withExtendedLifetime(hangUp) {} }
        let watch = try startWatch(session, served)
        defer { watch?.raise() }
        warnOfStrangers()
        let (status, unread) = try session.run()
        if unread > 0 { Output.errorIfHeard("understudy: the last \(unread) lines were not read") }
        if let status = RunStatus(rawValue: status) { return status }
        throw ExitCode(status)
    }

    private func warnOfStrangers() {
        guard bind != "localhost", bind != "::1", !bind.hasPrefix("127.") else { return }
        Output.error("warning: with --bind \(bind) everyone who reaches this machine can use the server")
    }

    /// On a thread of its own, until what it returns is raised.
    private func startWatch(_ session: ServeSession, _ served: ServedFiles) throws -> StopSignal? {
        guard watch else { return nil }
        let end = StopSignal()
        let paths = served.files.map(\.path)
        // Safety: from here on the thread's alone.
        nonisolated(unsafe) let scenarios = try ScenarioWatch(folders: [], files: paths, stop: end)
        let thread = Thread { [self] in
            var isFirst = true
            do {
                try scenarios.run(
                    list: { paths },
                    visit: { changed in
                        defer { isFirst = false }
                        return served.files.reduce(into: [:]) { bodies, file in
                            guard changed.contains(file.path) else { return }
                            bodies[file.path] = reload(session, file, isFirst: isFirst)
                        }
                    }, wait: {})
            } catch {
                session.report("watching has ended: \(error)")
            }
        }
        thread.start()
        return end
    }

    /// Returns the body files that it names.
    private func reload(_ session: ServeSession, _ file: ServedFiles.File, isFirst: Bool) -> Set<String> {
        let ticket = session.loadTicket()
        let result = ScenarioFile.result(file.path, cases: .one(caseName))
        if isFirst { return result.bodyFiles }
        for diagnostic in result.diagnostics { session.report(diagnostic.rendered()) }
        do {
            guard let scenario = result.scenario else { throw UsageError("the file has mistakes") }
            let script = try prepared(
                chosen(of: scenario, result, file.path).script, at: file.place == nil ? nil : file)
            let label = file.place.map { ScriptMount($0, script).label }
            if let objection = session.reload(script, at: label, ticket: ticket) { throw UsageError(objection) }
        } catch {
            session.report("NOT reloaded, the old one is kept: \(error)")
        }
        return result.bodyFiles
    }

    private func checkWaits(_ script: Script) throws {
        guard let wait = script.waitsForClient.first else { return }
        let place = wait.mark.map { "\($0): " } ?? ""
        throw UsageError(
            """
            \(place)this answer awaits the signal '\(wait.signal)', which comes from the scenario's own client, or \
            with --admin from the control interface
            """)
    }

    /// The file's own are good: it was read.
    private func checkTLS(_ script: Script) throws {
        for host in script.hosts {
            guard let tls, let objection = script.tls[host]?.objections.first?.objection else { continue }
            throw UsageError("--tls \(tls.rawValue) does not go with the TLS of \(host) in the file: \(objection.text)")
        }
    }

    /// Strangers' clients are not judged by it, but by the scripts that are served.
    private static func emptyScript(beside mounts: [ScriptMount]) -> Script {
        var script = Script()
        script.reading = ScriptMount.reading(of: mounts)
        return script
    }

    /// Of a file with several cases a note says which it is.
    private func chosenScript(of path: String, isAlone: Bool, _ notes: inout [String]) throws -> Script {
        let (scenario, result) = try ScenarioFile.read(path, cases: .one(caseName))
        let chosen = try chosen(of: scenario, result, path)
        if result.caseNames.count > 1, let name = chosen.name {
            let remedy = caseName == nil && isAlone ? ": --case NAME serves another" : ""
            notes.append("case '\(name)', one of \(result.caseNames.count) in \(path)\(remedy)")
        }
        if chosen.link != nil {
            notes.append("'link' in \(path) is for 'run' alone: here 'send-rate' and 'delay' do it")
        }
        return chosen.script
    }

    private func chosen(of scenario: Scenario, _ result: ReadResult, _ path: String) throws -> ScenarioCase {
        guard let chosen = scenario.cases.first else {
            guard let caseName else { throw UsageError("\(path) has no case") }
            let names = result.caseNames.joined(separator: ", ")
            let remedy = names.isEmpty ? "it has no cases with names: leave out --case" : "it has: \(names)"
            throw UsageError("\(path) has no case '\(caseName)'; \(remedy)")
        }
        return chosen
    }
}

/// One file by its path, with its complaints printed.
enum ScenarioFile {
    static func read(_ path: String) throws -> Scenario { try read(path, cases: .all).scenario }

    static func read(_ path: String, cases: CaseChoice) throws -> (scenario: Scenario, result: ReadResult) {
        guard !path.isEmpty else { throw UsageError("the name of a file is empty") }
        let path = resolved(path)
        let result = result(path, cases: cases)
        for diagnostic in result.diagnostics { Output.error(diagnostic.rendered()) }
        guard let scenario = result.scenario else { throw UsageError("\(Diagnostic.printable(path)) cannot be used") }
        return (scenario, result)
    }

    static func result(_ path: String, cases: CaseChoice = .all) -> ReadResult {
        ScenarioReader.read(path: path, root: ScenarioLibrary.root(around: path), cases: cases)
    }

    /// An id is as good as the path of its file.
    static func resolved(_ path: String, root: String = "scenarios") -> String {
        let file = "\(root)/\(path).yaml"
        let isIdentifier = !FileManager.default.fileExists(atPath: path) && FileManager.default.fileExists(atPath: file)
        return isIdentifier ? file : path
    }

    /// Where a file lies that is named by its path: below `root`, where ids are looked for, or elsewhere.
    static func root(of path: String, near root: String) -> String {
        var isFolder: ObjCBool = false
        guard path.hasSuffix(".yaml"), FileManager.default.fileExists(atPath: path, isDirectory: &isFolder),
            !isFolder.boolValue, ScenarioLibrary.relativePath(of: path, below: root) == nil
        else { return root }
        let file = URL(fileURLWithPath: path).standardizedFileURL
        let around = ScenarioLibrary.root(around: file.path)
        return around == file.path ? file.deletingLastPathComponent().path : around
    }
}

extension CertificatePreset: ExpressibleByArgument {}
