#if !canImport(Darwin)
import ClientMachines
import Foundation

/// On the engine's thread: a task's public state follows the machine, and what needs no hop is done without one.
extension DelegateDispatcher {
    func arrived(_ call: UserCall, for task: URLSessionTask) {
        switch call {
        case .requestChanged(let request):
            let current = task.publicForm(of: request)
            task.shared.withLock { state in
                state.nextRequest = nil
                state.currentRequest = current
            }
        case .letIn(let admission):
            keepGivenCredential(of: task, to: admission)
        case .response(let response):
            arrived(response, for: task)
        case .data(let bytes):
            let (isTold, onDisk) = task.shared.withLock { state in
                state.received += Int64(bytes.readableBytes)
                return (state.tellsBody, state.collected?.append(bytes))
            }
            if let onDisk, !onDisk.isEmpty { write(onDisk, of: task) }
            if isTold { return leave(.call(task, call)) }
            task.endpoint.keep(bytes)
            leaveIfProgress(task)
        case .becameDownload:
            becameDownload(task)
        case .wrote(let bytes, _, _):
            task.shared.withLock { $0.received += bytes }
            if listeners(.wrote, of: task).isEmpty { leaveIfProgress(task) } else { leave(.call(task, call)) }
        case .sentBody(let bytes, _, _):
            task.shared.withLock { $0.sent += bytes }
            if candidates(.sentBody, for: task).isEmpty {
                leaveIfProgress(task)
            } else {
                leave(.call(task, call))
            }
        case .waitingForConnectivity:
            if !candidates(.waiting, for: task).isEmpty { leave(.call(task, call)) }
        case .informational:
            if !candidates(.informational, for: task).isEmpty { leave(.call(task, call)) }
        case .resumed:
            leaveIfDelegate(call, task)
        case .file(let path):
            switch task.endpoint {
            case .fileHandler(let file, _), .asyncFile(let file, _): file.put(path)
            case .delegate, .dataHandler, .asyncData, .asyncBytes: leave(.call(task, call))
            }
        case .metrics:
            if !candidates(.metrics, for: task).isEmpty { leave(.call(task, call)) }
        case .complete(let failure):
            completed(task, failure)
        }
    }

    func arrived(_ response: Response, for task: URLSessionTask) {
        let public_ = task.note(response)
        if case .asyncBytes(let channel, let result) = task.endpoint, let task = task as? URLSessionDataTask {
            let bytes = URLSession.AsyncBytes(source: ByteSource(task: task, channel: channel))
            result.fulfil(.success((bytes, public_)))
        }
    }

    /// An asynchronous caller without any delegate is resumed straight from here: no hop, since nothing can overtake.
    private func completed(_ task: URLSessionTask, _ failure: Failure?) {
        let isWatched: Bool? = task.shared.withLock { state in
            // The dispatcher ran ahead between this call's looking for the task and now.
            if state.isDecided { return nil }
            state.isDecided = true
            return state.isWatched
        }
        guard let isWatched else { return }
        if !isWatched, hasNobodyElse(task) { return complete(task, failure) }
        leave(.call(task, .complete(failure)))
    }

    /// Nobody but the caller of an asynchronous method can hear of the task, except for those that it knows itself.
    func hasNobodyElse(_ task: URLSessionTask) -> Bool {
        switch task.endpoint {
        case .asyncData, .asyncFile, .asyncBytes: sessionDelegate == nil && !task.hasCustomCookies
        case .delegate, .dataHandler, .fileHandler: false
        }
    }

    private func leaveIfDelegate(_ call: UserCall, _ task: URLSessionTask) {
        if case .delegate = task.endpoint { leave(.call(task, call)) } else { leaveIfProgress(task) }
    }

    private func leaveIfProgress(_ task: URLSessionTask) {
        if task.shared.withLock({ $0.progress != nil }) { leave(.progress(task)) }
    }

    /// The delegates that are told how a body comes in: of an asynchronous call its own only (BEHAVIOUR 1.B1-12).
    func listeners(_ method: DelegateMethod, of task: URLSessionTask) -> DelegateChoice {
        switch task.endpoint {
        case .delegate: candidates(method, for: task)
        case .dataHandler, .fileHandler: DelegateChoice(task: nil, session: nil)
        case .asyncData, .asyncFile, .asyncBytes:
            DelegateChoice(task: task.shared.withLock { $0.delegate }, session: nil).able(to: method)
        }
    }

    func candidates(_ method: DelegateMethod, for task: URLSessionTask) -> DelegateChoice {
        DelegateChoice(task: task.shared.withLock { $0.delegate }, session: sessionDelegate).able(to: method)
    }
}
#endif
