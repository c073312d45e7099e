import ScenarioFormat
import JudgeTestSupport
import Testing

@testable import Judge

@Suite("What holds in every scenario")
struct InvariantsTests {
    private func breaches(_ events: [SeenEvent], kind: TaskStep.Kind = .data) -> [String] {
        var observation = CaseObservation()
        observation.journal.add(task: EventJournal.TaskRecord(label: "t", kind: kind, target: "/"))
        for event in events { observation.journal.record(event) }
        return Invariants.breaches(in: observation).map(\.summary)
    }

    private func response(expected: Int, status: Int = 200) -> SeenEvent {
        Make.seen(.response) {
            $0.expected = expected
            $0.status = status
        }
    }

    private func data(_ bytes: Int) -> SeenEvent { Make.seen(.data) { $0.bytes = bytes } }
    private func wrote(_ total: Int) -> SeenEvent { Make.seen(.wrote) { $0.total = total } }

    @Test("Nothing comes after completion, and it comes once")
    func completion() {
        #expect(breaches([Make.success]).isEmpty)
        #expect(breaches([Make.success, Make.success]).count == 1)
        #expect(breaches([Make.success, data(1)]).contains { $0.contains("after completion") })
    }

    @Test("A success has all announced bytes, where a body can be")
    func truncation() {
        #expect(breaches([response(expected: 4), data(4), Make.success]).isEmpty)
        #expect(breaches([response(expected: 4), data(3), Make.success]) == ["success with 3 of 4 announced bytes"])
        #expect(breaches([response(expected: -1), data(3), Make.success]).isEmpty)
        #expect(breaches([response(expected: 4, status: 304), Make.success]).isEmpty)
        let failure = Make.seen(.complete) {
            $0.outcome = .failure(code: "networkConnectionLost", hasResumeData: false)
        }
        #expect(breaches([response(expected: 4), data(3), failure]).isEmpty)
    }

    /// What a caller was given at the end, and what is wrong with it.
    private func breaches(
        returned: String, announced: Int, status: Int = 200, method: String = "GET", kind: TaskStep.Kind = .data,
        isCoded: Bool = false
    ) -> [String] {
        var task = EventJournal.TaskRecord(label: "t", kind: kind, target: "/")
        task.announced = AnnouncedBody(status: status, length: announced, method: method, isCoded: isCoded)
        task.returned = ReturnedResult()
        if kind == .download {
            task.returned?.file = SeenContent(returned.utf8)
        } else {
            task.returned?.body = SeenContent(returned.utf8)
        }
        var observation = CaseObservation()
        observation.journal.add(task: task)
        observation.journal.record(Make.success)
        return Invariants.breaches(in: observation).map(\.summary)
    }

    @Test("A handler and an async caller are given all announced bytes")
    func returnedWhole() {
        #expect(breaches(returned: "four", announced: 4).isEmpty)
        #expect(breaches(returned: "three", announced: 6) == ["success with 5 of 6 announced bytes"])
        #expect(breaches(returned: "", announced: -1).isEmpty)
        #expect(breaches(returned: "", announced: 4, method: "HEAD").isEmpty)
        #expect(breaches(returned: "", announced: 4, status: 304).isEmpty)
    }

    @Test("The length of a coded body counts other bytes than the caller is given", arguments: [3, 400])
    func coded(length: Int) {
        #expect(breaches(returned: "four", announced: length, isCoded: true).isEmpty)
        #expect(breaches(returned: "four", announced: length, kind: .download, isCoded: true).isEmpty)
        var task = EventJournal.TaskRecord(label: "t", kind: .data, target: "/")
        task.announced = AnnouncedBody(status: 200, length: length, method: "GET", isCoded: true)
        var observation = CaseObservation()
        observation.journal.add(task: task)
        for event in [response(expected: length), data(4), Make.success] { observation.journal.record(event) }
        #expect(Invariants.breaches(in: observation) == [])
        // A download tells the length of its decoded file: the same as that of the body if nothing else is known.
        observation.journal.update("t") { $0.kind = .download }
        observation.journal.record(
            Make.seen(.wrote) {
                $0.total = 4
                $0.expected = length
            })
        #expect(!Invariants.breaches(in: observation).contains { $0.summary.contains("announced") })
    }

