#if !canImport(Darwin)
import ClientMachines
import Foundation
import MachineContract
import Locks

/// A group of related network transfers under one configuration.
///
/// All members may be used from any thread. The session holds its delegate until it is invalidated, and every task from
/// its first `resume()` to its completion. Source: developer.apple.com, URLSession.
///
/// Differs from Apple: a session that is dropped without invalidation, and without running tasks, closes its
/// connections and releases its delegate; Apple's leaks them. A task made on an invalidated session completes with
/// `URLError.cancelled` instead of a crash.
open class URLSession: NSObject, @unchecked Sendable {
    // Safety: mutable state is in `registry` under its lock; the rest is immutable.

    private struct Registry {
        var lastIdentifier = 0
        var description: String?
        var unstarted: [Int: Unstarted] = [:]
        var isInvalid = false
    }

    private struct Unstarted { weak var task: URLSessionTask? }

    private static let sharedSession = URLSession(
        configuration: .default, delegate: nil, delegateQueue: nil, world: .sockets(), isShared: true)

    /// The process's session with default behaviour and no delegate. Invalidating it has no effect.
    open class var shared: URLSession { sharedSession }

    /// Without the slash at its end.
    private static let temporaryDirectory = URL(fileURLWithPath: NSTemporaryDirectory()).standardized.path

    let dispatcher: DelegateDispatcher
    let settled: URLSessionConfiguration
    let machineSettings: SharedSettings
    private let queue: OperationQueue
    private let isShared: Bool
    /// Where credentials are looked up and kept (BEHAVIOUR 2.A14).
    let credentialStorage: URLCredentialStorage?
    let cookieStorage: HTTPCookieStorage?
    let cache: URLCache?
    let cookiePolicy: HTTPCookie.AcceptPolicy
    private let configuredProtocols: [URLProtocol.Type]
    private let registry = Lock(Registry())
    let engine: any Engine<ClientInput>

    /// A copy of the configuration that the session was made with; changing it changes nothing.
    open var configuration: URLSessionConfiguration {
        settled.copy() as? URLSessionConfiguration ?? settled
    }

    /// The delegate, nil without one and after invalidation.
    open var delegate: (any URLSessionDelegate)? { dispatcher.sessionDelegate?.session }

    /// Where delegate methods and completion handlers run.
    open var delegateQueue: OperationQueue { queue }

    /// A text of the caller's choice; never interpreted.
    open var sessionDescription: String? {
        get { registry.withLock { $0.description } }
        set { registry.withLock { $0.description = newValue } }
    }

    /// Makes a session without a delegate, with a serial queue of its own for completion handlers.
    public convenience init(configuration: URLSessionConfiguration) {
        self.init(configuration: configuration, delegate: nil, delegateQueue: nil)
    }

    /// Makes a session.
    ///
    /// - Parameters:
    ///   - configuration: Copied; later changes to it have no effect.
    ///   - delegate: Held until the session is invalidated.
    ///   - queue: Where delegate methods and completion handlers run, one after another even if the queue could run
    ///     several at once. Nil makes a serial queue of the session's own, on which `OperationQueue.current` is nil.
    public convenience init(
        configuration: URLSessionConfiguration, delegate: (any URLSessionDelegate)?,
        delegateQueue queue: OperationQueue?
    ) {
        self.init(
            configuration: configuration, delegate: delegate, delegateQueue: queue,
            world: configuration.network?.makeWorld() ?? .sockets())
    }

    /// The one initialiser: over sockets or in the simulator, without a branch anywhere else.
    package init(
        configuration: URLSessionConfiguration, delegate: (any URLSessionDelegate)?, delegateQueue: OperationQueue?,
        world: SessionWorld, isShared: Bool = false
    ) {
        self.isShared = isShared
        settled = configuration.copy() as? URLSessionConfiguration ?? URLSessionConfiguration()
        credentialStorage = settled.urlCredentialStorage
        cookieStorage = settled.httpCookieStorage
        cache = settled.urlCache
        cookiePolicy = settled.httpCookieAcceptPolicy
        configuredProtocols = settled.values.protocolClasses.compactMap { $0 as? URLProtocol.Type }
        queue = delegateQueue ?? OwnDelegateQueue()
        var settings = settled.clientSettings(environment: world.environment, codings: world.codings)
        settings.downloadDirectory = world.downloadDirectory ?? Self.temporaryDirectory
        settings.deliveryWindow = world.deliveryWindow ?? settings.deliveryWindow
        dispatcher = DelegateDispatcher(
            delegate: delegate, executor: world.makeExecutor(queue), world: world,
            deliveryWindow: settings.deliveryWindow)
        machineSettings = SharedSettings(settings)
        let engine = world.makeEngine(settings, dispatcher)
        self.engine = engine
        dispatcher.link.open(engine)
        super.init()
        cookieStorage?.serve(dispatcher.link, in: world)
        cache?.serve(dispatcher.link, in: world)
        credentialStorage?.serve(dispatcher.link)
    }

