import HTTPBasics
import ScenarioFormat
import ServerScript
import JudgeTestSupport
import Testing

@testable import Judge

@Suite("One event against one pattern")
struct EventMatchComparisonTests {
    struct Row: Sendable {
        var match: EventMatch
        var event: SeenEvent
        var holds: Bool
    }

    static func row(_ match: EventMatch, _ event: SeenEvent, _ holds: Bool) -> Row {
        Row(match: match, event: event, holds: holds)
    }

    static let response = Make.seen(.response) {
        $0.status = 200
        $0.url = "/end?x=1"
        $0.fields = Fields([.init("ETag", "\"v1\""), .init("Vary", "a"), .init("Vary", "b")])
    }
    static let elsewhere = Make.seen(.response) { $0.url = "$origin.b.test/end" }
    static let lost = Make.seen(.complete) { $0.outcome = .failure(code: "networkConnectionLost", hasResumeData: true) }

    static let rows: [Row] = [
        row(Make.match(.response), response, true),
        row(Make.match(.data), response, false),
        row(Make.match(.response) { $0.status = 200 }, response, true),
        row(Make.match(.response) { $0.status = 206 }, response, false),
        row(Make.match(.response) { $0.url = "/end?x=1" }, response, true),
        row(Make.match(.response) { $0.url = "/end" }, response, false),
        row(Make.match(.response) { $0.url = "/end" }, elsewhere, true),
        row(Make.match(.response) { $0.url = "$origin.b.test/end" }, elsewhere, true),
        row(Make.match(.response) { $0.url = "$origin.c.test/end" }, elsewhere, false),
        row(Make.match(.response) { $0.fields = [.init("etag", .equals("\"v1\""))] }, response, true),
        row(Make.match(.response) { $0.fields = [.init("vary", .equals("a, b"))] }, response, true),
        row(Make.match(.response) { $0.fields = [.init("ETag", .equals("\"v2\""))] }, response, false),
        row(Make.match(.response) { $0.fields = [.init("Age", .present)] }, response, false),
        row(Make.match(.redirect) { $0.to = "GET /x" }, Make.seen(.redirect) { $0.to = "GET /x" }, true),
        row(Make.match(.redirect) { $0.to = "GET /x" }, Make.seen(.redirect) { $0.to = "POST /x" }, false),
        row(Make.match(.data) { $0.total = .exactly(4) }, Make.seen(.data) { $0.total = 4 }, true),
        row(Make.match(.data) { $0.total = .exactly(4) }, Make.seen(.data) { $0.total = 5 }, false),
        row(Make.match(.data) { $0.total = .atLeast(4) }, Make.seen(.data) { $0.total = 5 }, true),
        row(Make.match(.data) { $0.total = .atLeast(6) }, Make.seen(.data) { $0.total = 5 }, false),
        row(Make.match(.data) { $0.total = .atMost(4) }, Make.seen(.data) { $0.total = 5 }, false),
        row(Make.match(.resumed) { $0.offset = 7 }, Make.seen(.resumed) { $0.offset = 7 }, true),
        row(Make.match(.resumed) { $0.offset = 7 }, Make.seen(.resumed) { $0.offset = 8 }, false),
        row(Make.match(.wrote) { $0.expected = -1 }, Make.seen(.wrote) { $0.expected = 9 }, false),
        row(Make.match(.challenge) { $0.realm = "box" }, Make.seen(.challenge) { $0.realm = "box" }, true),
        row(Make.match(.challenge) { $0.realm = "box" }, Make.seen(.challenge) { $0.realm = "bag" }, false),
        row(
            Make.match(.challenge) { $0.previousFailures = 0 }, Make.seen(.challenge) { $0.previousFailures = 1 }, false
        ),
        row(Make.match(.challenge) { $0.method = "basic" }, Make.seen(.challenge) { $0.method = "basic" }, true),
        row(
            Make.match(.file) { $0.content = .text("ab") }, Make.seen(.file) { $0.content = SeenContent("ab".utf8) },
            true),
        row(
            Make.match(.file) { $0.content = .text("ab") }, Make.seen(.file) { $0.content = SeenContent("ax".utf8) },
            false),
        row(Make.match(.file) { $0.content = .text("ab") }, Make.seen(.file), false),
        row(Make.match(.complete) { $0.outcomes = [.success] }, lost, false),
        row(Make.match(.complete) { $0.outcomes = [.success] }, Make.success, true),
        row(
            Make.match(.complete) { $0.outcomes = [.failure(code: "networkConnectionLost", hasResumeData: nil)] }, lost,
            true),
        row(
            Make.match(.complete) { $0.outcomes = [.failure(code: "networkConnectionLost", hasResumeData: true)] },
            lost, true),
        row(
            Make.match(.complete) { $0.outcomes = [.failure(code: "networkConnectionLost", hasResumeData: false)] },
            lost, false),
        row(
            Make.match(.complete) {
                $0.outcomes = [.success, .failure(code: "networkConnectionLost", hasResumeData: nil)]
            }, lost, true),
        row(Make.match(.complete) { $0.outcomes = [.failure(code: "timedOut", hasResumeData: nil)] }, lost, false),
    ]

