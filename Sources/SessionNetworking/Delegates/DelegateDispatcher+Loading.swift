#if !canImport(Darwin)
import ClientMachines
import Foundation
import HTTPBasics
import MachineContract

/// Loads that go over no connection: who does them. On the engine's thread.
extension DelegateDispatcher {
    func perform(_ action: LoadAction, of load: LoadID, for id: TaskID) {
        guard let task = state.withLock({ $0.tasks[id] }) else { return }
        switch action {
        case .begin(let request, let isAtHome):
            begin(request, isAtHome: isAtHome, of: load, for: task)
        case .beginKept(let index, let request):
            beginKept(index, request, of: load, for: task)
        case .goOn:
            task.shared.withLock { $0.loading }?.goOn()
        case .end:
            let loading = task.shared.withLock { state in
                defer { state.loading = nil }
                return state.loading
            }
            loading?.end()
        }
    }

    /// Protocol classes first, in their order; then the session's own loaders; what is left goes over HTTP.
    private func begin(_ request: ClientRequest, isAtHome: Bool, of load: LoadID, for task: URLSessionTask) {
        let inlet = inlet(of: load, for: TaskID(task.identifier))
        let loading = Loading(inlet)
        task.shared.withLock { $0.loading = loading }
        let local: @Sendable () -> (any Loader)? = { [world] in
            guard request.isLocal else { return nil }
            let executor = world.makeBodyExecutor()
            return request.url.scheme?.equalsIgnoringCase("file") == true
                ? FileLoader(request.url, for: task, executor: executor, inlet: inlet)
                : DataLoader(request.url, for: task, executor: executor, inlet: inlet)
        }
        guard let classes = task.session?.protocolClasses, !classes.isEmpty else { return loading.begin(local) }
        let executor = executor(\.protocols)
        executor.run {
            loading.begin {
                task.addSessionFields(isAtHome: isAtHome)
                guard let type = classes.first(where: { $0.canInit(with: task) }) else { return local() }
                return ProtocolLoader(
                    type, for: task, kept: self.keptForClass(task), executor: executor, inlet: inlet)
            }
        }
    }

    func inlet(of load: LoadID, for task: TaskID) -> EventInlet {
        EventInlet(
            enqueue: { [link] event in link.enqueue(.loaded(task, load, event)) }, wake: { [link] in link.wake() })
    }

    /// One of the session's own, made when there is something for it. On the engine's thread.
    func executor(_ which: WritableKeyPath<State, (any CallExecutor)?> & Sendable) -> any CallExecutor {
        if let executor = state.withLock({ $0[keyPath: which] }) { return executor }
        let executor = world.makeBodyExecutor()
        state.withLock { $0[keyPath: which] = executor }
        return executor
    }
}

extension URLSessionTask {
    /// A protocol class sees the fields that its session adds to every request (BEHAVIOUR 1.C3-additional).
    fileprivate func addSessionFields(isAtHome: Bool) {
        guard var fields = session?.settled.values.additionalFields, !fields.isEmpty else { return }
        if !isAtHome { fields.leaveTarget() }
        shared.withLock { state in
            for field in fields.list where state.currentRequest?.value(forHTTPHeaderField: field.name) == nil {
                state.currentRequest?.setValue(field.value, forHTTPHeaderField: field.name)
            }
        }
    }
}
#endif
