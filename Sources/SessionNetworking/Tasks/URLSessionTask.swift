#if !canImport(Darwin)
import ClientMachines
import Foundation
import HTTPBasics
import NIOCore
import Locks

/// A task, such as downloading a resource, performed in a session.
///
/// Made by the methods of `URLSession`, suspended; `resume()` starts it. All members may be used from any thread.
/// Properties are a snapshot: they change while the task runs. Source: developer.apple.com, URLSessionTask.
///
/// Differs from Apple: properties are not observable by key-value observing, which Linux lacks.
open class URLSessionTask: NSObject, NSCopying, ProgressReporting, @unchecked Sendable {
    // Safety: every mutable property lives in `shared` under its one lock; the rest is immutable.

    /// Where a task stands.
    public enum State: Int, Sendable {
        /// Resumed and not yet finished.
        case running
        /// Not resumed yet, or suspended; no timeout runs.
        case suspended
        /// Cancelled, its completion is on the way.
        case canceling
        /// Finished: its last delegate message is being delivered or was.
        case completed
    }

    struct Shared {
        var gate = TaskGate()
        var currentRequest: URLRequest?
        var response: URLResponse?
        var error: (any Error)?
        var delegate: DelegateFaces?
        var description: String?
        var priority = URLSessionTask.defaultPriority
        var clientExpectsToSend = NSURLSessionTransferSizeUnknown
        var clientExpectsToReceive = NSURLSessionTransferSizeUnknown
        var sent: Int64 = 0
        var received: Int64 = 0
        var expectedToSend: DeclaredLength? = .zero
        var expectedToReceive: DeclaredLength?
        var progress: Progress?
        /// Suspended once because the progress is paused.
        var isPausedByProgress = false
        var resumeDataHandlers: [@Sendable (Data?) -> Void] = []
        var bodyStreams = BodyStreams()
        /// The machine has said how the task ends, or the dispatcher has run ahead of it.
        var isDecided = false
        /// A delegate hears the body: settled when the task starts, since a method may be found missing later, and
        /// pieces that go another way then would overtake others.
        var tellsBody = false
        /// What the pieces count as that the delegate has taken and the machine has not heard of.
        var uncredited = 0
        var earliestBeginDate: Date?
        /// The caller's own form of the request that the machine is about to go on with.
        var nextRequest: URLRequest?
        var challenges = AnsweredChallenges()
        /// The object that answers in place of a server, if any.
        var loading: Loading?
        /// Responses of loaders, by their number.
        var supplied: [URLResponse] = []
        var suppliedError: (any Error)?
        /// What the cache has for the present request.
        var offered: [OfferedResponse] = []
        /// It was there when the task was resumed.
        var atHand: AnswerAtHand?
        /// What the delegate has been asked without the machine, and not answered at once.
        var disposition: PromptAnswer?
        /// The answer that the cache may keep.
        var collected: CollectedResponse?
        /// What this task has become: a protocol class that loads for it knows it by this object.
        var successor: URLSessionTask?
    }

    let shared: Lock<Shared>
    let plan: TaskPlan?
    let endpoint: Endpoint
    /// The session that made the task; nil only for a task made by `init()`.
    let session: URLSession?

    /// Hint value for ordinary importance.
    public static let defaultPriority: Float = 0.5
    /// Hint value for less than ordinary importance.
    public static let lowPriority: Float = 0.25
    /// Hint value for more than ordinary importance.
    public static let highPriority: Float = 0.75

    /// A number that is unique within the session and never used again there.
    open var taskIdentifier: Int { identifier }
    let identifier: Int

    /// When it was made, on the clock of its session's machines.
    let created: Instant

    /// The request that the task was made with.
    open var originalRequest: URLRequest? { original }
    let original: URLRequest?

    /// Makes a task that belongs to no session and never does anything; only useful as a base of mocks.
    public override init() {
        identifier = 0
        created = .zero
        original = nil
        plan = nil
        endpoint = .delegate
        session = nil
        shared = Lock(Shared())
        super.init()
    }

    init(session: URLSession, identifier: Int, request: URLRequest?, plan: TaskPlan, endpoint: Endpoint) {
        self.session = session
        self.identifier = identifier
        created = session.dispatcher.world.clock.instant()
        self.endpoint = endpoint
        original = request
        var initial = Shared()
        initial.currentRequest = request
        initial.expectedToSend = plan.request.bodyLength
        if plan.request.body == .stream(.first), let stream = request?.httpBodyStream {
            _ = initial.bodyStreams.add(session.bodyStream(stream))
        }
        self.plan = plan
        shared = Lock(initial)
        super.init()
    }

    /// Goes on with what `task` has begun.
    init(succeeding task: URLSessionTask, _ state: Shared) {
        session = task.session
        identifier = task.identifier
        created = task.created
        plan = task.plan
        endpoint = task.endpoint
        original = task.original
        shared = Lock(state)
        super.init()
        state.progress.map(attach)
    }

