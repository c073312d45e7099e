import DequeModule
import Dispatch
import Glibc
import Locks
import NIOPosix

/// Threads for calls that may block for as long as a name server or a disk likes.
///
/// One is started when work waits and none is idle, so that what is stuck holds up nothing else until `limit` calls
/// are. An idle one ends after `patience`. Work that finds no thread waits, in order.
final class BlockingThreads: Sendable {
    typealias Job = @Sendable () -> Void

    /// For look-ups. Nothing else may wait for a name server.
    static let names = BlockingThreads()
    /// For files. A disk that hangs stops the files on it, and no others until they are `limit` at once.
    static let files = BlockingThreads()

    /// For tickets. A ticket server that never answers keeps names waiting no more than disks do.
    static let tickets = BlockingThreads()

    private struct State {
        var jobs: Deque<Job> = []
        var threads = 0
        /// Threads that wait and that no signal is on its way to.
        var idle = 0
    }

    let limit: Int
    private let patience: DispatchTimeInterval
    private let state = Lock(State())
    private let signal = DispatchSemaphore(value: 0)

    init(limit: Int = 64, patience: DispatchTimeInterval = .seconds(10)) {
        self.limit = limit
        self.patience = patience
    }

    private enum Taker { case idleThread, newThread, busyThread }

    func submit(_ job: @escaping Job) {
        let taker = state.withLock { state -> Taker in
            state.jobs.append(job)
            if state.idle > 0 {
                state.idle -= 1
                return .idleThread
            }
            guard state.threads < limit else { return .busyThread }
            state.threads += 1
            return .newThread
        }
        switch taker {
        case .idleThread: signal.signal()
        case .newThread: start()
        case .busyThread: break
        }
    }

    private func start() {
        var thread = pthread_t()
        let pool = Unmanaged.passRetained(self)
        let code = pthread_create(&thread, nil, { runBlockingThread($0) }, pool.toOpaque())
        guard code != 0 else {
            _ = pthread_detach(thread)
            return
        }
        pool.release()
        // The system gives no more threads: one of ours that is there takes the job later, or else one of NIO's.
        let orphans = state.withLock { state -> Deque<Job> in
            state.threads -= 1
            guard state.threads == 0 else { return [] }
            defer { state.jobs = [] }
            return state.jobs
        }
        for job in orphans { NIOThreadPool.singleton.submit { _ in job() } }
    }

    fileprivate func run() {
        while let job = next() { job() }
    }

    /// Nil when this thread has been idle for long enough.
    private func next() -> Job? {
        while true {
            let job = state.withLock { state -> Job? in
                guard let job = state.jobs.popFirst() else {
                    state.idle += 1
                    return nil
                }
                return job
            }
            if let job { return job }
            guard signal.wait(timeout: .now() + patience) == .timedOut else { continue }
            let ends = state.withLock { state in
                guard state.idle > 0 else { return false }
                state.idle -= 1
                state.threads -= 1
                return true
            }
            if ends { return nil }
            // Every waiting thread has a signal on its way, this one too.
            signal.wait()
        }
    }
}

private func runBlockingThread(_ pool: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    if let pool { Unmanaged<BlockingThreads>.fromOpaque(pool).takeRetainedValue().run() }
    return nil
}
