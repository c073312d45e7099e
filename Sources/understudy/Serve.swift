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
        discussion: """
            Steps under server: must all happen; when the last one has, the verdict is printed and the next request \
            begins the script anew. A round that its client gives up ends after round-timeout: (10 s unless the file \
            says otherwise) in which nothing happens in its steps, or on SIGHUP, and is a failure: ABANDONED. Requests \
            that nothing in the file expects get 404 with what came closest. A script whose answers await a signal of \
            the scenario's own client is refused: it would never come. With reading: lenient in the file, what many \
            clients do wrong in a request's head is noted in place of being refused.

            Each round's verdict counts: the exit status is the worst. Lines that are not read in time are dropped \
            and counted; no client waits for them.

            Examples:
              understudy serve scenarios/redirect/loop.yaml --port 8080
              understudy serve redirect/loop          the id works, too
              understudy serve mock.yaml --tls expired
              understudy serve --builtin --port 8080 httpbin's endpoints, and faults in the URL
              understudy serve mock.yaml --once && echo the client did it all

            Exit status: 0 every round was fulfilled, 1 one was not, 2 wrong use or an unreadable file, 3 it cannot \
            listen, 4 a round was abandoned, and no other failed. SIGINT and SIGTERM end it with the same statuses.
            """)

    @Argument(
        help: "The scenario file, or its id. May be left out with --builtin.", completion: .file(extensions: ["yaml"]))
    var file: String?

    @Flag(help: "Serve the cookbook as well: httpbin's endpoints, and faults in the URL. GET / lists them.")
    var builtin = false

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

    @Flag(help: "End with the first verdict.")
    var once = false

    @Flag(name: .shortAndLong, help: "Print addresses and verdicts only, not each request.")
    var quiet = false

    func validate() throws {
        if file == nil, !builtin { throw ValidationError("a file is missing, or --builtin") }
        if file == nil, caseName != nil { throw ValidationError("--case is one of a file") }
        if !(0...65_535).contains(port) { throw ValidationError("--port must be 0 to 65535") }
    }

    func run() throws {
        try Output.guarding {
            let stop = StopSignal()
            let interruption = InterruptSignals(stop)
            defer { withExtendedLifetime(interruption) {} }
            var options = ServeSession.Options()
            options.bind = bind
            options.port = port
            options.seed = seed
            options.isOnce = once
            options.isVerbose = !quiet
            if builtin { options.improviser = Cookbook() }
            var script = try file.map { try chosenCase(of: $0).script } ?? Serve.emptyScript
            if let tls {
                for host in script.hosts where script.proxies[host] == nil {
                    script.tls[host, default: HostTLS()].certificate = tls
                }
            }
            try checkTLS(script)
            if let wait = script.waitsForClient.first {
                let place = wait.mark.map { "\($0): " } ?? ""
                throw UsageError(
                    """
                    \(place)this answer awaits the signal '\(wait.signal)', which only the scenario's own client sends: \
                    it can be run, but not served
                    """)
            }
            let session = ServeSession(script, options: options, stop: stop) { [colors = Output.colors] line in
                Output.tell(colors.verdict(line) + "\n")
            }
            let hangUp = HangUp(stop: stop) { session.endRound() }
            defer { withExtendedLifetime(hangUp) {} }
            let (status, unread) = try session.run()
            if unread > 0 { Output.errorIfHeard("understudy: the last \(unread) lines were not read") }
            return status
        }
    }

    /// The file's own are good: it was read.
    private func checkTLS(_ script: Script) throws {
        for host in script.hosts {
            guard let tls, let objection = script.tls[host]?.objections.first?.objection else { continue }
            throw UsageError("--tls \(tls.rawValue) does not go with the TLS of \(host) in the file: \(objection.text)")
        }
    }

    /// Strangers' clients are not judged by it.
    private static var emptyScript: Script {
        var script = Script()
        script.reading = .lenient
        return script
    }

    private func chosenCase(of file: String) throws -> ScenarioCase {
        let scenario = try ScenarioFile.read(file)
        guard let caseName else {
            guard let first = scenario.cases.first else { throw UsageError("\(file) has no case") }
            return first
        }
        guard let chosen = scenario.cases.first(where: { $0.name == caseName }) else {
            let names = scenario.cases.compactMap(\.name).joined(separator: ", ")
            let remedy = names.isEmpty ? "it has no cases with names: leave out --case" : "it has: \(names)"
            throw UsageError("\(file) has no case '\(caseName)'; \(remedy)")
        }
        return chosen
    }
}

/// One file by its path, with its complaints printed.
enum ScenarioFile {
    static func read(_ path: String) throws -> Scenario {
        let path = resolved(path)
        let result = ScenarioReader.read(path: path, root: ScenarioLibrary.root(around: path))
        for diagnostic in result.diagnostics { Output.error(diagnostic.rendered()) }
        guard let scenario = result.scenario else { throw UsageError("\(path) cannot be used") }
        return scenario
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
