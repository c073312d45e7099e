import ClientMachines
import HTTPBasics
import Judge

extension TransferRecorder {
    /// For `SessionWorld.onMetrics`: takes what our machines have noted.
    var listener: @Sendable (TaskID, TaskMetrics) -> Void {
        { [self] task, metrics in
            for transaction in metrics.transactions {
                add(Transfer(transaction, taskEnd: metrics.end), task: task.value)
            }
        }
    }
}

extension Transfer {
    fileprivate init(_ transaction: Transaction, taskEnd: Instant) {
        let phases: [(Phase, Transaction.Phase?)] = [
            (.lookup, transaction.lookup), (.connect, transaction.connect), (.secure, transaction.secure),
            (.request, transaction.sending),
            (.response, transaction.receiving),
        ]
        let spans = phases.compactMap { phase, span in
            span.map { Span(phase, start: $0.start.seconds, end: $0.end?.seconds) }
        }
        let request = transaction.request
        self.init(
            task: "", request: "\(request.method) \(request.url.withoutUserInformation)",
            status: transaction.response?.head.status, isReused: transaction.carrier?.isReused,
            start: transaction.fetchStart.seconds, spans: spans, taskEnd: taskEnd.seconds)
    }
}

extension Instant {
    fileprivate var seconds: Double { Double(nanoseconds) / 1e9 }
}