    deinit { engine.submit(.invalidate(cancelling: true)) }

    /// Lets running tasks finish, then makes the session invalid; returns at once.
    ///
    /// Tasks that were never resumed are cancelled, since nothing could resume them any more. New tasks complete with
    /// `URLError.cancelled`. No effect on `shared`.
    open func finishTasksAndInvalidate() { invalidate(cancelling: false) }

    /// Cancels all tasks, then makes the session invalid; returns at once, and by then every task that was not complete
    /// reads `.canceling`. No effect on `shared`.
    open func invalidateAndCancel() { invalidate(cancelling: true) }

    private func invalidate(cancelling: Bool) {
        guard !isShared else { return }
        let neverResumed = registry.withLock { registry in
            registry.isInvalid = true
            return registry.unstarted.sorted { $0.key < $1.key }.compactMap(\.value.task)
        }
        dispatcher.state.withLock { state in
            if dispatcher.link.isOpen { state.invalidated = self }
            if cancelling { state.isCancelled = true }
        }
        for task in neverResumed {
            task.signal { $0.gate.wasStarted ? nil : $0.gate.cancel(keepingResumeData: false) }
        }
        for task in dispatcher.state.withLock({ Array($0.tasks.values) }) {
            task.shared.withLock { state in
                leaveToEngine(task, &state)
                // The machine hears of it once, for all of them; their users see it at once (BEHAVIOUR 1.H1-cancel).
                if cancelling { _ = state.gate.cancel(keepingResumeData: false) }
            }
        }
        engine.submit(.invalidate(cancelling: cancelling))
    }

    /// Forgets what was learned, then calls the handler on the delegate queue: tasks that are resumed from here on get
    /// connections of their own. Tasks that run go on.
    ///
    /// Its storages of credentials and cookies and its cache are emptied, even shared ones.
    /// Source: developer.apple.com, reset(completionHandler:).
    open func reset(completionHandler: @escaping @Sendable () -> Void) {
        engine.submit(.forgetCredentials)
        credentialStorage?.removeAll()
        cookieStorage?.removeCookies(since: .distantPast)
        cache?.removeAllCachedResponses()
        renewConnections(completionHandler)
    }

    /// Calls the handler on the delegate queue: tasks that are resumed from here on get connections of their own. Tasks
    /// that run go on. Cookies, credentials and kept answers that wait to be written to disk are written before.
    /// Source: developer.apple.com, flush(completionHandler:).
    open func flush(completionHandler: @escaping @Sendable () -> Void) {
        guard let cookieStorage else { return renewConnections(completionHandler) }
        engine.submit(.renewConnections)
        cookieStorage.flush { [self] in handleWhenWritten(completionHandler) }
    }

    /// A later task's start is a later input of the same machine, so the handler has nothing to wait for.
    private func renewConnections(_ handler: @escaping @Sendable () -> Void) {
        engine.submit(.renewConnections)
        handleWhenWritten(handler)
    }

    /// Credentials and kept answers, too, may wait to be written to disk.
    private func handleWhenWritten(_ handler: @escaping @Sendable () -> Void) {
        let isCacheWritten: @Sendable () -> Void = { [self] in
            guard let cache else { return onDelegateQueue(handler) }
            cache.whenWritten { [self] in onDelegateQueue(handler) }
        }
        guard let credentialStorage else { return isCacheWritten() }
        credentialStorage.whenWritten(isCacheWritten)
    }

    /// Hands the tasks that run or are suspended to the handler, on the delegate queue.
    ///
    /// Tasks that were never resumed, cancelled and completed ones are not among them. Source: BEHAVIOUR 1.H1.
    open func getAllTasks(completionHandler: @escaping @Sendable ([URLSessionTask]) -> Void) {
        onDelegateQueue { [self] in completionHandler(runningTasks) }
    }

    /// The same by kind: data, upload and download tasks.
    open func getTasksWithCompletionHandler(
        _ completionHandler:
            @escaping @Sendable (
                [URLSessionDataTask], [URLSessionUploadTask], [URLSessionDownloadTask]
            ) -> Void
    ) {
        getAllTasks { all in
            let uploads = all.compactMap { $0 as? URLSessionUploadTask }
            let data = all.compactMap { $0 is URLSessionUploadTask ? nil : $0 as? URLSessionDataTask }
            completionHandler(data, uploads, all.compactMap { $0 as? URLSessionDownloadTask })
        }
    }

