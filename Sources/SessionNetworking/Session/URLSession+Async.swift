#if !canImport(Darwin)
import ClientMachines
import Foundation

/// Asynchronous forms. Cancelling the Swift task that waits cancels the transfer.
///
/// All throw the `URLError` that the task failed with; `.cancelled` on an invalidated session and after a cancellation.
/// Without any delegate they resume straight from the network thread, else from the delegate queue after its last call.
extension URLSession {
    /// Loads a body into memory.
    ///
    /// `delegate` is asked first about redirects and challenges of this task, and told of its bytes (`didReceive data`)
    /// before this returns. By public reports Apple's is not told.
    public func data(
        for request: URLRequest, delegate: (any URLSessionTaskDelegate)? = nil
    ) async throws -> (Data, URLResponse) {
        let result = AsyncResult<(Data, URLResponse)>()
        let task = makeDataTask(request, .asyncData(BodyCollector(), result), delegate: delegate)
        return try await value(result, of: task)
    }

    /// Loads the body of a GET into memory.
    public func data(
        from url: URL, delegate: (any URLSessionTaskDelegate)? = nil
    ) async throws -> (Data, URLResponse) {
        try await data(for: URLRequest(url: url), delegate: delegate)
    }

    /// Sends data as the body of a request, and loads the body of the answer into memory.
    ///
    /// `delegate` is told of progress, and asked first about redirects and challenges of this task.
    public func upload(
        for request: URLRequest, from bodyData: Data, delegate: (any URLSessionTaskDelegate)? = nil
    ) async throws -> (Data, URLResponse) {
        let result = AsyncResult<(Data, URLResponse)>()
        let endpoint = Endpoint.asyncData(BodyCollector(), result)
        return try await value(result, of: makeUploadTask(request, .data(bodyData), endpoint, delegate: delegate))
    }

    /// Sends a file as the body of a request, and loads the body of the answer into memory.
    ///
    /// Errors about the file are those of `uploadTask(with:fromFile:)`.
    public func upload(
        for request: URLRequest, fromFile fileURL: URL, delegate: (any URLSessionTaskDelegate)? = nil
    ) async throws -> (Data, URLResponse) {
        let result = AsyncResult<(Data, URLResponse)>()
        let endpoint = Endpoint.asyncData(BodyCollector(), result)
        return try await value(result, of: makeUploadTask(request, .file(fileURL), endpoint, delegate: delegate))
    }

    /// Continues an upload, and loads the body of the answer into memory.
    ///
    /// `resumeData` and errors are those of `uploadTask(withResumeData:)`; `delegate` is also asked for what is left of
    /// data or of a stream (`needNewBodyStreamFrom`).
    public func upload(
        resumeFrom resumeData: Data, delegate: (any URLSessionTaskDelegate)? = nil
    ) async throws -> (Data, URLResponse) {
        let result = AsyncResult<(Data, URLResponse)>()
        let endpoint = Endpoint.asyncData(BodyCollector(), result)
        return try await value(result, of: makeResumedUpload(resumeData, endpoint, delegate: delegate))
    }

    /// Loads a body into a file, which the caller then owns and must remove.
    ///
    /// `delegate` is asked first about redirects and challenges of this task, and told of its progress
    /// (`didWriteData`), not of the file. By public reports Apple's is not told.
    public func download(
        for request: URLRequest, delegate: (any URLSessionTaskDelegate)? = nil
    ) async throws -> (URL, URLResponse) {
        let result = AsyncResult<(URL, URLResponse)>()
        let task = makeDownloadTask(request, .asyncFile(FileCollector(), result), delegate: delegate)
        return try await value(result, of: task)
    }

    /// Loads the body of a GET into a file, which the caller then owns and must remove.
    public func download(
        from url: URL, delegate: (any URLSessionTaskDelegate)? = nil
    ) async throws -> (URL, URLResponse) {
        try await download(for: URLRequest(url: url), delegate: delegate)
    }

    /// Continues a download into its file, which the caller then owns and must remove.
    public func download(
        resumeFrom resumeData: Data, delegate: (any URLSessionTaskDelegate)? = nil
    ) async throws -> (URL, URLResponse) {
        let result = AsyncResult<(URL, URLResponse)>()
        let task = makeResumedTask(resumeData, .asyncFile(FileCollector(), result), delegate: delegate)
        return try await value(result, of: task)
    }

    /// Returns as soon as the response's head has come; the body is read byte by byte.
    ///
    /// `delegate` is treated as that of `data(for:delegate:)`: it is told of bytes before they can be read here.
    public func bytes(
        for request: URLRequest, delegate: (any URLSessionTaskDelegate)? = nil
    ) async throws -> (AsyncBytes, URLResponse) {
        let result = AsyncResult<(AsyncBytes, URLResponse)>()
        let identifier = nextIdentifier()
        let channel = ByteChannel { [dispatcher] count in
            dispatcher.submit(.delivered(TaskID(identifier), bytes: dispatcher.window.charge(for: count)))
        }
        let task = makeDataTask(
            request, .asyncBytes(channel, result), delegate: delegate, identifier: identifier)
        return try await value(result, of: task)
    }

    /// The same for a GET.
    public func bytes(
        from url: URL, delegate: (any URLSessionTaskDelegate)? = nil
    ) async throws -> (AsyncBytes, URLResponse) {
        try await bytes(for: URLRequest(url: url), delegate: delegate)
    }

    /// The tasks that run or are suspended; as `getAllTasks(completionHandler:)`.
    public var allTasks: [URLSessionTask] {
        get async {
            await withCheckedContinuation { continuation in
                getAllTasks { continuation.resume(returning: $0) }
            }
        }
    }

    /// The same by kind; as `getTasksWithCompletionHandler(_:)`.
    public var tasks: ([URLSessionDataTask], [URLSessionUploadTask], [URLSessionDownloadTask]) {
        get async {
            await withCheckedContinuation { continuation in
                getTasksWithCompletionHandler { continuation.resume(returning: ($0, $1, $2)) }
            }
        }
    }

    /// Forgets what was learned; as `reset(completionHandler:)`.
    public func reset() async {
        await withCheckedContinuation { continuation in reset { continuation.resume() } }
    }

    /// New connections for what follows; as `flush(completionHandler:)`.
    public func flush() async {
        await withCheckedContinuation { continuation in flush { continuation.resume() } }
    }

    private func value<Value: Sendable>(
        _ result: AsyncResult<Value>, of task: URLSessionTask
    ) async throws -> Value {
        try await withTaskCancellationHandler {
            try await result.value { task.signal { $0.gate.resume() } }
        } onCancel: {
            task.signal { $0.gate.cancel(keepingResumeData: false) }
        }
    }
}
#endif
