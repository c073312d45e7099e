#if !canImport(Darwin)
import Foundation
import MachineContract

/// Runs jobs on a delegate queue.
///
/// A session's own queue is entered through its underlying dispatch queue, which costs half of an operation;
/// there `OperationQueue.current` is nil. A caller's queue, and a suspended one, get operations.
final class QueueExecutor: CallExecutor {
    private let queue: OperationQueue

    init(_ queue: OperationQueue) { self.queue = queue }

    func run(_ job: @escaping @Sendable () -> Void) {
        if let own = queue as? OwnDelegateQueue, !own.isSuspended {
            own.serial.async(execute: job)
        } else {
            queue.addOperation(job)
        }
    }
}

/// A serial queue of its own, for work that may wait: reading a body stream.
final class SerialExecutor: CallExecutor {
    private let queue = DispatchQueue(label: "SessionNetworking.body")

    func run(_ job: @escaping @Sendable () -> Void) { queue.async(execute: job) }
}

/// The serial queue that a session makes when it is given none.
///
/// Safety: adds one immutable constant to a thread-safe class.
final class OwnDelegateQueue: OperationQueue, @unchecked Sendable {
    let serial = DispatchQueue(label: "SessionNetworking.delegate")

    override init() {
        super.init()
        maxConcurrentOperationCount = 1
        underlyingQueue = serial
        name = "SessionNetworking.delegate"
    }
}
#endif
