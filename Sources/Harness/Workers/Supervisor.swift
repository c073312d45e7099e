import Foundation
import Judge
import Locks
import Serving

/// Spreads cases over worker processes and collects one result for each, even if workers die.
package final class Supervisor: Sendable {
    package struct Options: Sendable {
        package var executable: String
        package var arguments: [String]
        package var jobs: Int
        /// Set for the workers, on top of our own.
        package var environment: [String: String] = [:]
        /// Wall time for one case; exploration needs more.
        package var deadline: Duration

        package init(executable: String, arguments: [String], jobs: Int, deadline: Duration = .seconds(60)) {
            self.executable = executable
            self.arguments = arguments
            self.jobs = jobs
            self.deadline = deadline
        }
    }

    /// What is left of an exploration when a worker has died of it, and what it has come to until then.
    private struct Rest {
        var request: CaseRequest
        var result: CaseResult
    }

    private struct State: Sendable {
        var broken: String?
    }

    let options: Options
    private let agenda: Agenda
    let stop: StopSignal
    private let state = Lock(State())
    private let take: @Sendable (CaseResult) -> Void

    /// `take` is called for one result at a time, on any thread.
    package init(
        _ agenda: Agenda, options: Options, stop: StopSignal, take: @escaping @Sendable (CaseResult) -> Void
    ) {
        self.agenda = agenda
        self.options = options
        self.stop = stop
        let gate = Lock(())
        self.take = { result in gate.withLock { _ in take(result) } }
    }

    /// Blocks until all cases have a result or the run is stopped. Returns why no worker could be had, if so.
    package func run() -> String? {
        // A worker that dies while it is written to must not take us along.
        signal(SIGPIPE, SIG_IGN)
        let group = DispatchGroup()
        for _ in 0..<max(1, min(options.jobs, agenda.count)) {
            group.enter()
            let thread = Thread {
                self.work()
                group.leave()
            }
            thread.start()
        }
        group.wait()
        return state.withLock { $0.broken }
    }

    // MARK: One slot

    private func work() {
        var worker: WorkerProcess?
        var rest: Rest?
        while !stop.isRaised, let request = rest?.request ?? nextRequest() {
            let before = rest?.result
            rest = nil
            do {
                let current =
                    try worker
                    ?? WorkerProcess(
                        executable: options.executable, arguments: options.arguments,
                        environment: options.environment, stop: stop)
                rest = play(request, behind: before, with: current)
                worker = current.isUsable ? current : nil
            } catch {
                let summary = "cannot start a worker, '\(options.executable)': \(OutputFolder.reason(error))"
                state.withLock { $0.broken = summary }
                let result = request.result(.setupFailed, findings: [Finding(.setup, summary)])
                take(before?.followed(by: result) ?? result)
            }
        }
        if let rest { take(rest.result) }
        worker?.dismiss()
    }

    private func nextRequest() -> CaseRequest? {
        state.withLock { $0.broken } == nil ? agenda.next() : nil
    }

    /// Returns what is left of an exploration whose worker died of it; `before` is what it came to until then.
    private func play(_ request: CaseRequest, behind before: CaseResult?, with worker: WorkerProcess) -> Rest? {
        let start = ContinuousClock.now
        worker.isUsable = false
        var heard = HeardProgress(behind: before)
        guard let line = try? JSONEncoder().encode(request), worker.send(line) else {
            let death = WorkerDeath.ended("was gone before the case began")
            take(heard.ending(with: failed(request, death.verdict, since: start, worker, death.finding)))
            worker.kill()
            return nil
        }
        let answer = listen(to: worker, &heard)
        if case .line(let line) = answer {
            let result = result(of: line, request, worker, since: start)
            if !worker.isUsable { worker.kill() }
            take(before?.followed(by: result) ?? result)
            return nil
        }
        worker.kill()
        guard let death = WorkerDeath(answer, within: options.deadline) else {
            // Stopped: what was found until then was found.
            if let found = heard.result { take(found) }
            return nil
        }
        var last = request
        last.exploration = heard.exploration ?? request.exploration
        var result = dying(last, worker, since: start, death)
        result.explored = heard.position.map { $0 + 1 - (request.played ?? 0) }
        result = heard.ending(with: result)
        if let rest = request.behind(heard) { return Rest(request: rest, result: result) }
        take(result)
        return nil
    }

    /// Returns the first line that is no progress. A worker that makes progress has all its time again.
    private func listen(to worker: WorkerProcess, _ heard: inout HeardProgress) -> WorkerProcess.Answer {
        while true {
            let answer = worker.receive(within: options.deadline)
            guard case .line(let line) = answer, let progress = CaseProgress(line) else { return answer }
            heard.take(progress)
        }
    }

    private func result(
        of line: [UInt8], _ request: CaseRequest, _ worker: WorkerProcess, since start: ContinuousClock.Instant
    ) -> CaseResult {
        if let answer = try? JSONDecoder().decode(CaseAnswer.self, from: Data(line)), answer.number == request.number {
            // What stands still in it may yet stir.
            worker.isUsable = answer.result.verdict != .wedged
            return answer.result
        }
        let text = String(decoding: line.prefix(200), as: UTF8.self)
        return failed(
            request, .setupFailed, since: start, worker,
            Finding(.setup, "the worker answered what is not a result", details: [text]))
    }

    func failed(
        _ request: CaseRequest, _ verdict: CaseVerdict, since start: ContinuousClock.Instant, _ worker: WorkerProcess,
        _ finding: Finding
    ) -> CaseResult {
        let seconds = (ContinuousClock.now - start) / .seconds(1)
        var result = request.result(verdict, seconds: seconds, findings: [finding])
        result.standardError = worker.standardError
        return result
    }
}
