import JudgeTestSupport
import ScenarioFormat
import Testing

@testable import Judge

@Suite("Records of what is not the same every time")
struct FlakyRecordsTests {
    private let record = KnownDifference(
        client: .foundation, verdict: .flaky, may: [.conform, .differ], because: "so it is", mark: Make.mark)

    private func result(_ id: String, _ verdict: CaseVerdict) -> CaseResult {
        var result = Make.result(id, verdict, .sockets)
        result.client = .foundation
        result.plays = 20
        if verdict == .fail { result.findings = [Finding(.events, "t got nothing")] }
        return result
    }

    @Test("One none of whose cases ever differs is stale")
    func stale() {
        var records = FlakyRecords()
        #expect(records.settled(result("a", .pass), record) == nil)
        #expect(records.settled(result("b", .pass), record) == nil)
        let rest = records.rest { _ in true }
        #expect(rest.map(\.verdict) == [.fail, .fail])
        let wanted = "it conforms, however often it is played (20 times), though recorded as flaky: a stale record"
        #expect(rest.first?.findings.map(\.summary) == [wanted])
    }

    @Test("One case that differs is enough for all of a record, and a part of one is not judged")
    func sound() {
        var records = FlakyRecords()
        #expect(records.settled(result("a", .pass), record) == nil)
        #expect(records.rest { _ in false }.map(\.verdict.name) == ["differs-as-recorded"])
        #expect(records.settled(result("b", .fail), record)?.verdict.name == "differs-as-recorded")
        #expect(records.rest { _ in true }.map(\.verdict.name) == ["differs-as-recorded"])
    }

    @Test("What is not flaky is reported at once")
    func others() {
        var records = FlakyRecords()
        #expect(records.settled(result("a", .pass), nil)?.verdict == .pass)
        #expect(records.settled(result("a", .wedged), record)?.verdict == .fail)
        #expect(records.rest { _ in true }.isEmpty)
    }
}
