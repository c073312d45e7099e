import ClientMachines
import Foundation
import HTTPBasics
import MachineContract
import SessionNetworking
import ServerScript
import Simulator

/// One input, played: a session, its caller and the server that sends what it likes, in virtual time on this thread.
final class SessionRun: @unchecked Sendable {
    // Safety: built, run and read on one thread, the simulation's.

    /// A run of this many steps goes round in circles: the longest body in the smallest pieces takes a tenth of it.
    private static let stepLimit = 500_000

    let script: SessionScript
    let folder: RunFolder
    let simulation: Simulation
    let peer: RawPeer
    let ledger = CallLedger()
    var tasks: [BegunTask] = []
    var session: URLSession?
    private var answers: [QuestionWord: [AnswerWord]] = [:]
    /// Replies that are put off.
    private var waiting: [() -> Void] = []
    /// By what its caller was called.
    private(set) var called: Set<CallName> = []
    private var reactions: [CallName: [(call: CallerCall, task: Int)]] = [:]
    private(set) var isInvalidated = false
    private(set) var partWasChanged = false
    /// Resume data that the input brought.
    private(set) var savedData: Data?

    init(_ script: SessionScript) throws {
        self.script = script
        folder = try RunFolder()
        peer = RawPeer(script.moves)
        var options = SimulationOptions(seed: script.setup.seed, directory: folder.path)
        options.journalLimit = SessionFuzz.isVerbose ? 10_000 : 0
        options.stepLimit = Self.stepLimit
        simulation = Simulation(server: peer, script: Script(hosts: ["a.test", "b.test"]), options)
    }

    func play() throws {
        simulation.onSignal = { [unowned self] number in
            if let position = Int(number), script.moves.indices.contains(position) { perform(script.moves[position]) }
            simulation.signal("")
        }
        session = makeSession()
        weak let session = session
        try settle("after the last move")
        try demand(peer.isThrough, "the moves were not all made")
        for reply in takeWaiting() { reply() }
        try settle("after the last answer")
        // One that is suspended has no task that could end it.
        for task in tasks { task.slices?.resume() }
        invalidate(cancelling: true)
        try settle("after invalidation")
        try judge()
        tasks = []
        self.session = nil
        try settle("after release")
        try demand(session == nil, "the session is never released")
    }

    private func settle(_ moment: String) throws {
        let end = simulation.run()
        if SessionFuzz.isVerbose { print("== \(moment), \(simulation.steps) steps\n\(simulation.journal.text)") }
        try demand(end == .idle, "\(moment), the run ended \(end.rawValue)")
    }

    private func judge() throws {
        if let violation = simulation.violations.first { throw Violation(description: violation.description) }
        try ledger.judge(tasks, isWatched: script.setup.delegate != .bare)
        let kept = tasks.compactMap { $0.resumeData.flatMap(ResumeDataCoding.decode)?.path }
        let leftovers = folder.leftovers(besides: Set(kept))
        try demand(leftovers.isEmpty, "files are left: \(leftovers)")
        try demand(folder.isBystanderUntouched, "a file that nobody gave away was written to")
    }

    private func makeSession() -> URLSession {
        let setup = script.setup
        let configuration = URLSessionConfiguration()
        // Not the one of this process, which has a file.
        configuration.httpCookieStorage = HTTPCookieStorage()
        configuration.urlCache = URLCache()
        configuration.httpMaximumConnectionsPerHost = setup.connections
        configuration.resumableUploadVersion = setup.draft.flatMap { .init(rawValue: $0) }
        if let seconds = setup.requestTimeout { configuration.timeoutIntervalForRequest = seconds }
        if let seconds = setup.resourceTimeout { configuration.timeoutIntervalForResource = seconds }
        return URLSession(
            configuration: configuration, delegate: makeDelegate(setup.delegate), delegateQueue: nil, world: world)
    }

    func makeDelegate(_ kind: SessionDelegateKind) -> (any URLSessionTaskDelegate)? {
        switch kind {
        case .full: FullDelegate(self)
        case .metrics: MeasuringDelegate(self)
        case .awaiting: AwaitingDelegate(self)
        case .bare: nil
        }
    }

    /// With limits that small inputs reach. Sessions do not hold the simulation: it ends when it is released.
    private var world: SessionWorld {
        let delay = Duration.milliseconds(script.setup.delay)
        let clock = WorldClock(
            instant: { [unowned simulation] in simulation.now },
            date: { [unowned simulation] in Date(timeIntervalSince1970: Double(simulation.date.seconds)) },
            entropy: { [unowned simulation] in simulation.entropy })
        let knowsMetrics = script.setup.delegate == .metrics
        return SessionWorld(
            makeEngine: { [unowned simulation] settings, sink in
                var settings = settings
                settings.limits = Self.limits
                return simulation.makeEngine(settings: settings, sink: sink)
            },
            makeExecutor: { [unowned simulation] _ in
                delay > .zero ? LateExecutor(simulation, delay) : simulation.executor
            },
            makeBodyExecutor: { [unowned simulation] in simulation.bodyExecutor }, clock: clock,
            later: { [unowned simulation] in simulation.schedule(after: $0, $1) }, downloadDirectory: folder.path,
            deliveryWindow: script.setup.window, taskExecutor: simulation.taskExecutor,
            knownTypes: KnownTypes(lacking: knowsMetrics ? [] : DelegateMethods(.metrics)))
    }

