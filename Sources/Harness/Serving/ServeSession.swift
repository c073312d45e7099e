import ClientLane
import Foundation
import HTTPBasics
import Judge
import Locks
import ScenarioFormat
import ScriptedServer
import ServerScript

/// `understudy serve`: plays a script for any client, again and again, and prints its verdict each time it is consumed.
package final class ServeSession: Sendable {
    package struct Options: Sendable {
        package var bind = "127.0.0.1"
        package var port = 0
        /// Decides which faults with a probability happen; every round begins with it.
        package var seed: UInt64 = 0
        /// End with the first verdict.
        package var isOnce = false
        /// Print requests and answers as they come.
        package var isVerbose = true

        package init() {}
    }

    /// A client may still be reading the last answer, or be about to ask for too much.
    private static let afterglow = Duration.milliseconds(150)

    private let script: Script
    private let options: Options
    private let stop: StopSignal
    private let write: @Sendable (String) -> Void

    /// `write` is given whole lines, on any thread, one at a time.
    package init(
        _ script: Script, options: Options, stop: StopSignal, write: @escaping @Sendable (String) -> Void
    ) {
        self.script = script
        self.options = options
        self.stop = stop
        let gate = Lock(())
        self.write = { line in gate.withLock { _ in write(line) } }
    }

    /// Blocks until it is stopped, or with `--once` until the script is consumed. The last verdict decides.
    package func run() throws -> RunStatus {
        var port = options.port
        var isFirst = true
        while true {
            let round = Round()
            let server = try start(port: port, round)
            if isFirst { announce(server) } else { write("listening again on \(server.url)") }
            isFirst = false
            // The next round listens where this one did.
            port = server.addresses[script.hosts.first ?? ""]?.port ?? port
            let wasConsumed = wait(for: round)
            let verdict = try Blocking.run { try await server.stop() }
            report(verdict, wasConsumed: wasConsumed)
            if !wasConsumed || options.isOnce { return verdict.isFulfilled ? .passed : .failures }
        }
    }

    private func start(port: Int, _ round: Round) throws -> ScriptedServer {
        let script = script, bind = options.bind, seed = options.seed
        let tell: @Sendable (ServerEvent) -> Void = { [self] event in
            if event.kind == .exhausted { round.consumed.raise() }
            if options.isVerbose { ServeSession.line(event).map(write) }
        }
        return try Blocking.run {
            try await ScriptedServer.start(script: script, bind: bind, port: port, seed: seed, onEvent: tell)
        }
    }

    private func announce(_ server: ScriptedServer) {
        write("listening on \(server.url)")
        for host in script.hosts.dropFirst() { write("  \(host) on \(server.url(of: host) ?? "?")") }
        if script.steps.isEmpty { write("  routes only: until it is stopped") }
    }

    /// Returns whether the script was consumed; false when the session is to stop.
    private func wait(for round: Round) -> Bool {
        // A script of routes alone is consumed before it begins, and never over.
        let watched = script.steps.isEmpty ? [stop] : [stop, round.consumed]
        StopSignal.waitForAny(of: watched)
        guard !stop.isRaised else { return false }
        _ = stop.wait(atMost: ServeSession.afterglow)
        return true
    }

    private func report(_ verdict: Verdict, wasConsumed: Bool) {
        let count = verdict.requests.count.counting("request")
        if verdict.isFulfilled { return write("fulfilled: \(count), all as scripted") }
        write("NOT fulfilled, \(count):")
        for line in verdict.description.split(separator: "\n") { write("  \(line)") }
    }

    private static func line(_ event: ServerEvent) -> String? {
        let prefix = "#\(event.peer.value)"
        switch event.kind {
        case .request(let request): return "\(prefix) \(request.method) \(request.target)"
        case .answered(let status): return "\(prefix) -> \(status)"
        case .faulted(let fault): return "\(prefix) -> \(fault.effect) at \(fault.landmark)"
        case .drew(let fault, let happens, let seed):
            let chance = "\(fault.effect) at \(fault.landmark), \(fault.percent)% with seed \(seed)"
            return "\(prefix) \(happens ? "draws" : "is spared from") \(chance)"
        case .brokenOff(let part, let count):
            let place = "a request's \(part.rawValue), after \(count) bytes of it"
            return "\(prefix) the client went away in the middle of \(place)"
        case .violation(let violation):
            return (["\(prefix) VIOLATION \(violation.summary)"] + violation.differences.map { "     \($0)" })
                .joined(separator: "\n")
        case .accepted, .requestBody, .closed, .exhausted: return nil
        }
    }

    /// One playing of the script.
    private final class Round: Sendable {
        let consumed = StopSignal()
    }
}
