import Foundation
import Locks
import ScriptedServer
import SessionNetworking
import TestSupport
import Testing

/// Public calls on several threads at once, none of them the delegate queue, in every state of a task and its session:
/// nothing traps, each task ends once, each handler is called once. Whether anything races, the thread sanitizer sees.
@Suite(.endsInTime) struct URLSessionThreadsTests {
    enum Stage: CaseIterable {
        case made, started
        /// The question about the response is open.
        case asked
        case receiving, suspended, cancelled, invalid, completed
        /// Its delegate queue is in the middle of a delegate method, and calls as well.
        case inside
    }

    enum Kind: CaseIterable { case data, upload, download }

    // BEHAVIOUR 1.B1-3, 1.H1-all, 1.H1-late
    @Test(arguments: Stage.allCases) func `each task ends once, whoever calls what`(stage: Stage) async throws {
        let server = try await ScriptedServer.start { script in
            script.route(nil, "/whole", reply: "hello")
            script.otherwise(.ok("hello").stall(at: .body(3)))
        }
        let url = try #require(URL(string: server.url))
        for kind in Kind.allCases {
            for (name, call) in ThreadsPlay.calls.sorted(by: { $0.key < $1.key }) {
                // On a thread that may block.
                let troubles = await withCheckedContinuation { continuation in
                    DispatchQueue.global().async {
                        continuation.resume(returning: ThreadsPlay(url, kind, stage).run(call))
                    }
                }
                #expect(troubles == [], "\(name), \(kind)")
            }
        }
        try await server.stop()
    }
}

/// One task in one state, and calls from several threads.
private struct ThreadsPlay: Sendable {
    typealias Call = @Sendable (ThreadsPlay) -> Void

    private static let threads = 4

    let session: URLSession
    let task: URLSessionTask
    private let listener: Listener
    private let stage: URLSessionThreadsTests.Stage
    private let whole: URLRequest
    private let isDownload: Bool

    init(_ url: URL, _ kind: URLSessionThreadsTests.Kind, _ stage: URLSessionThreadsTests.Stage) {
        listener = Listener(answersLater: stage == .asked)
        session = URLSession(configuration: .ephemeral, delegate: listener, delegateQueue: nil)
        whole = URLRequest(url: url.appendingPathComponent("whole"))
        var request = stage == .completed ? whole : URLRequest(url: url.appendingPathComponent("half"))
        switch kind {
        case .data: task = session.dataTask(with: request)
        case .upload:
            request.httpMethod = "POST"
            task = session.uploadTask(with: request, from: Data(count: 10))
        case .download: task = session.downloadTask(with: request)
        }
        isDownload = kind == .download
        self.stage = stage
    }

    /// What went wrong.
    func run(_ call: @escaping Call) -> [String] {
        let calls: @Sendable () -> Void = { [self] in
            DispatchQueue.concurrentPerform(iterations: Self.threads) { _ in call(self) }
        }
        if stage == .inside { listener.interrupt(with: calls) }
        reachStage()
        if stage != .inside { calls() }
        listener.answer()
        session.invalidateAndCancel()
        listener.wait(for: .invalidation)
        return listener.troubles()
    }

    private func reachStage() {
        guard stage != .made else { return }
        task.resume()
        switch stage {
        case .made, .started: break
        case .asked: listener.wait(for: isDownload ? .body : .response)
        case .completed: listener.wait(for: .completion)
        case .receiving, .inside: listener.wait(for: .body)
        case .suspended:
            listener.wait(for: .body)
            task.suspend()
        case .cancelled:
            listener.wait(for: .body)
            task.cancel()
        case .invalid:
            listener.wait(for: .body)
            session.invalidateAndCancel()
            listener.wait(for: .invalidation)
        }
    }

    // MARK: - Calls

    static let calls = onTasks.merging(onSessions) { $1 }.merging(making) { $1 }

    private static let onTasks: [String: Call] = [
        "read": { $0.read() },
        "set": { $0.set() },
        "resume": { $0.task.resume() },
        "suspend": { $0.task.suspend() },
        "cancel": { $0.task.cancel() },
        "cancel, and keep what is there": { $0.cancelKeeping() },
        "cancel the progress": { $0.task.progress.cancel() },
        "pause the progress": { $0.task.progress.pause() },
        "resume the progress": { $0.task.progress.resume() },
    ]

    private static let onSessions: [String: Call] = [
        "finish tasks": { $0.session.finishTasksAndInvalidate() },
        "invalidate": { $0.session.invalidateAndCancel() },
        "reset": { play in play.owe { play.session.reset(completionHandler: $0) } },
        "flush": { play in play.owe { play.session.flush(completionHandler: $0) } },
        "all tasks": { play in play.owe { done in play.session.getAllTasks { _ in done() } } },
        "tasks": { play in
            play.owe { done in play.session.getTasksWithCompletionHandler { _, _, _ in done() } }
        },
        "await all tasks": { play in play.await { _ = await play.session.allTasks } },
    ]

