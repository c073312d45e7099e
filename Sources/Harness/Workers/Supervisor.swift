import Foundation
import Judge
import Locks

/// Spreads cases over worker processes and collects one result for each, whatever happens to the workers.
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
        var rest: CaseRequest?
        while !stop.isRaised, let request = rest ?? nextRequest() {
            rest = nil
            do {
                let current =
                    try worker
                    ?? WorkerProcess(
                        executable: options.executable, arguments: options.arguments,
                        environment: options.environment, stop: stop)
                rest = play(request, with: current)
                worker = current.isUsable ? current : nil
            } catch {
                let summary = "cannot start a worker, '\(options.executable)': \(OutputFolder.reason(error))"
                state.withLock { $0.broken = summary }
                take(request.result(.setupFailed, findings: [Finding(.setup, summary)]))
            }
        }
        worker?.dismiss()
    }

    private func nextRequest() -> CaseRequest? {
        state.withLock { $0.broken } == nil ? agenda.next() : nil
    }

    /// Returns what is left of an exploration whose worker died of it.
    private func play(_ request: CaseRequest, with worker: WorkerProcess) -> CaseRequest? {
        let start = ContinuousClock.now
        worker.isUsable = false
        guard let line = try? JSONEncoder().encode(request), worker.send(line) else {
            take(died(request, worker, since: start, "was gone before the case began"))
            worker.kill()
            return nil
        }
        var progress: CaseProgress?
        let result = answer(to: request, from: worker, since: start, &progress)
        if !worker.isUsable { worker.kill() }
        if let result { take(result) }
        guard let progress, !worker.isUsable, let result, result.verdict.isFailure else { return nil }
        return request.behind(progress)
    }

    /// Nil when the run was stopped meanwhile. Whoever makes progress has all its time again.
    private func answer(
        to request: CaseRequest, from worker: WorkerProcess, since start: ContinuousClock.Instant,
        _ progress: inout CaseProgress?
    ) -> CaseResult? {
        var request = request
        var answer = worker.receive(within: options.deadline)
        while case .line(let line) = answer, let next = CaseProgress(line) {
            progress = next
            request.exploration = next.exploration
            answer = worker.receive(within: options.deadline)
        }
        switch answer {
        case .stopped: return nil
        case .late:
            worker.kill()
            let limit = EventText.text(options.deadline)
            return failed(
                request, .wedged, since: start, worker,
                Finding(.wedged, "the worker gave no result within \(limit) and was killed"))
        case .ended(let how): return dying(request, worker, since: start, how)
        case .line(let line):
            if let answer = try? JSONDecoder().decode(CaseAnswer.self, from: Data(line)),
                answer.number == request.number
            {
                // What stands still in it may yet stir.
                worker.isUsable = answer.result.verdict != .wedged
                return answer.result
            }
            let text = String(decoding: line.prefix(200), as: UTF8.self)
            return failed(
                request, .setupFailed, since: start, worker,
                Finding(.setup, "the worker answered what is not a result", details: [text]))
        }
    }

    func died(
        _ request: CaseRequest, _ worker: WorkerProcess, since start: ContinuousClock.Instant, _ how: String
    ) -> CaseResult {
        failed(request, .fail, since: start, worker, Finding(.crashed, "the worker \(how)"))
    }

    private func failed(
        _ request: CaseRequest, _ verdict: CaseVerdict, since start: ContinuousClock.Instant, _ worker: WorkerProcess,
        _ finding: Finding
    ) -> CaseResult {
        let seconds = (ContinuousClock.now - start) / .seconds(1)
        var result = request.result(verdict, seconds: seconds, findings: [finding])
        result.standardError = worker.standardError
        return result
    }
}
