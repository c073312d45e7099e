import Foundation
import Locks
import TestSupport
import Testing

@testable import SessionNetworking

@Suite(.endsInTime) struct QueueExecutorTests {
    // BEHAVIOUR 1.B1-1
    @Test func `a session's own queue runs jobs in order`() {
        let queue = OwnDelegateQueue()
        let executor = QueueExecutor(queue)
        let journal = Journal()
        for number in 1...100 { executor.run { journal.note("\(number)") } }
        queue.serial.sync {}
        #expect(journal.take() == (1...100).map { "\($0)" })
    }

    @Test func `a suspended queue holds its jobs`() {
        let queue = OwnDelegateQueue()
        let executor = QueueExecutor(queue)
        let journal = Journal()
        queue.isSuspended = true
        executor.run { journal.note("ran") }
        // Not suspended itself: a job that had gone there past the suspension would come before this.
        queue.serial.sync {}
        #expect(journal.take().isEmpty)
        queue.isSuspended = false
        queue.waitUntilAllOperationsAreFinished()
        #expect(journal.take() == ["ran"])
    }

    // BEHAVIOUR 1.B1-1
    @Test func `a caller's queue sees operations`() {
        let queue = OperationQueue()
        let executor = QueueExecutor(queue)
        let current = Lock<OperationQueue?>(nil)
        executor.run { current.withLock { $0 = OperationQueue.current } }
        queue.waitUntilAllOperationsAreFinished()
        #expect(current.withLock { $0 } === queue)
    }
}
