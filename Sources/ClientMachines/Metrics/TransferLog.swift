import HTTPBasics

/// Notes the transactions of one task while they happen. A task has one only where its metrics are wanted.
///
/// What a task does itself happens `now`; what its connection or its loader does is told with an instant.
final class TransferLog {
    /// Redirects and retries are few, but a delegate may answer challenges for ever: then the last one stands for all
    /// that are too many.
    static let mostTransactions = 200

    /// The instant of the input that the task is at work on.
    var now: Instant
    private var wasResumed = false
    private var transactions: [Transaction] = []
    private var lastArrival: Instant?
    /// Of the present request, head included.
    private var taken: Int64 = 0

    init(at instant: Instant) { now = instant }

    /// All of it, at the end; nil for a task that was never resumed (BEHAVIOUR 2.G1-never).
    func metrics(redirectCount: Int) -> TaskMetrics? {
        guard wasResumed else { return nil }
        return TaskMetrics(transactions: transactions, redirectCount: redirectCount, end: now)
    }

    // MARK: - The task

    func resumed() { wasResumed = true }

    /// A request is to be tried. Nothing begins anew for one that had neither a connection nor an answer yet: it was
    /// suspended, or its body was asked for.
    func begin(_ request: ClientRequest) {
        var start = now
        if let last = transactions.last, last.carrier == nil, last.response == nil {
            start = last.fetchStart
            transactions.removeLast()
        } else if transactions.count == Self.mostTransactions {
            transactions.removeLast()
        }
        lastArrival = nil
        taken = 0
        transactions.append(Transaction(request, fetchStart: start))
    }

    /// The head goes out, with as much of the body as fits; of a request that ends with it nothing more is heard.
    func requestBegan(headBytes: Int, isWhole: Bool) {
        change { transaction in
            transaction.sent.head = Int64(headBytes)
            transaction.sending = Transaction.Phase(start: now, end: isWhole ? now : nil)
        }
    }

    /// The transport took `bytes` more, so that `plainBody` bytes of the body itself are gone.
    func wrote(_ bytes: Int, plainBody: Int64, isWhole: Bool) {
        taken += Int64(bytes)
        change { transaction in
            transaction.sent.body = max(0, taken - transaction.sent.head)
            transaction.sent.plainBody = plainBody
            if isWhole { transaction.sending?.end = now }
        }
    }

    /// A kept response is the answer.
    func isLocal() { change { $0.isFromCache = true } }

    func answered(_ response: Response) { change { $0.response = response } }

    /// The answer is complete; it was when its last byte came, however long the user let it lie (BEHAVIOUR 2.G3-end).
    func responseEnded() { change { $0.receiving?.end = lastArrival ?? now } }

    func delivered(_ bytes: Int) { change { $0.received.plainBody += Int64(bytes) } }

    // MARK: - Its connection, or its loader

    /// Bytes of an answer came, whether they make an event or not.
    func arrived(at instant: Instant) {
        lastArrival = instant
        change { if $0.receiving == nil { $0.receiving = Transaction.Phase(start: instant) } }
    }

    /// How it is to go is known.
    func routed(isProxied: Bool) { change { $0.isProxied = isProxied } }

    /// For a dial, or for a connection that came free; what a dial did before counts not at all (BEHAVIOUR 2.G3-line).
    func waited(since start: Instant, for dial: Dial.Progress?) {
        change { transaction in
            transaction.lookup = dial?.lookup.clamped(to: start)
            transaction.connect = dial?.connect?.clamped(to: start)
            transaction.secure = dial?.secure?.clamped(to: start)
        }
    }

    func connected(_ carrier: Transaction.Carrier) { change { $0.carrier = carrier } }

    /// How much of the answer has come so far.
    func received(head: Int64, body: Int64) {
        change { transaction in
            transaction.received.head = head
            transaction.received.body = body
        }
    }

    private func change(_ change: (inout Transaction) -> Void) {
        guard let last = transactions.indices.last else { return }
        change(&transactions[last])
    }
}