    private static let limits = {
        var limits = WireLimits()
        limits.headBytes = 2048
        limits.fieldCount = 16
        limits.informationalResponses = 4
        limits.chunkLineBytes = 64
        limits.trailerBytes = 256
        limits.drainBytes = 512
        return limits
    }()
}

// MARK: - What happens to the caller

extension SessionRun {
    private func perform(_ move: SessionMove) {
        switch move {
        case .server: return
        case .begin(let beginning): begin(beginning)
        case .call(let call, let task): perform(call, task)
        case .answer(let question, let word): answers[question, default: []].append(word)
        case .inside(let name, let call, let task): reactions[name, default: []].append((call, task))
        case .file(let file, let change):
            if file == .part { partWasChanged = true }
            folder.change(file, change)
        case .saved(.token, let text): savedData = Sealed.resumeData(folder.filledIn(text))
        case .saved(.raw, let text): savedData = Data(text.utf8)
        case .saved(.state, let text): folder.writeState(folder.filledIn(text))
        }
    }

    private func perform(_ call: CallerCall, _ number: Int) {
        let task = tasks.indices.contains(number - 1) ? tasks[number - 1] : nil
        switch call {
        case .word(let word): perform(word, number)
        case .member(let name): if let session { CallerTable.all[name]?(self, session, task) }
        }
    }

    func invalidate(cancelling: Bool) {
        isInvalidated = true
        if cancelling { session?.invalidateAndCancel() } else { session?.finishTasksAndInvalidate() }
    }

    private func perform(_ call: TaskCall, _ number: Int) {
        let task = tasks.indices.contains(number - 1) ? tasks[number - 1] : nil
        switch call {
        case .cancel: task?.cancel()
        case .keep: keep(task)
        case .suspend:
            task?.task?.suspend()
            task?.slices?.suspend()
        case .resume:
            task?.task?.resume()
            task?.slices?.resume()
        case .look: look(at: task)
        case .invalidate: invalidate(cancelling: true)
        case .finishTasks: invalidate(cancelling: false)
        case .renew: ledger.expectHandler { done in session?.flush { done() } }
        case .list: ledger.expectHandler { done in session?.getAllTasks { _ in done() } }
        case .reply: for reply in takeWaiting() { reply() }
        }
    }

    func keep(_ begun: BegunTask?) {
        if let task = begun?.task as? URLSessionDownloadTask {
            ledger.expectHandler { done in
                task.cancel { data in
                    begun?.keep(data)
                    done()
                }
            }
        } else if let task = begun?.task as? URLSessionUploadTask {
            ledger.expectHandler { done in
                task.cancel { data in
                    begun?.keep(data)
                    done()
                }
            }
        }
    }

    private func look(at begun: BegunTask?) {
        guard let session else { return }
        for read in CallerTable.readings.values { read(self, session, begun) }
        guard let task = begun?.task else { return }
        for count in [task.countOfBytesSent, task.countOfBytesReceived] where count < 0 {
            ledger.complain("\(count) bytes")
        }
        for count in [task.countOfBytesExpectedToSend, task.countOfBytesExpectedToReceive] where count < -1 {
            ledger.complain("\(count) bytes are expected")
        }
    }

    /// Every call of a delegate about a task passes here.
    func told(_ name: CallName, _ task: URLSessionTask) {
        ledger.note(name, of: task)
        react(to: name)
    }

    func becameInvalid() {
        ledger.noteInvalidation()
        react(to: .invalid)
    }

    /// A handler or an asynchronous caller has the result.
    func ended(_ begun: BegunTask, _ error: (any Error)?) {
        ledger.noteEnd(of: begun, error)
        react(to: .handler)
    }

    private func react(to name: CallName) {
        called.insert(name)
        guard var waiting = reactions[name], !waiting.isEmpty else { return }
        let reaction = waiting.removeFirst()
        reactions[name] = waiting
        perform(reaction.call, reaction.task)
    }

    /// A data task is a download from here on; its object has ended without a word.
    func became(_ download: URLSessionDownloadTask, _ former: URLSessionDataTask) {
        tasks.first { $0.task === former }?.task = download
        told(.became, download)
    }

    func asked(_ question: QuestionWord, _ reply: @escaping (AnswerWord) -> Void) {
        var known = answers[question] ?? []
        let answer = known.isEmpty ? .yes : known.removeFirst()
        answers[question] = known
        if answer == .later { waiting.append { reply(.yes) } } else { reply(answer) }
    }

    private func takeWaiting() -> [() -> Void] {
        defer { waiting = [] }
        return waiting
    }
}

/// A delegate queue that has much to do: each job comes so much later.
private final class LateExecutor: CallExecutor, @unchecked Sendable {
    // Safety: references that never change; used on the simulation's thread.
    private unowned let simulation: Simulation
    private let delay: Duration

    init(_ simulation: Simulation, _ delay: Duration) { (self.simulation, self.delay) = (simulation, delay) }

    func run(_ job: @escaping @Sendable () -> Void) {
        simulation.schedule(after: delay) { [unowned simulation] in simulation.executor.run(job) }
    }
}
