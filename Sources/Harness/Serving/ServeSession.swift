import ClientLane
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
        /// End with the first verdict.
        package var isOnce = false
        /// Print requests and answers as they come.
        package var isVerbose = true

        package init() {}
    }

    private let script: Script
    private let options: Options
    private let stop: StopSignal
    private let write: @Sendable (String) -> Void
    private let judged = StopSignal()
    /// Of a round that is over, until the next one begins.
    private let latest = Lock<Verdict?>(nil)

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
        let server = try start()
        announce(server)
        StopSignal.waitForAny(of: options.isOnce ? [stop, judged] : [stop])
        let verdict = try Blocking.run { try await server.stop() }
        if let verdict = latest.withLock({ $0 }) { return verdict.status }
        report(verdict)
        return verdict.status
    }

    private func start() throws -> ScriptedServer {
        let tell: @Sendable (ServerEvent) -> Void = { [self] event in
            if event.kind == .startedOver { latest.withLock { $0 = nil } }
            if options.isVerbose { ServeSession.line(event).map(write) }
        }
        let judge: @Sendable (Verdict) -> Void = { [self] verdict in
            latest.withLock { $0 = verdict }
            report(verdict)
            if !options.isOnce { write("listening again") }
            judged.raise()
        }
        return try Blocking.run { [script, options] in
            try await ScriptedServer.start(
                script: script, bind: options.bind, port: options.port, seed: options.seed,
                repeats: !options.isOnce, onEvent: tell, onRound: judge)
        }
    }

    private func announce(_ server: ScriptedServer) {
        for (index, host) in script.hosts.enumerated() {
            // Where it is bound: `$origin` leads to the loopback interface where that is every interface.
            let place = server.addresses[host].map { "http://\($0.ip.contains(":") ? "[\($0.ip)]" : $0.ip):\($0.port)" }
            write("\(index == 0 ? "listening" : "  \(host)") on \(place ?? "?")")
        }
        if script.steps.isEmpty { write("  routes only: until it is stopped") }
    }

    private func report(_ verdict: Verdict) {
        let count = verdict.requests.count.counting("request")
        if verdict.isFulfilled { return write("fulfilled: \(count), all as scripted") }
        write("NOT fulfilled, \(count):")
        for line in verdict.description.split(separator: "\n") { write("  \(line)") }
    }

    private static func line(_ event: ServerEvent) -> String? {
        let prefix = "#\(event.peer.value)"
        switch event.kind {
        case .request(let request): return "\(prefix) \(request.method) \(request.target)"
        case .uploaded(let path, let body):
            let sum = String(body.checksum, radix: 16)
            return "\(prefix) has all of \(path): \(body.count.counting("byte")), FNV-1a \(sum)"
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
        case .accepted, .requestBody, .closed, .exhausted, .startedOver: return nil
        }
    }
}

extension Verdict {
    fileprivate var status: RunStatus { isFulfilled ? .passed : .failures }
}
