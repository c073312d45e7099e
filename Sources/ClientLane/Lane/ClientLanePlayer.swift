import Foundation
import HTTPBasics
import Judge
import Locks
import ScenarioFormat
import ServerScript

/// Plays a scenario's client lane through the public API: a state machine that events, signals and timers poke.
///
/// It never blocks and knows nothing of its world. All of it is confined to one place, the lane: the simulator's
/// thread, or over sockets the session's delegate queue, on which delegate calls, handlers, timers and the Swift tasks
/// of the async style all run.
final class ClientLanePlayer: @unchecked Sendable {
    // Safety: confined to the lane, as said above; `labels` and `door` are touched elsewhere, too, and have locks.

    /// What the driver gives it to play on.
    final class Stage {
        fileprivate(set) var session: URLSession
        /// Makes another one of the same kind.
        let makeSession: () throws -> URLSession
        let clock: any LaneClock
        /// Where the Swift tasks of the async style run.
        let executor: any TaskExecutor
        /// Lets a server step that awaits the name go on.
        let signal: (String) -> Void
        /// The lane is at its end, or stands still for good.
        let finished: () -> Void
        /// In the plain order the lane answers inside the call that it reacts to; under a schedule, somewhat later.
        let reactsAtOnce: Bool
        /// Whether the case holds the tasks' `progress`, which some of them then have to keep.
        let watchesProgress: Bool
        /// Whether requests, responses and their like are looked at by themselves. They are the same in each explored
        /// run of a case.
        let watchesValues: Bool
        /// A simulated run is over when nothing is left to happen; elsewhere the lane must say that it waits in vain.
        let endsByItself: Bool
        /// What is wrong with where the session calls, if something is.
        let misplaced: () -> String?

        init(
            session: URLSession, makeSession: @escaping () throws -> URLSession, clock: any LaneClock,
            executor: any TaskExecutor, reactsAtOnce: Bool = true, watchesProgress: Bool = false,
            watchesValues: Bool = true, endsByItself: Bool = false, misplaced: @escaping () -> String? = { nil },
            signal: @escaping (String) -> Void, finished: @escaping () -> Void
        ) {
            self.makeSession = makeSession
            self.watchesProgress = watchesProgress
            self.watchesValues = watchesValues && LaneSession.watches.contains(.values)
            self.misplaced = misplaced
            self.session = session
            self.clock = clock
            self.executor = executor
            self.reactsAtOnce = reactsAtOnce
            self.endsByItself = endsByItself
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
        var upload: LaneUpload?
        /// As the caller took it when it made the task, if it will act on it.
        var progress: Progress?
        /// Body bytes the caller knows of, or the file has.
        var received = 0

        init(_ label: String) { self.label = label }
    }

    let scenarioCase: ScenarioCase
    let style: Style
    let origins: OriginTable
    let hasQuestionDelegate: Bool
    let comparesFields: Bool
    /// Held, so that the class knows them.
    let protocolRules: LaneProtocol.Rules?
    let directory: TemporaryDirectory
    let labels = TaskLabels()
    var journal = EventJournal()
    /// The machine's, of all its sessions.
    let network: LaneNetwork
    /// Why the lane cannot go on, if it cannot.
    private(set) var failure: Finding?
    private var hasFailed = false
    private(set) var isFinished = false