    private var runningTasks: [URLSessionTask] {
        let tasks = dispatcher.state.withLock { state in
            state.tasks.sorted { $0.key < $1.key }.map(\.value)
        }
        return tasks.filter { task in !task.shared.withLock { $0.gate.isCancelled } }
    }

    // MARK: - Factories. A task is made suspended: `resume()` starts it.

    /// Makes a data task whose result goes to the delegate.
    open func dataTask(with request: URLRequest) -> URLSessionDataTask {
        makeDataTask(request, .delegate)
    }

    /// Makes a data task for a GET whose result goes to the delegate.
    open func dataTask(with url: URL) -> URLSessionDataTask { dataTask(with: URLRequest(url: url)) }

    /// Makes a data task whose result goes to a handler.
    ///
    /// `completionHandler` is called once on the delegate queue. The data is nil if and only if there is an error; an
    /// HTTP status of 400 or more is not one. Redirects and challenges still go to the delegate.
    open func dataTask(
        with request: URLRequest, completionHandler: @escaping @Sendable (Data?, URLResponse?, (any Error)?) -> Void
    ) -> URLSessionDataTask {
        makeDataTask(request, .dataHandler(BodyCollector(), CompletionHandler(completionHandler)))
    }

    /// Makes a data task for a GET whose result goes to a handler.
    open func dataTask(
        with url: URL, completionHandler: @escaping @Sendable (Data?, URLResponse?, (any Error)?) -> Void
    ) -> URLSessionDataTask {
        dataTask(with: URLRequest(url: url), completionHandler: completionHandler)
    }

    /// Makes a task that sends data as the body of a request; its result goes to the delegate, as a data task's does.
    ///
    /// A body that the request has itself is ignored, for all upload tasks.
    open func uploadTask(with request: URLRequest, from bodyData: Data) -> URLSessionUploadTask {
        makeUploadTask(request, .data(bodyData), .delegate)
    }

    /// Makes a task that sends a file as the body of a request; its result goes to the delegate, as a data task's does.
    ///
    /// The file is opened when the task starts, and as long then as it is sent; no more than a piece of it is ever in
    /// memory. The task fails with `URLError.fileDoesNotExist`, `.fileIsDirectory`, `.noPermissionsToReadFile` or
    /// `.cannotOpenFile` if it cannot be read, and with `.requestBodyStreamExhausted` if it becomes shorter while it is
    /// sent.
    open func uploadTask(with request: URLRequest, fromFile fileURL: URL) -> URLSessionUploadTask {
        makeUploadTask(request, .file(fileURL), .delegate)
    }

    /// Makes a task that sends a stream as the body of a request; its result goes to the delegate, as a data task's
    /// does.
    ///
    /// The delegate is asked for the stream with `needNewBodyStream` before anything is sent, and for another one
    /// whenever the body must be sent again. It goes out in chunks unless the request has a Content-Length.
    open func uploadTask(withStreamedRequest request: URLRequest) -> URLSessionUploadTask {
        makeUploadTask(request, .stream, .delegate)
    }

    /// Makes a task that sends data as the body of a request; its result goes to a handler.
    ///
    /// Nil for `bodyData` is a body without a byte. The handler is called as that of a data task.
    open func uploadTask(
        with request: URLRequest, from bodyData: Data?,
        completionHandler: @escaping @Sendable (Data?, URLResponse?, (any Error)?) -> Void
    ) -> URLSessionUploadTask {
        let endpoint = Endpoint.dataHandler(BodyCollector(), CompletionHandler(completionHandler))
        return makeUploadTask(request, .data(bodyData ?? Data()), endpoint)
    }

    /// Makes a task that sends a file as the body of a request; its result goes to a handler.
    ///
    /// The file is read as that of `uploadTask(with:fromFile:)`, the handler called as that of a data task.
    open func uploadTask(
        with request: URLRequest, fromFile fileURL: URL,
        completionHandler: @escaping @Sendable (Data?, URLResponse?, (any Error)?) -> Void
    ) -> URLSessionUploadTask {
        makeUploadTask(request, .file(fileURL), .dataHandler(BodyCollector(), CompletionHandler(completionHandler)))
    }

    /// Makes a task that continues an upload; its result goes to the delegate, as a data task's does.
    ///
    /// - Parameter resumeData: From `cancel(byProducingResumeData:)` or an error's `uploadTaskResumeData`. Anything
    ///   else makes a task that fails with `URLError.unsupportedURL`. The file must still be there, unmodified: one of
    ///   another length or another time of writing fails with `.requestBodyStreamExhausted`. For data and streams the
    ///   delegate is asked with `needNewBodyStreamFrom`.
    open func uploadTask(withResumeData resumeData: Data) -> URLSessionUploadTask {
        makeResumedUpload(resumeData, .delegate)
    }

