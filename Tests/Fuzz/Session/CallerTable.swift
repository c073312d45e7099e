import Foundation
import SessionNetworking

/// Everything public that a caller can do with a session or a task, by its declaration. `FuzzTests` holds the names
/// against the sources, and calls each of them in every state; an input calls them with `@call` and by `@inside`.
struct CallerTable {
    typealias Act = @Sendable (SessionRun, URLSession, BegunTask?) -> Void

    /// By file and declaration, as `URLSessionTask.cancel()`.
    static let all: [String: Act] = readings.merging(ofSession) { $1 }.merging(factories) { $1 }.merging(ofTask) { $1 }
        .merging(ofSlices) { $1 }

    /// Calls that change nothing.
    static let readings: [String: Act] = [
        "URLSession.delegate": { _, session, _ in _ = session.delegate },
        "URLSession.delegateQueue": { _, session, _ in _ = session.delegateQueue.maxConcurrentOperationCount },
        "URLSessionTask.taskIdentifier": get(\.taskIdentifier),
        "URLSessionTask.originalRequest": get(\.originalRequest),
        "URLSessionTask.currentRequest": get(\.currentRequest),
        "URLSessionTask.response": get(\.response),
        "URLSessionTask.error": get { $0.error.map { "\($0)" } },
        "URLSessionTask.state": get(\.state),
        "URLSessionTask.countOfBytesSent": get(\.countOfBytesSent),
        "URLSessionTask.countOfBytesReceived": get(\.countOfBytesReceived),
        "URLSessionTask.countOfBytesExpectedToSend": get(\.countOfBytesExpectedToSend),
        "URLSessionTask.countOfBytesExpectedToReceive": get(\.countOfBytesExpectedToReceive),
        "URLSessionTask.progress": { _, _, begun in
            guard let progress = begun?.progress else { return }
            _ = (progress.fractionCompleted, progress.totalUnitCount, progress.completedUnitCount)
        },
        "URLSessionTask.copy()": { _, _, begun in _ = begun?.task?.copy() },
        "URLSessionTask.copy(with:)": { _, _, begun in _ = begun?.task?.copy(with: nil) },
        "SlicedUpload.state": { _, _, begun in _ = begun?.slices?.state.storedLength },
        "SlicedUpload.progress": { _, _, begun in _ = begun?.slices?.progress.fractionCompleted },
    ]

    private static func get<Value>(_ value: @escaping @Sendable (URLSessionTask) -> Value) -> Act {
        { _, _, begun in _ = begun?.task.map(value) }
    }

    private static let ofSession: [String: Act] = [
        "URLSession.configuration": { _, session, _ in
            let configuration = session.configuration
            configuration.timeoutIntervalForRequest = .nan
            configuration.httpMaximumConnectionsPerHost = .min
            configuration.httpAdditionalHeaders = ["a": "b\r\n", 1: 2]
        },
        "URLSession.sessionDescription": { _, session, _ in
            session.sessionDescription = (session.sessionDescription ?? "") + "."
        },
        "URLSession.finishTasksAndInvalidate()": { run, _, _ in run.invalidate(cancelling: false) },
        "URLSession.invalidateAndCancel()": { run, _, _ in run.invalidate(cancelling: true) },
        "URLSession.reset(completionHandler:)": { run, session, _ in
            run.ledger.expectHandler { done in session.reset { done() } }
        },
        "URLSession.flush(completionHandler:)": { run, session, _ in
            run.ledger.expectHandler { done in session.flush { done() } }
        },
        "URLSession.getAllTasks(completionHandler:)": { run, session, _ in
            run.ledger.expectHandler { done in session.getAllTasks { _ in done() } }
        },
        "URLSession.getTasksWithCompletionHandler(_:)": { run, session, _ in
            run.ledger.expectHandler { done in session.getTasksWithCompletionHandler { _, _, _ in done() } }
        },
        "URLSession.allTasks": { run, session, _ in run.awaitHandler { _ = await session.allTasks } },
        "URLSession.tasks": { run, session, _ in run.awaitHandler { _ = await session.tasks } },
        "URLSession.reset()": { run, session, _ in run.awaitHandler { await session.reset() } },
        "URLSession.flush()": { run, session, _ in run.awaitHandler { await session.flush() } },
    ]

