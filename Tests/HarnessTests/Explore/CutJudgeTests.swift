import HTTPBasics
import Judge
import JudgeTestSupport
import ScenarioFormat
import ServerScript
import Simulator
import Testing

@testable import Harness

@Suite("Judging a cut")
struct CutJudgeTests {
    /// One task's run: what its caller was given, and what the server read.
    private static func observation(
        _ body: String, _ outcome: SeenEvent.Outcome?, status: Int? = 200, server: [ServerEvent] = []
    ) -> CaseObservation {
        var observation = CaseObservation()
        var task = EventJournal.TaskRecord(label: "t", kind: .data, target: "/")
        task.resumedAt = .zero
        task.body = SeenContent(body.utf8)
        observation.journal.add(task: task)
        if let status { observation.journal.record(Make.seen(.response) { $0.status = status }) }
        if let outcome { observation.journal.record(Make.seen(.complete) { $0.outcome = outcome }) }
        observation.server = server
        return observation
    }

    private static func requests(
        _ lines: [String], fields: Fields = Fields(), body: String? = nil, status: Int = 200
    ) -> [ServerEvent] {
        lines.enumerated().flatMap { index, line in
            let words = line.split(separator: " ").map(String.init)
            let head = RecordedRequest(method: words[0], target: words[1], fields: fields, lane: nil, host: "a.test")
            var kinds: [ServerEvent.Kind] = [.accepted, .request(head)]
            if let body {
                kinds.append(.requestBody(RecordedBody(prefix: Array(body.utf8), count: body.utf8.count, checksum: 0)))
            }
            return (kinds + [.answered(status: status)]).map {
                ServerEvent(peer: PeerID(index), exchange: 0, instant: .zero, kind: $0)
            }
        }
    }

    private func findings(
        _ observation: CaseObservation, baseline: CaseObservation = CutJudgeTests.observation("whole", .success),
        _ scenarioCase: ScenarioCase = Sample.get
    ) -> [String] {
        CutJudge(
            scenarioCase: scenarioCase, baseline: baseline, baselineWire: [],
            rule: CutRule(connection: 0, offset: 5, effect: .reset)
        ).findings(observation).map(\.summary)
    }

    private func isRight(
        _ observation: CaseObservation, baseline: CaseObservation = CutJudgeTests.observation("whole", .success)
    ) -> Bool { findings(observation, baseline: baseline).isEmpty }

    private func failure(_ code: String) -> SeenEvent.Outcome { .failure(code: code, hasResumeData: false) }

    // MARK: What the caller is given

    @Test("The whole body or a lost connection is right")
    func right() {
        #expect(isRight(CutJudgeTests.observation("whole", .success)))
        #expect(isRight(CutJudgeTests.observation("wh", failure("networkConnectionLost"))))
        #expect(isRight(CutJudgeTests.observation("", failure("networkConnectionLost"), status: nil)))
    }

    @Test("A part taken for the whole, another body, a time-out and a hanging task are wrong")
    func wrong() {
        #expect(!isRight(CutJudgeTests.observation("wh", .success)))
        #expect(!isRight(CutJudgeTests.observation("other", .success)))
        #expect(!isRight(CutJudgeTests.observation("wh", failure("timedOut"))))
        #expect(!isRight(CutJudgeTests.observation("wh", failure("unknown"))))
        #expect(!isRight(CutJudgeTests.observation("wh", nil)))
    }

    @Test("What fails without the cut may fail the same way, and may not succeed")
    func failing() {
        let baseline = CutJudgeTests.observation("wh", failure("timedOut"))
        #expect(isRight(CutJudgeTests.observation("wh", failure("timedOut")), baseline: baseline))
        #expect(isRight(CutJudgeTests.observation("", failure("networkConnectionLost")), baseline: baseline))
        #expect(!isRight(CutJudgeTests.observation("wh", .success), baseline: baseline))
    }

    @Test("Who waited for a connection in vain may get one by the cut")
    func freed() {
        let baseline = CutJudgeTests.observation("", failure("timedOut"), status: nil)
        #expect(isRight(CutJudgeTests.observation("whole", .success), baseline: baseline))
    }

    @Test("Invariants hold under every cut")
    func invariants() {
        var observation = CutJudgeTests.observation("whole", .success)
        observation.journal.record(Make.success)
        #expect(!isRight(observation))
    }