    private static let making: [String: Call] = [
        "data": { play in play.make { play.session.dataTask(with: play.whole, completionHandler: $0) } },
        "upload": { play in
            play.make { play.session.uploadTask(with: play.whole, from: Data([1]), completionHandler: $0) }
        },
        "download": { play in play.make { play.session.downloadTask(with: play.whole, completionHandler: $0) } },
        "download from where it was": { play in
            play.make { play.session.downloadTask(withResumeData: Data(), completionHandler: $0) }
        },
        "await data": { play in play.await { _ = try? await play.session.data(for: play.whole) } },
    ]

    private func read() {
        _ = (task.taskIdentifier, task.originalRequest, task.currentRequest, task.response, task.error, task.state)
        _ = (task.countOfBytesSent, task.countOfBytesReceived, task.delegate, task.priority, task.taskDescription)
        _ = (task.countOfBytesExpectedToSend, task.countOfBytesExpectedToReceive, task.progress.totalUnitCount)
        _ = (session.configuration, session.delegate, session.delegateQueue, session.sessionDescription)
    }

    private func set() {
        (task.taskDescription, task.priority, task.earliestBeginDate) = ("a", 1, .distantPast)
        (task.countOfBytesClientExpectsToSend, task.countOfBytesClientExpectsToReceive) = (1, 1)
        task.delegate = Silent()
        session.sessionDescription = "b"
    }

    private func cancelKeeping() {
        owe { done in
            if let task = task as? URLSessionDownloadTask {
                task.cancel { _ in done() }
            } else if let task = task as? URLSessionUploadTask {
                task.cancel { _ in done() }
            } else {
                task.cancel()
                done()
            }
        }
    }

    /// Begins a task with a handler, whether that takes data or a file.
    private func make<Content>(
        _ make: (@escaping @Sendable (Content?, URLResponse?, (any Error)?) -> Void) -> URLSessionTask
    ) {
        owe { done in make { _, _, _ in done() }.resume() }
    }

    private func await(_ body: @escaping @Sendable () async -> Void) {
        owe { done in
            Task {
                await body()
                done()
            }
        }
    }

    private func owe(_ call: (@escaping @Sendable () -> Void) -> Void) { listener.owe(call) }
}

private final class Silent: NSObject, URLSessionTaskDelegate {}

/// Hears of one task and its session, and of handlers.
private final class Listener: NSObject, URLSessionDataDelegate, URLSessionDownloadDelegate, Sendable {
    enum Event: CaseIterable { case response, body, completion, invalidation }

    private struct State {
        var troubles: [String] = []
        var heard: Set<Event> = []
        var interruption: (@Sendable () -> Void)?
        var held: (@Sendable (URLSession.ResponseDisposition) -> Void)?
    }

    private static let patience = 20.0

    private let state = Lock(State())
    private let signals = Dictionary(uniqueKeysWithValues: Event.allCases.map { ($0, DispatchSemaphore(value: 0)) })
    private let handlers = DispatchGroup()
    private let answersLater: Bool

    init(answersLater: Bool) { self.answersLater = answersLater }

    /// The next piece of the body is told with this in the middle.
    func interrupt(with calls: @escaping @Sendable () -> Void) { state.withLock { $0.interruption = calls } }

    func wait(for event: Event) {
        if signals[event]?.wait(timeout: .now() + Self.patience) != .success { complain("no \(event)") }
        // For the next wait.
        signals[event]?.signal()
    }

    func answer() { state.withLock { $0.held }?(.allow) }

    /// The receiver of a handler calls it once.
    func owe(_ call: (@escaping @Sendable () -> Void) -> Void) {
        let isCalled = Lock(false)
        handlers.enter()
        call { [self] in
            let isFirst = isCalled.withLock { isCalled in
                defer { isCalled = true }
                return !isCalled
            }
            if isFirst { handlers.leave() } else { complain("a handler is called twice") }
        }
    }

    func troubles() -> [String] {
        if handlers.wait(timeout: .now() + Self.patience) != .success { complain("a handler is never called") }
        return state.withLock { $0.troubles + ($0.heard.contains(.completion) ? [] : ["no completion"]) }
    }

    private func complain(_ sentence: String) { state.withLock { $0.troubles.append(sentence) } }

    private func note(_ event: Event) {
        let isFirst = state.withLock { state in
            if !state.heard.isDisjoint(with: [.invalidation, event == .invalidation ? event : .completion]) {
                state.troubles.append("\(event) behind the end")
            }
            return state.heard.insert(event).inserted
        }
        if isFirst { signals[event]?.signal() }
    }

    private func noteBody() {
        note(.body)
        let interruption = state.withLock { state in
            defer { state.interruption = nil }
            return state.interruption
        }
        interruption?()
    }

    func urlSession(
        _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
        completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
    ) {
        note(.response)
        guard answersLater else { return completionHandler(.allow) }
        state.withLock { $0.held = completionHandler }
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) { noteBody() }

    func urlSession(
        _ session: URLSession, downloadTask: URLSessionDownloadTask, didWriteData bytesWritten: Int64,
        totalBytesWritten: Int64, totalBytesExpectedToWrite: Int64
    ) {
        noteBody()
    }

    func urlSession(
        _ session: URLSession, downloadTask: URLSessionDownloadTask, didFinishDownloadingTo location: URL
    ) {}

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        note(.completion)
    }

    func urlSession(_ session: URLSession, didBecomeInvalidWithError error: (any Error)?) { note(.invalidation) }
}