    /// A task that was resumed and heard these events before its session was taken down.
    private func ending(_ events: [SeenEvent], isOver: Bool = true, isInvalid: Bool = false) -> [String] {
        var task = EventJournal.TaskRecord(label: "t", kind: .data, target: "/")
        task.resumedAt = .zero
        var observation = CaseObservation()
        observation.journal.add(task: task)
        for event in events { observation.journal.record(event) }
        if isInvalid { observation.journal.recordInvalid(at: .zero) }
        observation.isOver = isOver
        return Invariants.breaches(in: observation).map(\.summary)
    }

    // BEHAVIOUR 1.B1-3
    @Test("Who was resumed has an end by the time that its session has one")
    func someEnd() {
        #expect(ending([response(expected: -1)]) == ["t never completed"])
        #expect(ending([response(expected: -1)], isOver: false, isInvalid: true) == ["t never completed"])
        #expect(ending([response(expected: -1)], isOver: false).isEmpty)
        #expect(ending([response(expected: -1), Make.success]).isEmpty)
    }

    @Test("A file has all announced bytes; behind a part there is more in it than that")
    func wholeFile() {
        #expect(breaches(returned: "four", announced: 4, kind: .download).isEmpty)
        #expect(breaches(returned: "thr", announced: 4, kind: .download) == ["success with 3 of 4 announced bytes"])
        #expect(breaches(returned: "four", announced: 2, status: 206, kind: .download).isEmpty)
        #expect(breaches(returned: "four", announced: 7, status: 416, kind: .download).isEmpty)
        #expect(
            breaches(returned: "f", announced: 2, status: 206, kind: .download) == [
                "success with 1 of 2 announced bytes"
            ])
        let progress = Make.seen(.wrote) {
            $0.total = 3
            $0.expected = 4
        }
        let file = Make.seen(.file) { $0.content = SeenContent("thr".utf8) }
        #expect(breaches([progress, file, Make.success], kind: .download) == ["success with 3 of 4 announced bytes"])
    }

    // RFC 9110 8.6
    @Test("A download whose answer has no body may be told of a length", arguments: [204, 304])
    func bodilessFile(status: Int) {
        var task = EventJournal.TaskRecord(label: "t", kind: .download, target: "/")
        task.announced = AnnouncedBody(status: status, length: 13, method: "GET")
        var observation = CaseObservation()
        observation.journal.add(task: task)
        let resumed = Make.seen(.resumed) {
            $0.offset = 0
            $0.expected = 13
        }
        for event in [resumed, Make.seen(.file), Make.success] { observation.journal.record(event) }
        #expect(Invariants.breaches(in: observation).map(\.summary) == [])
    }

    // BEHAVIOUR 1.B1-12
    @Test("The delegate of an async call hears all that the call returns, and no response", arguments: [3, 4])
    func overheard(heard: Int) {
        var task = EventJournal.TaskRecord(label: "t", kind: .data, target: "/", isOverheard: true)
        task.returned = ReturnedResult()
        task.returned?.body = SeenContent("four".utf8)
        var observation = CaseObservation()
        observation.journal.add(task: task)
        for event in [data(heard), Make.success] { observation.journal.record(event) }
        let breaches = Invariants.breaches(in: observation).map(\.summary)
        #expect(breaches == (heard == 4 ? [] : ["its delegate heard 3 of 4 bytes"]))
    }

    @Test("Documented order")
    func order() {
        #expect(breaches([data(1), response(expected: -1), Make.success]) == ["data before the response"])
        #expect(breaches([response(expected: 0), response(expected: 0), Make.success]) == ["a second response"])
        #expect(breaches([wrote(5), wrote(4), Make.success], kind: .download).count == 1)
        let restart = Make.seen(.resumed) { $0.offset = 0 }
        #expect(breaches([restart, wrote(4), Make.success], kind: .download).isEmpty)
        #expect(breaches([Make.seen(.file), Make.seen(.file), Make.success], kind: .download).count == 1)
    }

    @Test("What checkers report is passed on")
    func checkers() {
        var observation = CaseObservation()
        observation.breaches = ["a timer is left"]
        #expect(Invariants.breaches(in: observation).map(\.summary) == ["a timer is left"])
    }
}
