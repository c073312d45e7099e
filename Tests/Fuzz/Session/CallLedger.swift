import Foundation
import SessionNetworking

/// What the caller of a run was told: each task ends once, and is not spoken of afterwards.
final class CallLedger {
    private var complaints: [String] = []
    /// Tasks whose result goes to the delegate.
    private var watched: [Int: Watched] = [:]
    private var ended: Set<Int> = []

    /// A ledger keeps no task alive.
    private struct Watched { weak var begun: BegunTask? }

    /// Tasks that ended without an error.
    private(set) var successes = 0
    private var invalidations = 0
    /// Tasks that were made on the invalid session: a delegate of their own hears of their making and their end.
    private var late: Set<Int> = []
    private var owedHandlers = 0

    func complain(_ sentence: String) { if complaints.count < 10 { complaints.append(sentence) } }

    /// The delegate will hear of this task's end.
    func watch(_ task: URLSessionTask, _ begun: BegunTask) {
        watched[task.taskIdentifier] = Watched(begun: begun)
        if begun.beganOnInvalidSession { late.insert(task.taskIdentifier) }
    }

    func note(_ name: CallName, of task: URLSessionTask) {
        let number = task.taskIdentifier
        if ended.contains(number) { complain("\(name) of task \(number), which has ended") }
        if invalidations > 0, name == .created { late.insert(number) }
        if invalidations > 0, !late.contains(number) {
            complain("\(name) of task \(number) after the session became invalid")
        }
        guard name == .complete else { return }
        ended.insert(number)
        if let watched = watched[number] {
            end(watched.begun, task.error)
        } else {
            complain("the delegate is told that task \(number) is complete, which has a handler")
        }
    }

    func noteEnd(of begun: BegunTask, _ error: (any Error)?) {
        end(begun, error)
        if let task = begun.task { ended.insert(task.taskIdentifier) }
    }

    private func end(_ begun: BegunTask?, _ error: (any Error)?) {
        begun?.end(error)
        if error == nil { successes += 1 }
    }

    func noteInvalidation() { invalidations += 1 }

    /// The receiver of a handler calls it once.
    func expectHandler(_ call: (@escaping @Sendable () -> Void) -> Void) {
        owedHandlers += 1
        let once = Once(self)
        call { once.call() }
    }

    fileprivate func handlerCalled(again: Bool) {
        if again { complain("a handler is called twice") } else { owedHandlers -= 1 }
    }

    /// Everything is over.
    func judge(_ tasks: [BegunTask], isWatched: Bool) throws {
        if let complaint = complaints.first { throw Violation(description: complaint) }
        for (index, begun) in tasks.enumerated() {
            if let task = begun.task {
                try demand(task.state == .completed, "task \(index + 1) is \(task.state) for ever")
            }
            let isHeard = begun.task.map { watched[$0.taskIdentifier] == nil } ?? true
            // A task without a handler on an invalid session tells its caller nothing.
            let hasDelegate = isWatched || begun.beginning.hasOwnDelegate
            let least = isHeard || hasDelegate && !begun.beganOnInvalidSession ? 1 : 0
            try demand(least...1 ~= begun.ends, "task \(index + 1) ended \(begun.ends) times")
        }
        try demand(invalidations == (isWatched ? 1 : 0), "the session became invalid \(invalidations) times")
        try demand(owedHandlers == 0, "\(owedHandlers) handlers were never called")
    }

    private final class Once: @unchecked Sendable {
        // Safety: used on the simulation's thread.
        private let ledger: CallLedger
        private var wasCalled = false

        init(_ ledger: CallLedger) { self.ledger = ledger }

        func call() {
            ledger.handlerCalled(again: wasCalled)
            wasCalled = true
        }
    }
}

/// A task that the caller of a run has begun.
final class BegunTask: @unchecked Sendable {
    // Safety: used on the simulation's thread.

    let beginning: TaskBeginning
    let beganOnInvalidSession: Bool
    var task: URLSessionTask?
    var slices: SlicedUpload?
    var waiter: Task<Void, Never>?
    private(set) var ends = 0
    private(set) var resumeData: Data?

    init(_ beginning: TaskBeginning, onInvalidSession: Bool) {
        (self.beginning, beganOnInvalidSession) = (beginning, onInvalidSession)
    }

    func end(_ error: (any Error)?) {
        ends += 1
        guard let error = error as? URLError else { return }
        keep(error.downloadTaskResumeData ?? error.uploadTaskResumeData)
    }

    func keep(_ data: Data?) { resumeData = data ?? resumeData }

    var progress: Progress? { task?.progress ?? slices?.progress }

    func cancel() {
        task?.cancel()
        slices?.cancel()
        waiter?.cancel()
    }
}