    deinit {
        if !shared.withLock({ $0.gate.wasStarted }) { session?.forgetUnstarted(identifier) }
    }

    /// The request being tried now: differs from `originalRequest` after a redirect.
    open var currentRequest: URLRequest? { shared.withLock { $0.currentRequest } }

    /// The server's response, nil until its head has come.
    open var response: URLResponse? { shared.withLock { $0.response } }

    /// Why the task failed: the error that `didCompleteWithError` carries. Nil while it runs and after a success.
    open var error: (any Error)? { shared.withLock { $0.error } }

    /// Where the task stands; changes at once with `resume()`, `suspend()` and `cancel()`.
    open var state: State { shared.withLock { $0.gate.state } }

    /// A delegate for this task alone, asked before the session's delegate, method by method.
    ///
    /// Strongly held until the task completes, then nil. Setting it after the first `resume()` has no effect.
    ///
    /// Differs from Apple and from FoundationNetworking: a late set is ignored instead of a crash.
    open var delegate: (any URLSessionTaskDelegate)? {
        get { shared.withLock { $0.delegate?.task } }
        set {
            // What was there before is let go outside of the lock: its `deinit` may look at the task.
            let known = session?.dispatcher.world.knownTypes ?? .shared
            var faces = newValue.map { DelegateFaces($0, known: known) }
            shared.withLock { if !$0.gate.wasStarted { swap(&$0.delegate, &faces) } }
        }
    }

    /// The task begins to load at this moment at the earliest; nil, at first, does not wait.
    ///
    /// Setting it after the first `resume()` has no effect. No timeout runs before the task begins, and the resource
    /// timeout is counted from there. A delegate with `willBeginDelayedRequest` is asked then.
    ///
    /// Differs from Apple: it is heeded in every session; there, only in background sessions, which Linux lacks.
    open var earliestBeginDate: Date? {
        get { shared.withLock { $0.earliestBeginDate } }
        set { shared.withLock { $0.earliestBeginDate = newValue } }
    }

    /// A text of the caller's choice; never interpreted.
    open var taskDescription: String? {
        get { shared.withLock { $0.description } }
        set { shared.withLock { $0.description = newValue } }
    }

    /// Importance relative to other tasks, 0.0 to 1.0; a hint that HTTP/1.1 has no use for.
    open var priority: Float {
        get { shared.withLock { $0.priority } }
        set { shared.withLock { $0.priority = newValue } }
    }

    /// The caller's guess of how much will be sent, header included; a hint that changes nothing here. -1 at first
    /// (`NSURLSessionTransferSizeUnknown`).
    open var countOfBytesClientExpectsToSend: Int64 {
        get { shared.withLock { $0.clientExpectsToSend } }
        set { shared.withLock { $0.clientExpectsToSend = newValue } }
    }

    /// The same for what will be received.
    open var countOfBytesClientExpectsToReceive: Int64 {
        get { shared.withLock { $0.clientExpectsToReceive } }
        set { shared.withLock { $0.clientExpectsToReceive = newValue } }
    }

    /// Bytes of the request body that were handed to the network, all attempts together.
    open var countOfBytesSent: Int64 { shared.withLock { $0.sent } }

    /// Bytes of the response body that the caller or the file was given, after decoding.
    open var countOfBytesReceived: Int64 { shared.withLock { $0.received } }

    /// Length of the request body; 0 without one, -1 for a stream unless the request's Content-Length tells it, and for
    /// a file that cannot be read.
    open var countOfBytesExpectedToSend: Int64 { shared.withLock { $0.expectedToSend.transferSize } }

    /// Length of the response body, -1 while unknown and for compressed bodies.
    open var countOfBytesExpectedToReceive: Int64 { shared.withLock { $0.expectedToReceive.transferSize } }

    /// Progress over the request and the response body, in bytes; cancelling and pausing it act on the task.
    ///
    /// Made on first access; updated on the delegate queue.
    open var progress: Progress {
        shared.withLock { state in
            if let progress = state.progress { return progress }
            let progress = makeProgress(state)
            state.progress = progress
            return progress
        }
    }

    /// Starts the task, or goes on after `suspend()`; calls nest. Without effect once cancelled or completed.
    open func resume() { signal { $0.gate.resume() } }

    /// Stops the task's traffic and timers; calls nest. Without effect once cancelled or completed.
    open func suspend() { signal { $0.gate.suspend() } }

    /// Ends the task: it completes with `URLError.cancelled` unless it completed first. Returns at once.
    ///
    /// Valid in every state, also on a task that was never resumed; further calls have no effect.
    open func cancel() { signal { $0.gate.cancel(keepingResumeData: false) } }

    /// Returns the task itself.
    open override func copy() -> Any { self }
    /// Returns the task itself.
    open func copy(with zone: NSZone?) -> Any { self }

