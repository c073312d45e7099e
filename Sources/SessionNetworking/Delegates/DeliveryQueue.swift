#if !canImport(Darwin)
import ClientMachines

/// Deliveries that wait for the delegate queue, in order.
///
/// Bounded by what the machines bound: a window of data, one question a task. Progress is not, so that of each task
/// what waits is told in one: a delegate that is slow hears of it less often (BEHAVIOUR 1.B2-merged).
struct DeliveryQueue {
    typealias Delivery = DelegateDispatcher.Delivery

    private var pending: [Delivery] = []
    /// Empty storage, for the turn after the next.
    private var spare: [Delivery] = []
    /// Where the progress of a task waits, by its identifier, if nothing else of that task stands behind it.
    private var progress: [Int: Int] = [:]
    /// The delegate queue is on its way.
    var isScheduled = false

    var isEmpty: Bool { pending.isEmpty }
    var isFlushDue: Bool { !isScheduled && !pending.isEmpty }

    mutating func append(_ delivery: Delivery) {
        if let task = delivery.progressTask {
            if let index = progress[task], let merged = pending[index].merged(with: delivery) {
                pending[index] = merged
                return
            }
            progress[task] = pending.count
        } else if !progress.isEmpty {
            if let task = delivery.task { progress[task] = nil } else { progress.removeAll(keepingCapacity: true) }
        }
        pending.append(delivery)
    }

    /// - Parameter batch: Empty.
    mutating func takeAll(into batch: inout [Delivery]) {
        swap(&batch, &spare)
        swap(&batch, &pending)
        if !progress.isEmpty { progress.removeAll(keepingCapacity: true) }
    }

    /// - Parameter storage: Empty, for what comes later.
    mutating func keep(_ storage: inout [Delivery]) { swap(&storage, &spare) }
}

extension DelegateDispatcher.Delivery {
    /// Whose it is; nil where it may concern any.
    fileprivate var task: Int? {
        switch self {
        case .call(let task, _), .question(let task, _, _), .progress(let task): task.identifier
        case .job, .invalidated: nil
        }
    }

    /// The task whose progress it tells, and nothing else.
    fileprivate var progressTask: Int? {
        switch self {
        case .call(let task, .wrote), .call(let task, .sentBody), .progress(let task): task.identifier
        case .call, .question, .job, .invalidated: nil
        }
    }

    /// Both in one, of the same task; nil if they tell different things.
    fileprivate func merged(with later: Self) -> Self? {
        switch (self, later) {
        case (.progress, .progress): self
        case (.call(let task, let former), .call(_, let later)): former.merged(with: later).map { .call(task, $0) }
        default: nil
        }
    }
}

extension UserCall {
    /// The sum of two steps, if the second one goes on where the first one ended.
    func merged(with later: UserCall) -> UserCall? {
        switch (self, later) {
        case (.wrote(let bytes, let total, let expected), .wrote(let more, let sum, let last)) where expected == last:
            Self.sum(bytes, total, more, sum).map { .wrote(bytes: $0, total: sum, expected: last) }
        case (.sentBody(let bytes, let total, let expected), .sentBody(let more, let sum, let last))
        where expected == last:
            Self.sum(bytes, total, more, sum).map { .sentBody(bytes: $0, total: sum, expected: last) }
        default: nil
        }
    }

    private static func sum(_ bytes: Int64, _ total: Int64, _ more: Int64, _ sum: Int64) -> Int64? {
        let (reached, isTooFar) = total.addingReportingOverflow(more)
        let (both, isTooMany) = bytes.addingReportingOverflow(more)
        return !isTooFar && !isTooMany && reached == sum ? both : nil
    }
}
#endif
