import ClientMachines
import HTTPBasics
import Testing

@testable import Simulator

@Suite struct MetricsCheckerTests {
    private static func wanting(_ use: TaskPlan.Metrics = .told, suspended: Bool = false) -> Observation {
        var plan = TaskPlan.get()
        plan.metrics = use
        return input(.start(one, plan, suspended: suspended))
    }

    private static func transaction(_ change: (inout Transaction) -> Void = { _ in }) -> Transaction {
        var transaction = Transaction(ClientRequest(url: URLReference(path: "/")), fetchStart: .zero)
        transaction.lookup = Transaction.Phase(start: .zero, end: .zero)
        transaction.connect = Transaction.Phase(start: .zero, end: .zero)
        transaction.carrier = Transaction.Carrier(isReused: false)
        transaction.sending = Transaction.Phase(start: .zero, end: .zero)
        transaction.receiving = Transaction.Phase(start: .zero, end: .zero)
        transaction.response = okay
        change(&transaction)
        return transaction
    }

    /// What a protocol class has answered.
    private static func loaded(_ change: (inout Transaction) -> Void = { _ in }) -> Transaction {
        transaction {
            ($0.lookup, $0.connect, $0.sending, $0.carrier) = (nil, nil, nil, nil)
            $0.received.plainBody = 5
            change(&$0)
        }
    }

    private static let late = Instant(nanoseconds: 5)

    @Test(
        arguments: [
            [wanting(), tell(metrics(transaction())), tell(success)],
            [wanting(.observed), tell(metrics(transaction())), tell(failure)],
            [wanting(.none), tell(success)],
            [input(.invalidate(cancelling: false)), wanting(), tell(failure)],
            [wanting(suspended: true), tell(failure)],
            [wanting(), tell(metrics(transaction { $0.sending?.end = nil })), tell(success)],
            [wanting(), tell(metrics(loaded())), tell(success)],
            [
                wanting(),
                tell(
                    metrics(
                        transaction {
                            ($0.lookup, $0.connect) = (nil, nil)
                            $0.carrier?.isReused = true
                        })), tell(success),
            ],
        ] as [[Observation]])
    func `what can be passes`(observations: [Observation]) {
        #expect(findings(of: MetricsChecker(), observations).isEmpty)
    }

    @Test(
        arguments: [
            ([wanting(), tell(success)], "completes without metrics"),
            ([wanting(suspended: true), input(.resume(one)), tell(success)], "completes without metrics"),
            ([wanting(.none), tell(metrics(transaction()))], "does not want"),
            ([wanting(), tell(metrics(transaction())), tell(metrics(transaction()))], "told twice"),
            ([wanting(), tell(metrics(end: late))], "another time"),
            ([wanting(), tell(metrics(transaction { $0.lookup?.end = late }))], "transaction 0: its phases overlap"),
            ([wanting(), tell(metrics(transaction { $0.receiving?.end = late }))], "its phases overlap"),
            ([wanting(), tell(metrics(transaction { $0.carrier?.isReused = true }))], "opened again"),
            ([wanting(), tell(metrics(transaction { $0.carrier = nil }))], "without a connection"),
            ([wanting(), tell(metrics(transaction { $0.receiving = nil }))], "an answer without a byte"),
            ([wanting(), tell(metrics(loaded { $0.received.body = 1 }))], "over no connection"),
            ([wanting(), tell(metrics(loaded { $0.sent.head = 1 }))], "over no connection"),
            ([wanting(), tell(metrics(transaction { $0.sent.body = -1 }))], "a negative number"),
        ] as [([Observation], String)])
    func `what cannot be is found`(observations: [Observation], part: String) {
        let sentences = findings(of: MetricsChecker(), observations)
        #expect(sentences.count == 1)
        #expect(sentences.first?.contains(part) == true, "\(sentences)")
    }
}