    /// Passes a change of the gate on to the engine; under the lock, so that the order of calls is the order of inputs.
    /// The engine is woken after it: its first act may be one that needs the lock.
    func signal(_ change: (inout Shared) -> TaskGate.Signal?) {
        guard let session else { return }
        let rest = shared.withLock { state in
            guard let signal = change(&state) else { return URLSession.Rest.nothing }
            return session.pass(signal, of: self, &state)
        }
        session.carryOut(rest, of: self)
    }

    /// The caller's form of a request of this task's. What an upload task sends is no part of its request.
    func publicForm(of request: ClientRequest) -> URLRequest? {
        let isUpload = self is URLSessionUploadTask
        return shared.withLock { state in
            // What the machines do not know of a request, only its giver's own form tells.
            guard let current = state.nextRequest ?? state.currentRequest else { return nil }
            let stream = state.bodyStreams.stream(of: request)
            var request = request
            if isUpload { request.body = nil }
            return RequestBridge.urlRequest(request, basedOn: current, stream: stream)
        }
    }

    /// Cancels, and calls the handler once on the delegate queue with what is left to go on with.
    func cancelKeepingResumeData(_ completionHandler: @escaping @Sendable (Data?) -> Void) {
        let isOver = shared.withLock { state in
            guard !state.gate.isCompleted else { return true }
            state.resumeDataHandlers.append(completionHandler)
            return false
        }
        if isOver {
            session?.onDelegateQueue { completionHandler(nil) }
        } else {
            signal { $0.gate.cancel(keepingResumeData: true) }
        }
    }

    /// The body that a stream of the delegate's stands for; nil when the task is over and will not read it.
    func body(from stream: InputStream) -> RequestBody? {
        if let stream = stream as? ComposedStream { return .composed(stream.body) }
        guard let body = session?.bodyStream(stream) else { return nil }
        return shared.withLock { $0.gate.isCompleted ? nil : .stream($0.bodyStreams.add(body)) }
    }

    /// Makes the public form of what the machine received the task's response.
    func note(_ response: Response) -> URLResponse {
        shared.withLock { state in
            let known = state.supplied(response) ?? HTTPURLResponse(response, to: state.currentRequest)
            state.response = known
            state.expectedToReceive = response.expectedLength
            return known
        }
    }

    /// The same of one that redirects, which is not the task's own.
    func redirectResponse(_ response: Response) -> HTTPURLResponse {
        shared.withLock { $0.supplied(response) } as? HTTPURLResponse ?? HTTPURLResponse(response)
    }

    private func makeProgress(_ state: Shared) -> Progress {
        let (done, total) = state.counts
        let progress = Progress(totalUnitCount: total)
        progress.completedUnitCount = done
        attach(progress)
        return progress
    }

    private func attach(_ progress: Progress) {
        progress.cancellationHandler = { [weak self] in self?.signal { $0.gate.cancel(keepingResumeData: false) } }
        progress.pausingHandler = { [weak self] in self?.followProgress() }
        progress.resumingHandler = { [weak self] in self?.followProgress() }
    }

    /// Foundation runs these handlers on any thread and in any order: what counts is how the progress stands now.
    private func followProgress() {
        signal { state in
            guard let progress = state.progress, progress.isPaused != state.isPausedByProgress else { return nil }
            state.isPausedByProgress.toggle()
            return state.isPausedByProgress ? state.gate.suspend() : state.gate.resume()
        }
    }
}

extension URLSessionTask {
    /// Brings `progress` up to date, if the caller has asked for it. On the delegate queue only.
    func updateProgress() {
        let known = shared.withLock { state in state.progress.map { ($0, state.counts) } }
        guard let (progress, (done, total)) = known else { return }
        progress.totalUnitCount = total
        progress.completedUnitCount = done
    }
}

extension URLSessionTask.Shared {
    /// Somebody sees more of the task than its result.
    var isWatched: Bool {
        delegate != nil || progress != nil || !resumeDataHandlers.isEmpty || challenges.isKept
    }

    /// The loader's own object, if a loader gave it.
    func supplied(_ response: Response) -> URLResponse? {
        response.supplied.flatMap { supplied.indices.contains($0) ? supplied[$0] : nil }
    }

    /// What `Progress` shows. At the end both counts are equal, and at least 1.
    fileprivate var counts: (done: Int64, total: Int64) {
        let done = sent + received
        return gate.isCompleted ? (max(1, done), max(1, done)) : (done, max(expectedTotal, done))
    }

    /// What `Progress` calls the total: unknown lengths count as nothing until they are known.
    /// Both may be any number that a caller or a server has told (BEHAVIOUR 1.A3-progress).
    var expectedTotal: Int64 { ((expectedToSend ?? .zero).adding(expectedToReceive ?? .zero) ?? .max).int64 }
}
#endif