    private static let transaction: SeenMetrics.Transaction = {
        var transaction = SeenMetrics.Transaction(request: "GET /a")
        transaction.status = 302
        transaction.protocolName = "http/1.1"
        transaction.dates = [.requestStart: .zero, .requestEnd: .zero, .responseStart: .zero]
        (transaction.sent, transaction.sentPlain) = (15, 5)
        (transaction.received, transaction.receivedPlain) = (40, 100)
        return transaction
    }()

    static let transactionRows: [(String, Bool, @Sendable (inout TransactionMatch) -> Void)] = [
        ("request", true, { $0.request = "GET /a" }), ("request", false, { $0.request = "GET /b" }),
        ("status", true, { $0.status = .exactly(302) }), ("status", false, { $0.status = .exactly(200) }),
        ("status", false, { $0.status = TransactionMatch.Status.none }),
        ("reused", true, { $0.isReused = false }), ("reused", false, { $0.isReused = true }),
        ("protocol", true, { $0.protocolName = "http/1.1" }), ("protocol", false, { $0.protocolName = "none" }),
        ("phases", true, { $0.phases = [.request] }), ("phases", false, { $0.phases = [.request, .response] }),
        ("unfinished", true, { $0.unfinished = [.response] }), ("unfinished", false, { $0.unfinished = [] }),
        ("sent", true, { ($0.sent, $0.sentPlain) = (15, 5) }), ("sent", false, { $0.sent = 5 }),
        ("sent-plain", false, { $0.sentPlain = 15 }),
        ("received", true, { ($0.received, $0.receivedPlain) = (40, 100) }),
        ("received", false, { $0.received = 100 }), ("received-plain", false, { $0.receivedPlain = 40 }),
    ]

    @Test("Each property of a transaction accepts and rejects", arguments: transactionRows.indices)
    func transaction(index: Int) {
        let (name, holds, set) = Self.transactionRows[index]
        var match = TransactionMatch(mark: Make.mark)
        set(&match)
        let seen = Make.seen(.metrics) {
            $0.metrics = SeenMetrics(redirects: 1, transactions: [Self.transaction], end: .zero)
        }
        let difference = Make.match(.metrics) { $0.transactions = [match] }.difference(from: seen)
        #expect((difference == nil) == holds, "\(difference ?? "no difference")")
        #expect(difference?.hasPrefix("transactions[0]: \(name): ") != false)
    }

    @Test("Metrics have as many redirects and transactions as are wanted")
    func metrics() {
        let two = SeenMetrics(redirects: 1, transactions: [Self.transaction, Self.transaction], end: .zero)
        let seen = Make.seen(.metrics) { $0.metrics = two }
        let match = TransactionMatch(mark: Make.mark)
        #expect(Make.match(.metrics).difference(from: seen) == nil)
        #expect(Make.match(.metrics) { $0.redirects = 1 }.difference(from: seen) == nil)
        #expect(Make.match(.metrics) { $0.redirects = 0 }.difference(from: seen) == "redirects: expected 0, got 1")
        #expect(Make.match(.metrics) { $0.transactions = [match, match] }.difference(from: seen) == nil)
        for count in [0, 1, 3] {
            let wrong = Make.match(.metrics) { $0.transactions = Array(repeating: match, count: count) }
            #expect(wrong.difference(from: seen) == "transactions: expected \(count), got 2")
        }
        #expect(Make.match(.metrics) { $0.redirects = 1 }.difference(from: Make.seen(.metrics)) != nil)
    }

    @Test("Each property accepts and rejects", arguments: rows)
    func property(row: Row) {
        let difference = row.match.difference(from: row.event)
        #expect((difference == nil) == row.holds, "\(difference ?? "no difference")")
    }
}