    var stage: Stage?
    /// Whose resume data the lane is just asking for.
    private var asking: String?
    /// The tasks that were waited for while the session's lists were looked at.
    var kindsChecked: Set<String> = []
    /// The way onto the lane. It stays open: what is asked behind the end is answered all the same.
    private let door = Lock<(any LaneClock)?>(nil)
    /// By label.
    var tasks: [String: LaneTask] = [:]
    /// An async call gives no task to ask: what it sends is what was written.
    lazy var writtenMethods = Dictionary(
        scenarioCase.tasks.map { ($0.label, $0.method) }, uniquingKeysWith: { first, _ in first })
    /// The same, as they are watched.
    var watched: [String: Watched] = [:]
    /// Everybody who has to be gone at the end.
    var leakSuspects: [LeakSuspect] = []
    /// Tasks whose files become shorter while they are sent.
    private(set) lazy var shortened = Set(
        scenarioCase.client.compactMap { step in
            if case .shortenFile(let label, _) = step.action { label } else { nil }
        })
    var rules: [AnswerRule] = []
    var tickets: [String: Ticket] = [:]
    var signals: Set<String> = []
    var pauses: [ReaderPause] = []
    /// Where the files are that its tasks send, and those that `file:` URLs name.
    var folder: TemporaryDirectory?
    /// Where the file is that permanent credentials are kept in.
    private var credentialFolder: TemporaryDirectory?
    /// The first of them, by task.
    var sentFiles: [String: URL] = [:]
    /// Of all its sessions.
    var cookieStorage: HTTPCookieStorage?
    var cache: URLCache?
    /// Where it keeps answers, if it is to keep them on disk.
    private(set) var cacheFolder: TemporaryDirectory?
    /// Answers that a rule withholds; kept so that nothing is answered by being dropped.
    var withheld: [Any] = []
    /// Of all tasks that a session has made.
    var identifiers: Set<Int> = []
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
    init(_ scenarioCase: ScenarioCase, style: Style, origins: OriginTable, directory: TemporaryDirectory) {
        self.scenarioCase = scenarioCase
        self.style = style
        self.directory = directory
        network = LaneNetwork(scenarioCase.session.network ?? .online)
        folder = scenarioCase.files.isEmpty ? nil : try? TemporaryDirectory(beside: directory)
        let url = folder.map { URL(fileURLWithPath: $0.path, isDirectory: true).absoluteString }
        self.origins = url.map { OriginTable(origins.entries, folder: $0) } ?? origins
        cacheFolder =
            scenarioCase.session.cache?.diskCapacity == nil ? nil : try? TemporaryDirectory(beside: directory)
        credentialFolder = scenarioCase.session.hasCredentialFile ? try? TemporaryDirectory(beside: directory) : nil
        hasQuestionDelegate = style != .delegate && QuestionDelegateNeed.exists(in: scenarioCase)
        comparesFields = scenarioCase.expect.comparesFields
        let rules = scenarioCase.session.protocolRules
        protocolRules = rules.isEmpty ? nil : LaneProtocol.Rules(rules, self.origins)
    }

    /// What the session is to be made with.
    var configuration: URLSessionConfiguration {
        let configuration = LaneRequest.configuration(
            scenarioCase.session, origins: origins, credentials: credentialFolder.map { $0.path + "/credentials.json" })
        configureCookies(configuration)
        configureCache(configuration)
        return configuration
    }

    func begin(on stage: Stage) {
        self.stage = stage
        door.withLock { $0 = stage.clock }
        protocolRules?.clock.withLock { $0 = stage.clock }
        makeFiles(scenarioCase.files)
        giveCookies(stage.clock)
        poke()
    }

    /// The server reached a point that the lane may wait for.
    func signalled(_ name: String) {
        signals.insert(name)
        releasePauses { $0.until == name }
        poke()
    }

    /// The trigger does not come: the steps after it are not done, however the tasks end.
    func giveUp() { isFinished = true }

    /// Lets go of everything; the lane does nothing any more.
    func tearDown() {
        isFinished = true
        releasePauses { _ in true }
        withheld.removeAll()
        tasks.removeAll()
        watched.removeAll()
        folder = nil
        credentialFolder = nil
        cacheFolder = nil
        cache = nil
        stage = nil
    }

    /// For those who are elsewhere.
    func onLane(_ job: @escaping @Sendable () -> Void) { door.withLock { $0 }?.schedule(after: .zero, job) }

    /// All tasks that were started have completed.
    var isQuiet: Bool { tasks.values.allSatisfy { $0.isComplete || journal.task($0.label)?.resumedAt == nil } }

    /// Whether some task has left what a later one could continue.
    var hasKeptResumeData: Bool {
        tasks.values.contains { SeenEvent.resumeData(in: $0.error) != nil }
            || tickets.contains {
                if case .ready(.some) = $0.value { return true }
                return false
            }
    }

