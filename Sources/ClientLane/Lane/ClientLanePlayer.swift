import Foundation
import HTTPBasics
import Judge
import ScenarioFormat
import ServerScript

/// Plays a scenario's client lane through the public API: a state machine that events, signals and timers poke.
///
/// It never blocks and knows nothing of its world. All of it is confined to one place, the lane: the simulator's
/// thread, or over sockets the session's delegate queue, on which delegate calls, handlers, timers and the Swift tasks
/// of the async style all run.
package final class ClientLanePlayer: @unchecked Sendable {
    // Safety: confined to the lane, as said above; `labels` alone is touched elsewhere and has its lock.

    /// What the driver gives it to play on.
    package final class Stage {
        package let session: URLSession
        package let clock: any LaneClock
        /// Where the Swift tasks of the async style run.
        package let executor: any TaskExecutor
        /// Lets a server step that awaits the name go on.
        package let signal: (String) -> Void
        /// The lane is at its end, or stands still for good.
        package let finished: () -> Void
        /// In the plain order the lane answers inside the call that it reacts to; under a schedule, somewhat later.
        package let reactsAtOnce: Bool

        package init(
            session: URLSession, clock: any LaneClock, executor: any TaskExecutor, reactsAtOnce: Bool = true,
            signal: @escaping (String) -> Void, finished: @escaping () -> Void
        ) {
            self.session = session
            self.clock = clock
            self.executor = executor
            self.reactsAtOnce = reactsAtOnce
            self.signal = signal
            self.finished = finished
        }
    }

    /// Resume data under a name: asked for, and then there or not.
    enum Ticket {
        case pending
        case ready(Data?)
    }

    final class LaneTask {
        let label: String
        var handle: URLSessionTask?
        var asyncTask: Task<Void, Never>?
        var isComplete = false
        var error: (any Error)?
        var cancelUpload: (@Sendable () -> Void)?
        /// Body bytes the caller knows of, or the file has.
        var received = 0

        init(_ label: String) { self.label = label }
    }

    let scenarioCase: ScenarioCase
    let style: Style
    package let origins: OriginTable
    let comparesFields: Bool
    let protocolRules: LaneProtocol.Rules?
    let directory: TemporaryDirectory
    let labels = TaskLabels()
    package internal(set) var journal = EventJournal()
    /// Why the lane cannot go on, if it cannot.
    package private(set) var failure: Finding?
    private var hasFailed = false
    package private(set) var isFinished = false

    var stage: Stage?
    /// By label.
    var tasks: [String: LaneTask] = [:]
    /// An async call gives no task to ask: what it sends is what was written.
    lazy var writtenMethods = Dictionary(
        scenarioCase.tasks.map { ($0.label, $0.method) }, uniquingKeysWith: { first, _ in first })
    var rules: [AnswerRule] = []
    var tickets: [String: Ticket] = [:]
    var signals: Set<String> = []
    var pauses: [ReaderPause] = []
    /// Where the files are that its tasks send, and those that `file:` URLs name.
    var folder: TemporaryDirectory?
    /// The first of them, by task.
    var sentFiles: [String: URL] = [:]
    /// Answers that a rule withholds; kept so that nothing is answered by being dropped.
    var withheld: [Any] = []
    private var next = 0
    private var isAdvancing = false
    private var mustAdvanceAgain = false
    private var timedStep: (index: Int, isDone: Bool)?
    private var isAdvanceQueued = false
    /// Made once, because every event may schedule it.
    private lazy var advanceLater: @Sendable () -> Void = { [weak self] in
        self?.isAdvanceQueued = false
        self?.advance()
    }

    /// - Parameter directory: The case's own; what its tasks send lies beside it.
    package init(_ scenarioCase: ScenarioCase, style: Style, origins: OriginTable, directory: TemporaryDirectory) {
        self.scenarioCase = scenarioCase
        self.style = style
        self.directory = directory
        folder = scenarioCase.files.isEmpty ? nil : try? TemporaryDirectory(beside: directory)
        let url = folder.map { URL(fileURLWithPath: $0.path, isDirectory: true).absoluteString }
        self.origins = url.map { OriginTable(origins.entries, folder: $0) } ?? origins
        comparesFields = scenarioCase.expect.comparesFields
        let rules = scenarioCase.session.protocolRules
        protocolRules = rules.isEmpty ? nil : LaneProtocol.Rules(rules, self.origins)
    }

    package var hasQuestionDelegate: Bool { style != .delegate && QuestionDelegateNeed.exists(in: scenarioCase) }

    /// What the session is to be made with.
    package var configuration: URLSessionConfiguration {
        LaneRequest.configuration(scenarioCase.session, origins: origins)
    }

    package func begin(on stage: Stage) {
        self.stage = stage
        makeFiles(scenarioCase.files)
        poke()
    }

    /// The server reached a point that the lane may wait for.
    package func signalled(_ name: String) {
        signals.insert(name)
        releasePauses { $0.until == name }
        poke()
    }

    /// Lets go of everything; the lane does nothing any more.
    package func tearDown() {
        isFinished = true
        releasePauses { _ in true }
        withheld.removeAll()
        tasks.removeAll()
        folder = nil
        stage = nil
    }

    /// All tasks that were started have completed.
    package var isQuiet: Bool { tasks.values.allSatisfy { $0.isComplete || journal.task($0.label)?.resumedAt == nil } }

    /// Whether some task has left what a later one could continue.
    package var hasKeptResumeData: Bool {
        tasks.values.contains { SeenEvent.resumeData(in: $0.error) != nil }
            || tickets.contains {
                if case .ready(.some) = $0.value { return true }
                return false
            }
    }

    /// For the report of a case that did not end: where the lane stands.
    package var position: String {
        guard scenarioCase.client.indices.contains(next) else { return "the client lane has ended" }
        let step = scenarioCase.client[next]
        let begun = journal.tasks.compactMap { tasks[$0.label] }
        let open = begun.filter { !$0.isComplete }.map { task in
            let last = journal.events(of: task.label).last.map { "'\(EventText.text($0))'" } ?? "nothing"
            return "\(task.label) is not complete, its last event is \(last)"
        }
        return (["step \(next + 1) (line \(step.mark.line)) is waiting"] + open).joined(separator: "; ")
    }

    // MARK: Going on

    /// Looks whether the next step can be done. Cheap, and harmless when nothing has changed.
    func poke() {
        guard let stage, !isFinished else { return }
        if stage.reactsAtOnce || isAdvancing { return advance() }
        guard !isAdvanceQueued else { return }
        isAdvanceQueued = true
        stage.clock.schedule(after: .zero, advanceLater)
    }

    private func advance() {
        mustAdvanceAgain = true
        guard !isAdvancing else { return }
        isAdvancing = true
        while mustAdvanceAgain {
            mustAdvanceAgain = false
            goOn()
        }
        isAdvancing = false
    }

    private func goOn() {
        while !isFinished, !hasFailed, scenarioCase.client.indices.contains(next) {
            let step = scenarioCase.client[next]
            guard step.when.allSatisfy(hasCome) else { return }
            // A step that failed is the end of the lane; one that is not done yet is tried again.
            guard perform(step) else {
                if !hasFailed { return }
                break
            }
            next += 1
        }
        guard !isFinished else { return }
        isFinished = true
        stage?.finished()
    }

    private func hasCome(_ trigger: ClientStep.Trigger) -> Bool {
        switch trigger {
        case .received(let label, let bytes): return (tasks[label]?.received ?? 0) >= bytes
        case .event(let label, let word): return journal.hasSeen(word, of: label)
        case .signal(let name): return signals.contains(name)
        }
    }

    /// Returns whether the step is done; if not, it is tried again at the next poke.
    private func perform(_ step: ClientStep) -> Bool {
        switch step.action {
        case .task(let description): return start(description, at: step.mark)
        case .await(let label): return withTask(label, step) { $0.isComplete }
        case .suspend(let label): return act(on: label, step) { $0.suspend() }
        case .resume(let label): return resume(label, step)
        case .cancel(let label): return cancel(label, step)
        case .cancelKeepingResumeData(let label, let ticket): return cancelKeeping(label, ticket, step)
        case .keepResumeData(let label, let ticket): return keepResumeData(of: label, as: ticket, step)
        case .invalidate(let cancelling):
            if cancelling { stage?.session.invalidateAndCancel() } else { stage?.session.finishTasksAndInvalidate() }
            return true
        case .renew(let isReset): return renew(reset: isReset)
        case .advance(let span): return wait(span)
        case .signal(let name):
            stage?.signal(name)
            signalled(name)
            return true
        case .shortenFile(let label, let length): return shortenFile(of: label, to: length, at: step.mark)
        case .answer(let rule):
            rules.append(rule)
            return true
        }
    }

    private func wait(_ span: Duration) -> Bool {
        takeTime { done in stage?.clock.schedule(after: span, done) }
    }

    private func renew(reset: Bool) -> Bool {
        takeTime { done in
            reset
                ? stage?.session.reset(completionHandler: done) : stage?.session.flush(completionHandler: done)
        }
    }

    /// The step is done when what it began says so.
    private func takeTime(_ begin: (@escaping @Sendable () -> Void) -> Void) -> Bool {
        if let timedStep, timedStep.index == next { return timedStep.isDone }
        let index = next
        timedStep = (index, false)
        begin { [weak self] in
            self?.timedStep = (index, true)
            self?.poke()
        }
        return false
    }

    // MARK: Tasks by label

    func fail(_ summary: String, at mark: SourceMark) {
        guard !hasFailed else { return }
        hasFailed = true
        failure = Finding(.lane, place: mark.description, summary)
    }

    private func withTask(_ label: String, _ step: ClientStep, _ body: (LaneTask) -> Bool) -> Bool {
        guard let task = tasks[label] else {
            fail("no task '\(label)' has begun yet", at: step.mark)
            return false
        }
        return body(task)
    }

    private func act(on label: String, _ step: ClientStep, _ body: (URLSessionTask) -> Void) -> Bool {
        withTask(label, step) { task in
            if let handle = task.handle { body(handle) }
            return true
        }
    }

    private func resume(_ label: String, _ step: ClientStep) -> Bool {
        if journal.task(label)?.resumedAt == nil { noteResumed(label) }
        return act(on: label, step) { $0.resume() }
    }

    func noteResumed(_ label: String) {
        let now = stage?.clock.now
        journal.update(label) { $0.resumedAt = now }
    }

    private func cancel(_ label: String, _ step: ClientStep) -> Bool {
        withTask(label, step) { task in
            task.handle?.cancel()
            task.asyncTask?.cancel()
            task.cancelUpload?()
            releasePauses { $0.label == label }
            return true
        }
    }

    /// Exploration's cancel, from no step of the lane. Returns whether there was something to cancel.
    package func cancelFromOutside(_ label: String) -> Bool {
        guard let task = tasks[label], !task.isComplete, journal.task(label)?.resumedAt != nil else { return false }
        task.handle?.cancel()
        task.asyncTask?.cancel()
        task.cancelUpload?()
        releasePauses { $0.label == label }
        return true
    }

    private func cancelKeeping(_ label: String, _ ticket: String?, _ step: ClientStep) -> Bool {
        withTask(label, step) { task in
            let keep: @Sendable (Data?) -> Void = { [weak self] data in
                guard let self, let ticket else { return }
                self.tickets[ticket] = .ready(data)
                self.poke()
            }
            if let ticket { tickets[ticket] = .pending }
            if let download = task.handle as? URLSessionDownloadTask {
                download.cancel(byProducingResumeData: keep)
            } else if let upload = task.handle as? URLSessionUploadTask {
                upload.cancel(byProducingResumeData: keep)
            } else {
                fail("\(label) is neither a download nor an upload task", at: step.mark)
                return false
            }
            return true
        }
    }

    private func keepResumeData(of label: String, as ticket: String, _ step: ClientStep) -> Bool {
        withTask(label, step) { task in
            guard task.isComplete else { return false }
            tickets[ticket] = .ready(SeenEvent.resumeData(in: task.error))
            return true
        }
    }
}
