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
        /// Answers what the script does not.
        package var improviser: (any Improviser)?

        package init() {}
    }

    private let script: Script
    private let options: Options
    private let stop: StopSignal
    private let lines: LineQueue
    private let judged = StopSignal()
    private let tally = Lock(RoundTally())
    /// While it runs.
    private let server = Lock<ScriptedServer?>(nil)

    /// `write` is given whole lines, one at a time, on a thread on which it may block.
    package init(
        _ script: Script, options: Options, stop: StopSignal, write: @escaping @Sendable (String) -> Void
    ) {
        self.script = script
        self.options = options
        self.stop = stop
        lines = LineQueue(write: write)
    }

    /// Blocks until it is stopped, or with `--once` until the first round is over. The worst verdict decides. `unread`
    /// is how many lines were not read in the end.
    package func run() throws -> (status: RunStatus, unread: Int) {
        let server = try start()
        self.server.withLock { $0 = server }
        announce(server)
        StopSignal.waitForAny(of: options.isOnce ? [stop, judged] : [stop])
        let (verdict, isOpen) = try Blocking.run { try await server.end() }
        if isOpen || tally.withLock({ $0.count == 0 }) { judge(verdict) }
        let rounds = tally.withLock { $0 }
        if rounds.count > 1 { lines.append(rounds.summary) }
        return (rounds.status, lines.finish())
    }

    /// Gives up the round that is under way: its verdict is printed, and the next request begins the script anew.
    package func endRound() { server.withLock { $0 }?.endRound() }

    private func start() throws -> ScriptedServer {
        let tell: @Sendable (ServerEvent) -> Void = { [self] event in
            if options.isVerbose { ServeSession.line(event).map { lines.append($0, isTrace: true) } }
        }
        let roundEnded: @Sendable (Verdict) -> Void = { [self] verdict in
            judge(verdict)
            if !options.isOnce { lines.append("listening again") }
            judged.raise()
        }
        let full: @Sendable (Int) -> Void = { [lines] limit in
            lines.append("FULL: \(limit) connections are open, and more are closed unseen")
        }
        return try Blocking.run { [script, options] in
            try await ScriptedServer.start(
                script: script, bind: options.bind, port: options.port, seed: options.seed,
                rounds: options.isOnce ? .one : .many, improviser: options.improviser, onEvent: tell,
                onRound: roundEnded, onFull: full)
        }
    }

    private func announce(_ server: ScriptedServer) {
        for (index, host) in script.hosts.enumerated() {
            lines.append("\(index == 0 ? "listening" : "  \(host)") on \(server.boundURL(of: host) ?? "?")")
        }
        if options.improviser != nil {
            let url = script.hosts.first.flatMap(server.boundURL) ?? ""
            lines.append("  with the cookbook: \(url)/ lists it")
        }
        if script.steps.isEmpty, !script.routes.isEmpty || options.improviser == nil {
            lines.append("  routes only: until it is stopped")
        }
    }

    private func judge(_ verdict: Verdict) {
        tally.withLock { $0.add(verdict) }
        let count = verdict.requestCount.counting("request")
        if verdict.isFulfilled { return lines.append("fulfilled: \(count), all as scripted") }
        switch verdict.abandonment {
        case .silence(let span):
            let reason = "nothing happened in its steps for \(EventText.text(span)) (round-timeout)"
            lines.append("ABANDONED after \(count), \(reason):")
        case .asked: lines.append("ABANDONED after \(count), SIGHUP:")
        case nil: lines.append("NOT fulfilled, \(count):")
        }
        for line in verdict.description.split(separator: "\n") { lines.append("  \(line)") }
    }

    private static func line(_ event: ServerEvent) -> String? {
        let prefix = "#\(event.peer.value)"
        switch event.kind {
        case .request(let request): return "\(prefix) \(request.method) \(Secrets.shown(request.target))"
        case .noted(let text): return "\(prefix) noted: \(text)"
        case .uploaded(let path, let body):
            let sum = String(body.checksum, radix: 16)
            return "\(prefix) has all of \(Secrets.shown(path)): \(body.count.counting("byte")), FNV-1a \(sum)"
        case .answered(let status): return "\(prefix) -> \(status)"
        case .faulted(let fault): return "\(prefix) -> \(fault.effect) at \(fault.landmark)"
        case .drew(let fault, let happens, let seed):
            let chance = "\(fault.effect) at \(fault.landmark), \(fault.percent)% with seed \(seed)"
            return "\(prefix) \(happens ? "draws" : "is spared from") \(chance)"
        case .brokenOff(let part, let count):
            let place = "a request's \(part.rawValue), after \(count) bytes of it"
            return "\(prefix) the client went away in the middle of \(place)"
        case .tunnelled(let host): return "\(prefix) goes on to \(host)"
        case .secureFailed(let failure): return "\(prefix) TLS failed: \(failure.detail)"
        case .violation(let violation):
            return (["\(prefix) VIOLATION \(violation.summary)"] + violation.differences.map { "     \($0)" })
                .joined(separator: "\n")
        case .accepted, .requestBody, .closed, .exhausted, .abandoned, .startedOver: return nil
        }
    }
}
