#if !canImport(Darwin)
import ClientMachines
import Foundation
import MachineContract

/// A load by an object of a protocol class.
final class ProtocolLoader: Loader, @unchecked Sendable {
    // Safety: `loading` and `isOver` are touched by jobs of `executor` only, which runs one after another; the rest is
    // immutable.

    /// Calls its handler once, from any thread.
    typealias KeptSource = @Sendable (@escaping @Sendable (CachedURLResponse?) -> Void) -> Void

    private let type: URLProtocol.Type
    private let task: URLSessionTask
    private let client: ProtocolClient
    private let executor: any CallExecutor
    private let kept: KeptSource?
    private var loading: URLProtocol?
    private var isOver = false

    init(
        _ type: URLProtocol.Type, for task: URLSessionTask, kept: KeptSource?, executor: any CallExecutor,
        inlet: EventInlet
    ) {
        self.type = type
        self.task = task
        self.kept = kept
        self.executor = executor
        client = ProtocolClient(task: task, executor: executor, inlet: inlet)
    }

    func begin() {
        let type = self.type
        if var request = task.currentRequest {
            // The one that is there may have been read, by a load before this one or by another task.
            if let form = request.httpBodyStream as? ComposedStream {
                request.httpBodyStream = ComposedStream(form.body)
            }
            // Outside of the lock: it is the caller's code.
            let canonical = type.canonicalRequest(for: request)
            task.shared.withLock { $0.currentRequest = canonical }
        }
        guard let kept else { return start(with: nil) }
        kept { found in self.executor.run { self.start(with: found) } }
    }

    private func start(with kept: CachedURLResponse?) {
        // Its cache may answer late, or twice.
        guard !isOver, self.loading == nil else { return }
        let loading = type.init(task: task, cachedResponse: kept, client: client)
        self.loading = loading
        loading.startLoading()
    }

    /// It says what it has to say when it likes.
    func goOn() {}

    func end() {
        client.close()
        executor.run { [self] in
            isOver = true
            loading?.stopLoading()
            loading = nil
        }
    }

    func challenge(_ id: LoadChallengeID) -> PendingChallenge? { client.challenge(id) }
}
#endif