    @Test("A status that the script does not send, and bytes that it does not send before the cut, are wrong")
    func told() {
        let lost = failure("networkConnectionLost")
        #expect(findings(CutJudgeTests.observation("whole", .success, status: 500)).count == 1)
        #expect(findings(CutJudgeTests.observation("wh", lost, status: 302)).count == 1)
        #expect(findings(CutJudgeTests.observation("wx", lost)).count == 1)
    }

    // MARK: What the server reads

    private func wire(_ now: [ServerEvent], _ before: [ServerEvent]) -> [String] {
        let lost = failure("networkConnectionLost")
        return findings(
            CutJudgeTests.observation("", lost, status: nil, server: now),
            baseline: CutJudgeTests.observation("whole", .success, server: before))
    }

    // RFC 9110 9.2.2
    @Test(
        "A request whose method is not idempotent goes out once; the others may come again",
        arguments: [("POST", 1), ("PATCH", 1), ("GET", 0), ("PUT", 0), ("DELETE", 0)])
    func resent(method: String, count: Int) {
        let line = "\(method) /hello"
        let found = wire(CutJudgeTests.requests([line, line]), CutJudgeTests.requests([line]))
        #expect(found.count == count)
        #expect(found.allSatisfy { $0.contains("\(line) was sent 2 times") })
    }

    @Test("A challenge asks for the request again; what is sent twice without the cut may be")
    func asked() {
        let line = "POST /hello"
        let challenged =
            CutJudgeTests.requests([line], status: 401)
            + CutJudgeTests.requests([line]).map {
                ServerEvent(peer: PeerID(1), exchange: 0, instant: .zero, kind: $0.kind)
            }
        #expect(wire(challenged, CutJudgeTests.requests([line])) == [])
        #expect(wire(CutJudgeTests.requests([line, line]), CutJudgeTests.requests([line, line])) == [])
    }

    @Test("Slices and uploads that can be continued have leave to be sent again")
    func permitted() {
        let line = "PATCH /hello"
        var resumable = Sample.get
        resumable.session.resumableUploads = 6
        let now = CutJudgeTests.observation(
            "", failure("networkConnectionLost"), status: nil, server: CutJudgeTests.requests([line, line]))
        let before = CutJudgeTests.observation("whole", .success, server: CutJudgeTests.requests([line]))
        #expect(findings(now, baseline: before, resumable) == [])
        #expect(findings(now, baseline: before).count == 1)
    }

    @Test("A request that is not made without the cut, and one with other fields or another body, is wrong")
    func otherRequests() {
        let before = CutJudgeTests.requests(["PUT /hello"], fields: Fields([.init("X-A", "1")]), body: "sent")
        #expect(wire(CutJudgeTests.requests(["PUT /hell"]), before).count == 1)
        #expect(wire(CutJudgeTests.requests(["PUT /hello"], body: "sent"), before).count == 1)
        let fields = Fields([.init("X-A", "1"), .init("Range", "bytes=3-")])
        #expect(wire(CutJudgeTests.requests(["PUT /hello"], fields: fields, body: "se"), before) == [])
        #expect(wire(CutJudgeTests.requests(["PUT /hello"], fields: fields, body: "no"), before).count == 1)
    }

    @Test(
        "The first request of a task that had no turn without the cut is none, however its URL is written",
        arguments: ["/hello", "$origin/hello", "http://a.test:80/hello#there", "/other"])
    func ownRequest(target: String) {
        let waiting = Sample.make([], [Sample.task("t", target)], [])
        var before = CutJudgeTests.observation("", failure("timedOut"), status: nil)
        before.origins = OriginTable([OriginTable.Entry(host: "a.test", origin: "http://a.test")])
        let now = CutJudgeTests.observation(
            "whole", .success, status: nil, server: CutJudgeTests.requests(["GET /hello"]))
        #expect(
            findings(now, baseline: before, waiting)
                == (target == "/other" ? ["cut:0:5:reset: a new request: GET /hello"] : []))
    }

    @Test("A request that cannot be read is wrong, and so are more connections than a cut costs")
    func connections() {
        var malformed = CutJudgeTests.requests(["GET /hello"])
        malformed.append(
            ServerEvent(
                peer: PeerID(0), exchange: 1, instant: .zero, kind: .violation(Violation("no line", kind: .malformed)))
        )
        #expect(wire(malformed, CutJudgeTests.requests(["GET /hello"])).count == 1)
        let line = "GET /hello"
        #expect(wire(CutJudgeTests.requests([line, line, line]), CutJudgeTests.requests([line])).count == 1)
    }
}
