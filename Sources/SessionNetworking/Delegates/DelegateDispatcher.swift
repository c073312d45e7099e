#if !canImport(Darwin)
import ClientMachines
import Foundation
import MachineContract
import Locks

/// Takes the machine's calls on the loop and brings them to the user, in order, with one hop for all that is pending.
///
/// Confined parts: `take` runs on the engine's thread; everything that a user can see runs on the delegate queue.
/// `+Telling`, `+Becoming` and the questions (`DelegateQuestion`) invoke the methods of delegates, and this file the
/// last one of a session.
final class DelegateDispatcher: CallSink {
    typealias Output = ClientOutput

    enum Delivery: Sendable {
        case call(URLSessionTask, UserCall)
        case question(URLSessionTask, QuestionID, UserQuestion)
        case job(@Sendable () -> Void)
        /// `Task.progress` is behind.
        case progress(URLSessionTask)
        case invalidated
    }

    struct State {
        var session: DelegateFaces?
        var tasks: [TaskID: URLSessionTask] = [:]
        /// Held from invalidation to the session's last message.
        var invalidated: URLSession?
        var trustScopes = TrustScopes()
        /// Every task is to be cancelled: the machine has the last word on all of them.
        var isCancelled = false
        /// Where protocol classes work, once there are some: what they share among their objects needs no lock.
        var protocols: (any CallExecutor)?
        /// Where all that is kept on disk is looked for, before one is chosen.
        var cacheReader: (any CallExecutor)?
    }

    /// The session's registry and references; never held while calling out.
    let state: Lock<State>
    let link = EngineLink()
    let world: SessionWorld
    /// How many delivered bytes are saved up before the machine hears of them: a wake-up for each call would cost more
    /// than the call.
    let creditBytes: Int
    let window: DeliveryWindow
    /// What one turn has brought more than that is not kept for the next.
    private static let keptDeliveries = 1024
    private let executor: any CallExecutor
    private let mailbox = Lock(DeliveryQueue())

    init(
        delegate: (any URLSessionDelegate)?, executor: any CallExecutor, world: SessionWorld, deliveryWindow: Int
    ) {
        window = DeliveryWindow(bytes: deliveryWindow)
        creditBytes = deliveryWindow / 4
        state = Lock(State(session: delegate.map { DelegateFaces($0, known: world.knownTypes) }))
        self.executor = executor
        self.world = world
    }

    func submit(_ input: ClientInput) { link.submit(input) }

    /// A task starts: from here to its completion the session holds it.
    func register(_ task: URLSessionTask) { state.withLock { $0.tasks[TaskID(task.identifier)] = task } }

    /// Everything that the machine still says of this task is dropped.
    func forget(_ task: URLSessionTask) { state.withLock { _ = $0.tasks.removeValue(forKey: TaskID(task.identifier)) } }

    /// The number of a task's own delegate, as one that decides about trust.
    func trustScope(of delegate: DelegateFaces) -> Int {
        state.withLock { $0.trustScopes.number(of: delegate.session) }
    }

    var sessionDelegate: DelegateFaces? { state.withLock { $0.session } }

    func take(_ output: ClientOutput) {
        switch output {
        case .tell(let id, let call):
            if case .metrics(let metrics) = call { world.onMetrics?(id, metrics) }
            guard let task = state.withLock({ $0.tasks[id] }) else { return }
            arrived(call, for: task)
        case .ask(let id, let question, let content):
            guard let task = state.withLock({ $0.tasks[id] }) else { return }
            if case .cookies(let url) = content, findCookies(for: url, question, of: task) { return }
            if case .kept(let key) = content, findKept(key, question, of: task) { return }
            leave(.question(task, question, content))
        case .readBody(let id, let stream):
            readBody(id, stream)
        case .load(let id, let load, let action):
            perform(action, of: load, for: id)
        case .storeCookies(let id, let lines, let url):
            if let task = state.withLock({ $0.tasks[id] }) { storeCookies(lines, from: url, for: task) }
        case .cache(let id, let action):
            if let task = state.withLock({ $0.tasks[id] }) { perform(action, for: task) }
        case .invalidated:
            leave(.invalidated)
        case .bug(let text):
            Blame.ours(text)
        case .watchPath, .resolve, .stopResolving, .connect, .secure, .decideTrust, .present, .forgetTickets, .write,
            .writeHead, .writeFile, .openBodyFile, .negotiate, .close, .look, .setReading, .file, .yield:
            Blame.ours("an effect that is no call reached the dispatcher")
        }
    }

    private func readBody(_ id: TaskID, _ number: BodyStreamID) {
        guard let task = state.withLock({ $0.tasks[id] }) else { return }
        guard let stream = task.shared.withLock({ $0.bodyStreams[number] }) else {
            return Blame.ours("a body stream that the task does not have")
        }
        stream.read { [link] in link.submit(.bodyRead(id, number, $0)) }
    }

    /// Puts one delivery behind all earlier ones, to leave with the next flush.
    func leave(_ delivery: Delivery) { mailbox.withLock { $0.append(delivery) } }

    var isFlushDue: Bool { mailbox.withLock { $0.isFlushDue } }

    func flush() {
        let mustSchedule = mailbox.withLock { mailbox in
            guard mailbox.isFlushDue else { return false }
            mailbox.isScheduled = true
            return true
        }
        if mustSchedule { executor.run { self.drain() } }
    }

    /// The same from any other thread than the engine's, where nothing else would flush.
    func post(_ delivery: Delivery) {
        leave(delivery)
        flush()
    }

    private func drain() {
        var batch: [Delivery] = []
        mailbox.withLock { $0.takeAll(into: &batch) }
        for delivery in batch { deliver(delivery) }
        batch.removeAll(keepingCapacity: batch.capacity <= Self.keptDeliveries)
        let hasMore = mailbox.withLock { mailbox in
            mailbox.keep(&batch)
            mailbox.isScheduled = !mailbox.isEmpty
            return mailbox.isScheduled
        }
        if hasMore { executor.run { self.drain() } }
    }

    private func deliver(_ delivery: Delivery) {
        switch delivery {
        case .call(let task, let call): tell(call, to: task)
        case .question(let task, let id, let question): ask(question, id, of: task)
        case .job(let job): job()
        case .progress(let task): task.updateProgress()
        case .invalidated: tellInvalidated()
        }
    }

    private func tellInvalidated() {
        // The engine, too, is let go outside of the lock.
        let (faces, session, _) = state.withLock { state in
            defer {
                state.session = nil
                state.invalidated = nil
            }
            return (state.session, state.invalidated, link.close())
        }
        if let session { faces?.session.urlSession(session, didBecomeInvalidWithError: nil) }
    }
}
#endif
