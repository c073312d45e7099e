#if !canImport(Darwin)
import ClientMachines
import Foundation
import NIOCore

/// On the delegate queue: what a user is told.
extension DelegateDispatcher {
    func tell(_ call: UserCall, to task: URLSessionTask) {
        guard let session = task.session else { return }
        // Within a call it shows what the call tells (BEHAVIOUR 1.A3-progress).
        task.updateProgress()
        switch call {
        case .data(let bytes):
            deliver(bytes, to: task, session)
        case .wrote(let bytes, let total, let expected):
            tellDownload(.wrote, task) { delegate, task in
                delegate.urlSession(
                    session, downloadTask: task, didWriteData: bytes, totalBytesWritten: total,
                    totalBytesExpectedToWrite: expected.transferSize)
            }
        case .resumed(let offset, let expected):
            tellDownload(.resumed, task) { delegate, task in
                delegate.urlSession(
                    session, downloadTask: task, didResumeAtOffset: offset, expectedTotalBytes: expected.transferSize)
            }
        case .file(let path):
            let location = URL(fileURLWithPath: path)
            tellDownload(.finishedFile, task) { delegate, task in
                delegate.urlSession(session, downloadTask: task, didFinishDownloadingTo: location)
            }
            remove(location)
        case .sentBody(let bytes, let total, let expected):
            tellTask(.sentBody, task) { delegate in
                delegate.urlSession(
                    session, task: task, didSendBodyData: bytes, totalBytesSent: total,
                    totalBytesExpectedToSend: expected.transferSize)
            }
        case .waitingForConnectivity:
            tellTask(.waiting, task) { $0.urlSession(session, taskIsWaitingForConnectivity: task) }
        case .informational(let response):
            let response = HTTPURLResponse(response)
            tellTask(.informational, task) { delegate in
                delegate.urlSession(session, task: task, didReceiveInformationalResponse: response)
            }
        case .metrics(let metrics):
            let metrics = URLSessionTaskMetrics(metrics, of: task, clock: world.clock.reading())
            tellTask(.metrics, task) { $0.urlSession(session, task: task, didFinishCollecting: metrics) }
        case .complete(let failure):
            return complete(task, failure)
        case .response, .requestChanged, .becameDownload, .letIn:
            break
        }
    }

    /// On the thread that made the task, not on the delegate queue.
    func tellCreated(_ task: URLSessionTask) {
        guard let session = task.session else { return }
        tellTask(.created, task) { $0.urlSession(session, didCreateTask: task) }
    }

    private func deliver(_ bytes: ByteBuffer, to task: URLSessionTask, _ session: URLSession) {
        guard let dataTask = task as? URLSessionDataTask else { return }
        let data = Data(sharing: bytes)
        for faces in listeners(.data, of: task) {
            guard let delegate = faces.data else { continue }
            if faces.call(.data, { delegate.urlSession(session, dataTask: dataTask, didReceive: data) }) { break }
        }
        // An asynchronous caller gets no bytes that its delegate has not heard.
        task.endpoint.keep(bytes)
        // Reading them opens this window.
        if case .asyncBytes = task.endpoint { return }
        let charge = window.charge(for: data.count)
        let credit = task.shared.withLock { state in
            state.uncredited += charge
            // Once the machine has said how it ends, it waits for nothing.
            guard state.uncredited >= creditBytes, !state.isDecided else { return 0 }
            defer { state.uncredited = 0 }
            return state.uncredited
        }
        if credit > 0 { submit(.delivered(TaskID(task.identifier), bytes: credit)) }
    }

    private func tellTask(
        _ method: DelegateMethod, _ task: URLSessionTask, _ body: (any URLSessionTaskDelegate) -> Void
    ) {
        for faces in candidates(method, for: task) {
            guard let delegate = faces.task else { continue }
            if faces.call(method, { body(delegate) }) { return }
        }
    }

    private func tellDownload(
        _ method: DelegateMethod, _ task: URLSessionTask,
        _ body: (any URLSessionDownloadDelegate, URLSessionDownloadTask) -> Void
    ) {
        guard let downloadTask = task as? URLSessionDownloadTask else { return }
        for faces in listeners(method, of: task) {
            guard let delegate = faces.download else { continue }
            if faces.call(method, { body(delegate, downloadTask) }) { return }
        }
    }

    /// The last call of a task. Its state reads completed before the delegate is told (BEHAVIOUR 1.H2).
    func complete(_ task: URLSessionTask, _ failure: Failure?) {
        guard let session = task.session else { return }
        let error = failure.map { self.error(for: $0, of: task) }
        let candidates = candidates(.completed, for: task)
        // Let go outside of the lock: its `deinit` may look at the task.
        var delegate: DelegateFaces?, offered: [OfferedResponse] = []
        let (response, handlers, streams, given) = task.shared.withLock { state in
            state.error = error
            state.gate.complete()
            swap(&state.delegate, &delegate)
            swap(&state.offered, &offered)
            defer { state.resumeDataHandlers = [] }
            return (state.response, state.resumeDataHandlers, state.bodyStreams, state.challenges.takeAll())
        }
        _ = given
        forget(task)
        streams.closeAll()
        let resumeData = (error as? URLError).flatMap { $0.downloadTaskResumeData ?? $0.uploadTaskResumeData }
        for handler in handlers { handler(resumeData) }
        task.updateProgress()
        switch task.endpoint {
        case .delegate:
            for faces in candidates {
                guard let delegate = faces.task else { continue }
                let isThere = faces.call(.completed) {
                    delegate.urlSession(session, task: task, didCompleteWithError: error)
                }
                if isThere { break }
            }
        case .dataHandler(let body, let handler):
            handler.call(error == nil ? body.take() : nil, response, error)
        case .fileHandler(let file, let handler):
            let location = file.take()
            handler.call(error == nil ? location : nil, response, error)
            if let location { remove(location) }
        case .asyncData(let body, let result):
            result.fulfil(asyncResult(error, response) { body.take() })
        case .asyncFile(let file, let result):
            if error != nil, let location = file.take() { remove(location) }
            result.fulfil(asyncResult(error, response) { file.take() })
        case .asyncBytes(let channel, let result):
            guard let error else { return channel.end(.success(())) }
            channel.end(.failure(error))
            result.fulfil(.failure(error))
        }
    }

    /// What a protocol class failed with reaches the user as it is, except that resume data is added where it can be.
    private func error(for failure: Failure, of task: URLSessionTask) -> any Error {
        if let error = URLErrorMapping.proxyError(for: failure, request: task.original) { return error }
        let known = URLErrorMapping.error(for: failure, request: task.original)
        guard failure.kind == .supplied, let supplied = task.shared.withLock({ $0.suppliedError }) else { return known }
        guard let resume = known.downloadTaskResumeData, let error = supplied as? URLError else { return supplied }
        return URLError(
            error.code, userInfo: error.userInfo.merging([NSURLSessionDownloadTaskResumeData: resume]) { $1 })
    }

    private func asyncResult<Value>(
        _ error: (any Error)?, _ response: URLResponse?, _ value: () -> Value?
    ) -> Result<(Value, URLResponse), any Error> {
        if let error { return .failure(error) }
        guard let response, let value = value() else { return .failure(URLError(.unknown)) }
        return .success((value, response))
    }

    /// The file is the receiver's only during the call (BEHAVIOUR 1.B6); gone already means it was moved.
    private func remove(_ location: URL) { unlink(location.path) }
}
#endif