    /// Makes a task that continues an upload and gives its result to a handler, as that of a data task.
    open func uploadTask(
        withResumeData resumeData: Data,
        completionHandler: @escaping @Sendable (Data?, URLResponse?, (any Error)?) -> Void
    ) -> URLSessionUploadTask {
        makeResumedUpload(resumeData, .dataHandler(BodyCollector(), CompletionHandler(completionHandler)))
    }

    /// Makes a download task whose result goes to the delegate.
    open func downloadTask(with request: URLRequest) -> URLSessionDownloadTask {
        makeDownloadTask(request, .delegate)
    }

    /// Makes a download task for a GET whose result goes to the delegate.
    open func downloadTask(with url: URL) -> URLSessionDownloadTask { downloadTask(with: URLRequest(url: url)) }

    /// Makes a download task whose result goes to a handler.
    ///
    /// `completionHandler` is called once on the delegate queue. The file is removed when it returns.
    open func downloadTask(
        with request: URLRequest, completionHandler: @escaping @Sendable (URL?, URLResponse?, (any Error)?) -> Void
    ) -> URLSessionDownloadTask {
        makeDownloadTask(request, .fileHandler(FileCollector(), CompletionHandler(completionHandler)))
    }

    /// Makes a download task for a GET whose result goes to a handler.
    open func downloadTask(
        with url: URL, completionHandler: @escaping @Sendable (URL?, URLResponse?, (any Error)?) -> Void
    ) -> URLSessionDownloadTask {
        downloadTask(with: URLRequest(url: url), completionHandler: completionHandler)
    }

    /// Makes a task that continues a download.
    ///
    /// - Parameter resumeData: From `cancel(byProducingResumeData:)` or an error's `downloadTaskResumeData`. Anything
    ///   else makes a task that fails with `URLError.unsupportedURL`; when the partial file is gone it fails with
    ///   `.cannotWriteToFile`.
    open func downloadTask(withResumeData resumeData: Data) -> URLSessionDownloadTask {
        makeResumedTask(resumeData, .delegate)
    }

    /// Makes a task that continues a download and gives its result to a handler.
    open func downloadTask(
        withResumeData resumeData: Data,
        completionHandler: @escaping @Sendable (URL?, URLResponse?, (any Error)?) -> Void
    ) -> URLSessionDownloadTask {
        makeResumedTask(resumeData, .fileHandler(FileCollector(), CompletionHandler(completionHandler)))
    }

    // MARK: - Tasks' side

    func onDelegateQueue(_ job: @escaping @Sendable () -> Void) { dispatcher.post(.job(job)) }

    func bodyStream(_ stream: InputStream) -> BodyStream {
        BodyStream(stream, executor: dispatcher.world.makeBodyExecutor())
    }

    func nextIdentifier() -> Int {
        registry.withLock { registry in
            registry.lastIdentifier += 1
            return registry.lastIdentifier
        }
    }

    func remember(_ task: URLSessionTask) {
        registry.withLock { $0.unstarted[task.identifier] = Unstarted(task: task) }
    }

    func forgetUnstarted(_ identifier: Int) { _ = registry.withLock { $0.unstarted.removeValue(forKey: identifier) } }

    var isInvalid: Bool { registry.withLock { $0.isInvalid } }

    /// Whom this session asks before it loads a request itself.
    var protocolClasses: [URLProtocol.Type] {
        isShared ? configuredProtocols + ProtocolClasses.all : configuredProtocols
    }
}

extension URLSession {
    /// What to do about an authentication challenge.
    public enum AuthChallengeDisposition: Int, Sendable {
        /// Send the request again with the credential; without one, deliver the 401.
        case useCredential = 0
        /// As if the delegate did not implement the method.
        case performDefaultHandling = 1
        /// Fail the task with `URLError.cancelled`.
        case cancelAuthenticationChallenge = 2
        /// Try the next protection space; after the last, deliver the 401.
        case rejectProtectionSpace = 3
    }

    /// What becomes of a request whose `earliestBeginDate` has come.
    public enum DelayedRequestDisposition: Int, Sendable {
        /// Load it.
        case continueLoading = 0
        /// Load another one instead.
        case useNewRequest = 1
        /// Fail the task with `URLError.cancelled`.
        case cancel = 2
    }

    /// What becomes of a response.
    public enum ResponseDisposition: Int, Sendable {
        /// Fail the task with `URLError.cancelled`.
        case cancel = 0
        /// Go on with the body.
        case allow = 1
        /// Go on with the body as a download: see `urlSession(_:dataTask:didBecome:)`.
        case becomeDownload = 2
    }
}
#endif
