import HTTPBasics
import JudgeTestSupport
import ScenarioFormat
import ServerScript
import Testing

@testable import Harness

@Suite("Ways to make an expectation wrong")
struct ExpectationMutantsTests {
    private func changes(_ set: (inout ScenarioFormat.Expectation) -> Void) -> Set<String> {
        var expectation = ScenarioFormat.Expectation()
        set(&expectation)
        return Set(ExpectationMutants.all(of: expectation).map(\.change))
    }

    private func changes(of events: [EventPattern]) -> Set<String> {
        changes { $0.tasks = [Sample.expect("t", events)] }
    }

    @Test("Of a request on the wire every field, every absence and the body")
    func wire() {
        let found = changes {
            var request = WireExpectation(line: "POST /in", mark: Make.mark)
            request.fields = [.init("Host", .present), .init("X-A", .equals("1"))]
            request.absent = ["Range", "Cookie"]
            request.body = .prefix(of: .text("abc"))
            $0.wire = [.request(request)]
        }
        #expect(
            found == [
                "another request on the wire", "one request less on the wire", "another Host on the wire",
                "no Host on the wire", "another X-A on the wire", "no X-A on the wire", "some Range on the wire",
                "some Cookie on the wire", "a beginning of another body on the wire",
            ])
    }

    @Test("Of events what stands inside unordered, repeat, maybe and the alternative that came")
    func nested() {
        let response = Sample.response(200), data = Sample.data(3)
        let status = "response with another status", total = "data with another total"
        #expect(changes(of: [.unordered([response, data])]) == [status, total, "no response", "no data"])
        #expect(changes(of: [.repeat(2...2, response)]) == [status, "one more of what repeats"])
        let maybe = EventPattern.maybe([Make.match(.response) { $0.status = 200 }])
        #expect(changes(of: [.repeat(2...2, maybe)]) == [status])
        #expect(changes(of: [.maybe([Make.match(.response) { $0.status = 200 }])]) == [status])
        #expect(
            changes(of: [.anyOf([[response, data]])]) == [
                status, total, "no response", "no data", "data before response",
            ])
        #expect(changes(of: [.anyOf([[response], [data]])]) == [])
        #expect(changes(of: [.anything, .unordered([response])]) == [status])
    }

    @Test("Of a list of transactions each, and each of their phases")
    func transactions() {
        var transaction = TransactionMatch(mark: Make.mark)
        transaction.phases = [.connect, .request]
        transaction.unfinished = []
        let metrics = Make.pattern(.metrics) { $0.transactions = [transaction, TransactionMatch(mark: Make.mark)] }
        #expect(
            changes(of: [metrics]) == [
                "metrics with no connect in transaction 0", "metrics with no request in transaction 0",
                "metrics with another unfinished phase in transaction 0", "metrics with no transaction 0",
                "metrics with no transaction 1",
            ])
    }
}