    /// For the report of a case that did not end: where the lane stands.
    var position: String {
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
            guard step.when.allSatisfy(hasCome) else {
                guard step.when.contains(where: hasPassed) else { return }
                fail("the task is complete, and what is waited for never came", at: step.mark)
                break
            }
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

    /// Whether waiting for it is over.
    private func hasPassed(_ trigger: ClientStep.Trigger) -> Bool {
        guard stage?.endsByItself == false, !hasCome(trigger) else { return false }
        switch trigger {
        case .received(let label, _), .event(let label, _): return tasks[label]?.isComplete == true
        case .signal: return false
        }
    }

    /// Returns whether the step is done; if not, it is tried again at the next poke.
    private func perform(_ step: ClientStep) -> Bool {
        switch step.action {
        case .task(let description): return start(description, at: step.mark)
        case .await(let label):
            return withTask(label, step) { task in
                if !task.isComplete { checkKinds(waitingFor: label) }
                return task.isComplete
            }
        case .suspend(let label):
            return withTask(label, step) { task in
                task.upload?.suspend()
                act("suspend()", on: label, shows: .suspended) { $0.suspend() }
                return true
            }
        case .resume(let label): return resume(label, step)
        case .cancel(let label): return cancel(label, step)
        case .cancelKeepingResumeData(let label, let ticket): return cancelKeeping(label, ticket, step)
        case .keepResumeData(let label, let ticket): return keepResumeData(of: label, as: ticket, step)
        case .invalidate(let cancelling):
            invalidate(cancelling: cancelling)
            return true
        case .renew(let isReset): return renew(reset: isReset)
        case .replaceSession: return replaceSession(step)
        case .advance(let span): return wait(span)
        case .setClock(let span):
            stage?.clock.setDate(ahead: span)
            return true
        case .network(let kind):
            network.change(to: kind)
            return true
        case .signal(let name):
            stage?.signal(name)
            signalled(name)
            return true
        case .shortenFile(let label, let length): return shortenFile(of: label, to: length, at: step.mark)
        case .rewriteFile(let label): return rewriteFile(of: label, at: step.mark)
        case .progress(let label, let call):
            return withTask(label, step) { task in
                let progress = task.upload?.progress ?? task.progress
                switch call {
                case .cancel: progress?.cancel()
                case .pause: progress?.pause()
                case .resume: progress?.resume()
                }
                return true
            }
        case .lengthenPartialFiles(let count): return lengthenPartialFiles(by: count, at: step.mark)
        case .answer(let rule):
            rules.append(rule)
            return true
        }
    }

    /// Every task that is not over reads so at once (BEHAVIOUR 1.H1-cancel).
    private func invalidate(cancelling: Bool) {
        guard cancelling else { stage?.session.finishTasksAndInvalidate(); return }
        let open = tasks.values.filter { !$0.isComplete }.map(\.label).sorted()
        stage?.session.invalidateAndCancel()
        for label in open { act("invalidateAndCancel()", on: label, shows: .canceling) { _ in } }
    }

    private func wait(_ span: Duration) -> Bool {
        takeTime { done in stage?.clock.schedule(after: span, done) }
    }

    private func renew(reset: Bool) -> Bool {
        takeTime { done in
            let handler: @Sendable () -> Void = { [weak self] in
                self?.called(reset ? "reset" : "flush")
                done()
            }
            if reset { stage?.session.reset(completionHandler: handler) }
            if !reset { stage?.session.flush(completionHandler: handler) }
        }
    }

    /// As a process that starts again: what is kept outlives the session that made it, and its cache.
    private func replaceSession(_ step: ClientStep) -> Bool {
        guard let stage, isQuiet else { return false }
        if cacheFolder != nil {
            guard takeTime({ stage.session.flush(completionHandler: $0) }) else { return false }
            cache = nil
        }
        do {
            let former = stage.session
            stage.session = try stage.makeSession()
            labels.forget()
            identifiers.removeAll()
            former.finishTasksAndInvalidate()
            return true
        } catch {
            fail("there is no other session: \(error)", at: step.mark)
            return false
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

    /// Whether a step acts on its progress; then nothing else asks for it.
    func actsOnProgress(of label: String) -> Bool {
        scenarioCase.client.contains { step in
            if case .progress(label, _) = step.action { true } else { false }
        }
    }

    private func withTask(_ label: String, _ step: ClientStep, _ body: (LaneTask) -> Bool) -> Bool {
        guard let task = tasks[label] else {
            fail("no task '\(label)' has begun yet", at: step.mark)
            return false
        }
        return body(task)
    }

    private func resume(_ label: String, _ step: ClientStep) -> Bool {
        withTask(label, step) { task in
            task.upload?.resume()
            if journal.task(label)?.resumedAt == nil { noteResumed(label) }
            act("resume()", on: label, shows: .running) { $0.resume() }
            return true
        }
    }

    func noteResumed(_ label: String) {
        let now = stage?.clock.now
        journal.update(label) { $0.resumedAt = now }
    }

    private func cancel(_ label: String, _ step: ClientStep) -> Bool {
        withTask(label, step) { task in
            act("cancel()", on: label, shows: .canceling) { $0.cancel() }
            checkIsNotListed(task.handle)
            task.asyncTask?.cancel()
            task.upload?.cancel()
            releasePauses { $0.label == label }
            return true
        }
    }

    /// Exploration's cancel, from no step of the lane. Returns whether there was something to cancel.
    func cancelFromOutside(_ label: String) -> Bool {
        guard let task = tasks[label], !task.isComplete, journal.task(label)?.resumedAt != nil else { return false }
        task.handle?.cancel()
        task.asyncTask?.cancel()
        task.upload?.cancel()
        releasePauses { $0.label == label }
        return true
    }

    private func cancelKeeping(_ label: String, _ ticket: String?, _ step: ClientStep) -> Bool {
        withTask(label, step) { task in
            asking = label
            defer { asking = nil }
            let keep: @Sendable (Data?) -> Void = { [weak self] data in
                guard let self else { return }
                self.called("resume data")
                self.check(.handlers, self.asking != label, "\(label): resume data came within its own call")
                self.handed(data, by: label)
                guard let ticket else { return }
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
