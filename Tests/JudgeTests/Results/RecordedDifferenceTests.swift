import JudgeTestSupport
import ScenarioFormat
import Testing

@testable import Judge

@Suite("Recorded differences")
struct RecordedDifferenceTests {
    private func result(_ verdict: CaseVerdict, _ findings: [Finding] = []) -> CaseResult {
        var result = Make.result("a", verdict, .sockets)
        result.client = .foundation
        result.findings = findings
        return result
    }

    private func record(
        _ verdict: KnownDifference.Kind, _ seen: String..., may: [KnownDifference.Outcome] = []
    ) -> KnownDifference {
        KnownDifference(
            client: .foundation, verdict: verdict, seen: seen, may: may, because: "so it is", mark: Make.mark)
    }

    private func name(_ result: CaseResult, _ record: KnownDifference?) -> String {
        RecordedDifference.settled(result, record).verdict.name
    }

    private let difference = [Finding(.events, "t expected 'file', got nothing at +1 s", seen: "t got nothing")]
    private let crash = [Finding(.crashed, "the worker was ended by signal 4")]

    @Test("A difference that is exactly as recorded is no failure")
    func recorded() {
        #expect(name(result(.fail, difference), record(.different, "t got nothing")) == "differs-as-recorded")
        #expect(name(result(.observed, difference), record(.broken, "t got nothing")) == "differs-as-recorded")
        #expect(name(result(.fail, crash), record(.crashed)) == "differs-as-recorded")
        #expect(name(result(.wedged), record(.wedged)) == "differs-as-recorded")
    }

    @Test("Nothing may be found that is not recorded, and what is recorded first must be")
    func everything() {
        let file = "expected 0 temporary files, got 1"
        let both = difference + [Finding(.disk, file)]
        #expect(name(result(.fail, both), record(.broken, "t got nothing")) == "fail")
        let whole = record(.broken, "t got nothing", file)
        #expect(name(result(.fail, both), whole) == "differs-as-recorded")
        #expect(name(result(.fail, difference), whole) == "differs-as-recorded")
        #expect(name(result(.fail, [Finding(.disk, file)]), whole) == "fail")
    }

    @Test("A flaky case may do what its record names, and still has to begin")
    func flaky() {
        let all: [(KnownDifference.Outcome, CaseResult)] = [
            (.conform, result(.pass)), (.differ, result(.fail, difference)), (.crash, result(.fail, crash)),
            (.hang, result(.wedged)),
        ]
        for (allowed, _) in all {
            for (outcome, seen) in all {
                let wanted = outcome == allowed ? "differs-as-recorded" : "fail"
                #expect(name(seen, record(.flaky, may: [allowed])) == wanted, "\(outcome) where it may \(allowed)")
            }
        }
        #expect(name(result(.setupFailed), record(.flaky, may: [.differ])) == "setup-failed")
    }

    @Test("A client that conforms, though recorded otherwise, fails the run: the record is stale")
    func stale() {
        for verdict in KnownDifference.Kind.allCases where verdict != .flaky {
            let settled = RecordedDifference.settled(result(.pass), record(verdict, "x"))
            #expect(settled.verdict == .fail)
            #expect(settled.findings.map(\.kind) == [.record])
            #expect(settled.findings.first?.place == Make.mark.description)
        }
    }

    @Test("Another difference than the recorded one fails")
    func other() {
        for (seen, recorded) in [
            (result(.fail, difference), record(.different, "t got complete: ok")),
            (result(.fail, difference), record(.crashed)), (result(.fail, crash), record(.wedged)),
            (result(.wedged), record(.broken, "t got nothing")),
        ] {
            #expect(RecordedDifference.settled(seen, recorded).findings.first?.kind == .record)
            #expect(name(seen, recorded) == "fail")
        }
    }

    @Test("Without a record a result stays what it is")
    func none() {
        #expect(name(result(.fail, difference), nil) == "fail")
        #expect(name(result(.pass), nil) == "pass")
    }

    @Test("What the caller sees is recorded before what the server sees")
    func order() {
        let findings = [Finding(.disk, "one file"), Finding(.wire, "no request"), Finding(.body, "t is empty")]
        #expect(
            RecordedDifference.record(of: result(.fail, findings))?.seen == ["t is empty", "no request", "one file"])
        #expect(RecordedDifference.record(of: result(.pass)) == nil)
    }
}