    /// Each makes a task of that kind and style, as the input's own words do.
    static let factories: [String: Act] = [
        "URLSession.dataTask(with:)": begin("get", "delegate"),
        "URLSession.dataTask(with:completionHandler:)": begin("get", "handler"),
        "URLSession.uploadTask(with:from:)": begin("upload", "delegate"),
        "URLSession.uploadTask(with:fromFile:)": begin("file", "delegate"),
        "URLSession.uploadTask(withStreamedRequest:)": begin("stream", "delegate"),
        "URLSession.uploadTask(with:from:completionHandler:)": begin("upload", "handler"),
        "URLSession.uploadTask(with:fromFile:completionHandler:)": begin("file", "handler"),
        "URLSession.uploadTask(withResumeData:)": begin("continue", "delegate"),
        "URLSession.uploadTask(withResumeData:completionHandler:)": begin("continue", "handler"),
        "URLSession.downloadTask(with:)": begin("download", "delegate"),
        "URLSession.downloadTask(with:completionHandler:)": begin("download", "handler"),
        "URLSession.downloadTask(withResumeData:)": begin("resumed", "delegate"),
        "URLSession.downloadTask(withResumeData:completionHandler:)": begin("resumed", "handler"),
        "URLSession.data(for:delegate:)": begin("get", "async"),
        "URLSession.data(from:delegate:)": begin("get", "async own"),
        "URLSession.upload(for:from:delegate:)": begin("upload", "async"),
        "URLSession.upload(for:fromFile:delegate:)": begin("file", "async"),
        "URLSession.upload(resumeFrom:delegate:)": begin("continue", "async"),
        "URLSession.download(for:delegate:)": begin("download", "async"),
        "URLSession.download(from:delegate:)": begin("download", "async own"),
        "URLSession.download(resumeFrom:delegate:)": begin("resumed", "async"),
        "URLSession.bytes(for:delegate:)": begin("bytes", "async"),
        "URLSession.bytes(from:delegate:)": begin("bytes", "async own"),
        "SlicedUpload.init(session:fileURL:state:options:makeRequest:)": begin("slices", "handler"),
        "SlicedUpload.init(session:fileURL:to:stateURL:options:makeRequest:)": begin("slices", "handler saved"),
        "SlicedUpload.run()": begin("slices", "async"),
        "SlicedUpload.resume(completionHandler:)": { run, _, begun in
            guard let slices = begun?.slices else { return }
            run.ledger.expectHandler { done in slices.resume { _ in done() } }
        },
    ]

    private static func begin(_ kind: String, _ words: String) -> Act {
        { run, _, _ in
            guard let kind = TaskBeginning.Kind(rawValue: kind) else { return }
            run.begin(TaskBeginning(kind, words.split(separator: " ")[...], []))
        }
    }

    private static let ofTask: [String: Act] = [
        "URLSessionTask.delegate": { run, _, begun in
            _ = begun?.task?.delegate
            // A task that has begun keeps what it has.
            if begun?.task?.state != .suspended { begun?.task?.delegate = run.makeDelegate(.full) }
        },
        "URLSessionTask.earliestBeginDate": { _, _, begun in begun?.task?.earliestBeginDate = .distantPast },
        "URLSessionTask.taskDescription": { _, _, begun in begun?.task?.taskDescription = "a" },
        "URLSessionTask.priority": { _, _, begun in begun?.task?.priority = .nan },
        "URLSessionTask.countOfBytesClientExpectsToSend": { _, _, begun in
            begun?.task?.countOfBytesClientExpectsToSend = .max
        },
        "URLSessionTask.countOfBytesClientExpectsToReceive": { _, _, begun in
            begun?.task?.countOfBytesClientExpectsToReceive = .min
        },
        "URLSessionTask.resume()": { _, _, begun in begun?.task?.resume() },
        "URLSessionTask.suspend()": { _, _, begun in begun?.task?.suspend() },
        "URLSessionTask.cancel()": { _, _, begun in begun?.task?.cancel() },
        "URLSessionTask.init()": { _, _, _ in
            let mock = URLSessionTask()
            mock.resume()
            mock.suspend()
            mock.cancel()
            _ = (mock.progress, mock.state, mock.delegate)
        },
        "URLSessionDownloadTask.cancel(byProducingResumeData:)": { run, _, begun in run.keep(begun) },
        "URLSessionDownloadTask.cancelByProducingResumeData()": { run, _, begun in
            guard let task = begun?.task as? URLSessionDownloadTask else { return }
            run.awaitHandler { begun?.keep(await task.cancelByProducingResumeData()) }
        },
        "URLSessionUploadTask.cancel(byProducingResumeData:)": { run, _, begun in run.keep(begun) },
        "URLSessionUploadTask.cancelByProducingResumeData()": { run, _, begun in
            guard let task = begun?.task as? URLSessionUploadTask else { return }
            run.awaitHandler { begun?.keep(await task.cancelByProducingResumeData()) }
        },
    ]

    private static let ofSlices: [String: Act] = [
        "SlicedUpload.resume()": { _, _, begun in begun?.slices?.resume() },
        "SlicedUpload.suspend()": { _, _, begun in begun?.slices?.suspend() },
        "SlicedUpload.cancel()": { _, _, begun in begun?.slices?.cancel() },
    ]
}
