import HTTPBasics
import MachineContract
import NIOCore
import TestSupport
import Testing

@testable import ClientMachines

/// A task whose answer comes from a loader.
@Suite struct LoadingTests {
    private static let response = Response(
        head: ResponseHead(status: 200), url: TaskBuilder.url, expectedLength: 5, supplied: 0)
    private static let redirect = Response(
        head: ResponseHead(status: 302), url: TaskBuilder.url, expectedLength: nil, supplied: 0)

    private static func play(
        _ request: ClientRequest = ClientRequest(url: TaskBuilder.url), kind: TaskPlan.Kind = .data,
        asks: QuestionKinds = .loadChallenge, usesCache: Bool = false, _ body: (Playbook<TaskMachine>) throws -> Void
    ) throws {
        var builder = TaskBuilder(request, kind: kind)
        builder.plan.hasProtocols = true
        builder.plan.asks = asks
        builder.plan.usesCache = usesCache
        let start = Moment(instant: .zero, date: UnixTime(seconds: 784_111_777), entropy: 3)
        let machine = TaskMachine(plan: builder.plan, settings: SharedSettings(builder.settings), at: start)
        try Playbook.play(machine, describeOutput: { $0.summary }) { book in
            book.feed(.start(suspended: false))
            try book.check("outputs", book.take().map(\.summary), is: ["load \(request.method) http://example.com/a"])
            try body(book)
        }
    }

    private static func data(_ text: String) -> TaskInput { .loaded(.data(ByteBuffer(string: text))) }

    // BEHAVIOUR 1.C3-additional
    @Test(arguments: [nil, "other.test", "example.com"])
    func `a loader hears whether the request goes where the task's first one went`(home: String?) throws {
        var builder = TaskBuilder()
        let token = ResumeToken(
            url: TaskBuilder.url, fields: Fields(), offset: 1, validator: "\"v\"", path: "/p", total: nil,
            home: home.map { Origin(scheme: "http", host: $0, port: 80) })
        builder.plan.kind = .download(resuming: token)
        builder.plan.hasProtocols = true
        builder.settings.additionalFields = Fields([Fields.Field("Cookie", "a=1")])
        let machine = TaskMachine(
            plan: builder.plan, settings: SharedSettings(builder.settings),
            at: Moment(instant: .zero, date: UnixTime(seconds: 784_111_777), entropy: 3))
        var outputs: [TaskOutput] = []
        machine.handle(
            .start(suspended: false), at: Moment(instant: .zero, date: UnixTime(seconds: 0), entropy: 0), into: &outputs
        )
        guard case .load(_, let isAtHome)? = outputs.first else { return #expect(Bool(false), "\(outputs)") }
        #expect(isAtHome == (home != "other.test"))
    }

    // BEHAVIOUR 1.C3-additional
    @Test func `a first request that went to no host is at home nowhere else, nor are its resume data`() throws {
        let urls = try ["app://one/a", "app://two/a", "http://three/a"].map { try #require(URLReference($0)) }
        var builder = TaskBuilder(ClientRequest(url: urls[0]), kind: .download(resuming: nil))
        builder.plan.hasProtocols = true
        builder.plan.asks = []
        builder.settings.additionalFields = Fields([Fields.Field("Authorization", "Basic YTpi")])
        let moment = Moment(instant: .zero, date: UnixTime(seconds: 784_111_777), entropy: 3)
        let machine = TaskMachine(plan: builder.plan, settings: SharedSettings(builder.settings), at: moment)
        let inputs: [TaskInput] = [
            .start(suspended: false), .loaded(.redirected(Self.redirect, next: ClientRequest(url: urls[1]))),
            .loaded(.redirected(Self.redirect, next: ClientRequest(url: urls[2]))), .loaded(.declined),
            .connected(isReused: false), .event(.downloadHead), .fileOpened, .event(.body("01234")),
            .event(.failed(.connectionLostInBody)), .fileWrote(bytes: 5), .fileClosed,
        ]
        var outputs: [TaskOutput] = []
        for input in inputs { machine.handle(input, at: moment, into: &outputs) }
        let loads = outputs.compactMap { output -> Bool? in
            if case .load(_, let isAtHome) = output { return isAtHome }
            return nil
        }
        #expect(loads == [true, false, false])
        let heads = outputs.count { if case .begin = $0 { true } else { false } }
        #expect(heads == 1 && !machine.headText.contains("Authorization"))
        let kept = outputs.compactMap { output -> ResumeToken? in
            if case .tell(.complete(let failure?)) = output { return failure.resume }
            return nil
        }
        #expect(kept.map(\.home) == [Origin(scheme: "app", host: "one", port: 0)])
    }

    // BEHAVIOUR 2.H19
    @Test func `an answer is told as that of a server`() throws {
        try Self.play { book in
            book.feed(.loaded(.response(Self.response)), Self.data("hello"), .loaded(.end))
            try book.check(
                "outputs", book.take().map(\.summary),
                is: ["tell response 200, expecting 5", "tell data 5", "release", "tell complete", "finished"])
        }
    }

    // BEHAVIOUR 2.D8
    @Test(arguments: [true, false]) func `what may be kept is collected for a task that uses the cache`(
        usesCache: Bool
    ) throws {
        let key = try #require(CacheKey(TaskBuilder.url)), date = UnixTime(seconds: 784_111_777)
        let record = StoredResponse(status: 200, fields: Fields(), asked: date, received: date, variant: Variant())
        try Self.play(usesCache: usesCache) { book in
            book.feed(.loaded(.keepable(Self.response, KeepableResponse(record, for: key))))
            book.feed(Self.data("hello"), .loaded(.end))
            let keeping = usesCache ? ["collect 200"] : [], kept = usesCache ? ["keep what was collected"] : []
            try book.check(
                "outputs", book.take().map(\.summary),
                is: keeping + ["tell response 200, expecting 5", "tell data 5", "release"] + kept
                    + ["tell complete", "finished"])
        }
    }

    // BEHAVIOUR 2.H16
    @Test func `what nobody loads goes over HTTP`() throws {
        try Self.play { book in
            book.feed(.loaded(.declined))
            try book.check("outputs", book.take().map(\.summary), is: ["release", "acquire http://example.com"])
        }
    }

    // BEHAVIOUR 2.H18-once
    @Test(
        arguments: [
            ("a file is opened", ClientRequest.file(), [.bodyFileOpened(length: 3)]),
            ("a stream is given", .streamed(.awaited), [.answer(.body(.stream(.first)))]),
            ("a pause", .get, [.suspend, .resume]),
            ("the retry", .get, [.connected(isReused: true), .event(.failed(.emptyReply))]),
            (
                "a credential", .get,
                [.connected(isReused: false), .event(.challengeHead), credential, .event(.end)]
            ),
        ] as [(String, ClientRequest, [TaskInput])])
    func `a request that nobody loads is offered once, whatever comes between`(
        what: String, request: ClientRequest, inputs: [TaskInput]
    ) throws {
        try Self.play(request, asks: [.loadChallenge, .bodyStream, .challenge]) { book in
            book.feed(.loaded(.declined))
            for input in inputs { book.feed(input) }
            let outputs = book.take().map(\.summary)
            try book.check("not offered again after \(what)", !outputs.contains { $0.hasPrefix("load") })
            try book.check("it goes on", outputs.last?.hasPrefix("acquire") == true)
        }
    }

    private static let credential = TaskInput.answer(.challenge(.use(Credential(user: "u", password: "p"))))

    // BEHAVIOUR 2.H18-once
    @Test func `a server's redirect is offered as the first request was`() throws {
        try Self.play(asks: .loadChallenge) { book in
            book.feed(.loaded(.declined), .connected(isReused: false), .event(.redirectHead), .event(.end))
            try book.check("offered", book.take().map(\.summary).last, is: "load GET http://example.com/b")
        }
    }

    // BEHAVIOUR 2.H19
    @Test func `a download's bytes go into its file`() throws {
        try Self.play(kind: .download(resuming: nil)) { book in
            book.feed(.loaded(.response(Self.response)), .fileOpened, Self.data("hello"), .fileWrote(bytes: 5))
            book.feed(.loaded(.end), .fileClosed)
            try book.check(
                "outputs", book.take().map(\.summary).filter { !$0.contains("tmp") },
                is: [
                    "tell response 200, expecting 5", "file write 5", "tell wrote 5, 5 of 5", "release", "file close",
                    "tell complete", "finished",
                ])
        }
    }

    // BEHAVIOUR 2.H19-window
    @Test func `a slow user is asked for nothing more`() throws {
        try Self.play { book in
            book.feed(.loaded(.response(Self.response)), Self.data("0123456789"))
            _ = book.take()
            try book.check("it waits", !book.machine.wantsEvents)
            book.feed(.delivered(bytes: 10))
            try book.check("it goes on", book.machine.wantsEvents)
        }
    }

    // BEHAVIOUR 2.H19-redirect
    @Test func `a redirect asks its user and then everybody anew`() throws {
        try Self.play(asks: [.redirect, .loadChallenge]) { book in
            book.feed(.loaded(.redirected(Self.redirect, next: TaskBuilder.next)))
            try book.check(
                "outputs", book.take().map(\.summary), is: ["release", "ask redirect 302 to http://example.com/b"])
            book.feed(.answer(.redirect(TaskBuilder.next)))
            try book.check(
                "outputs", book.take().map(\.summary),
                is: ["tell request GET http://example.com/b", "load GET http://example.com/b"])
        }
    }

    // BEHAVIOUR 2.H19-redirect
    @Test func `a refused redirect is the response`() throws {
        try Self.play(asks: [.redirect, .loadChallenge]) { book in
            book.feed(.loaded(.redirected(Self.redirect, next: TaskBuilder.next)))
            _ = book.take()
            book.feed(.answer(.redirect(nil)))
            try book.check(
                "outputs", book.take().map(\.summary),
                is: ["tell response 302, expecting -1", "tell complete", "finished"])
        }
    }

    // BEHAVIOUR 2.H19-redirect
    @Test func `twenty redirects and no more`() throws {
        try Self.play { book in
            for _ in 0..<RedirectDecision.limit {
                book.feed(.loaded(.redirected(Self.redirect, next: TaskBuilder.next)))
            }
            _ = book.take()
            book.feed(.loaded(.redirected(Self.redirect, next: TaskBuilder.next)))
            try book.check(
                "outputs", book.take().map(\.summary),
                is: ["release", "abandon", "tell complete httpTooManyRedirects", "finished"])
        }
    }

    // BEHAVIOUR 2.H19-challenge
    @Test(arguments: [
        (ChallengeAnswer.performDefaultHandling, [String]()),
        (.cancel, ["abandon", "tell complete cancelled", "finished"]),
    ]) func `a challenge is a gate, and cancelling it cancels the task`(answer: ChallengeAnswer, wanted: [String])
        throws
    {
        try Self.play { book in
            book.feed(.loaded(.challenged(LoadChallengeID(0))))
            try book.check("outputs", book.take().map(\.summary), is: ["ask load challenge 0"])
            try book.check("it waits", !book.machine.wantsEvents)
            book.feed(.answer(.loadChallenge(answer)))
            try book.check("outputs", book.take().map(\.summary), is: wanted)
        }
    }

    // BEHAVIOUR 2.H19, 2.H18
    @Test func `failure, silence and cancelling end the load`() throws {
        let strikes: [(TaskInput?, String)] = [
            (.loaded(.failed(.supplied, detail: "")), "supplied"), (.cancel(keepingResumeData: false), "cancelled"),
            (nil, "timedOut"),
        ]
        for (input, kind) in strikes {
            for isAnswered in [false, true] {
                try Self.play { book in
                    if isAnswered { book.feed(.loaded(.response(Self.response))) }
                    _ = book.take()
                    if let input { book.feed(input) } else { try book.advance(by: .seconds(60)) }
                    try book.check(
                        "outputs", book.take().map(\.summary), is: ["abandon", "tell complete \(kind)", "finished"])
                }
            }
        }
    }

    // BEHAVIOUR 1.D5
    @Test func `a suspended task takes nothing and has no timers`() throws {
        try Self.play { book in
            book.feed(.suspend)
            try book.check("it waits", !book.machine.wantsEvents)
            try book.expectDeadline(in: nil)
            book.feed(.resume)
            try book.check("it goes on", book.machine.wantsEvents)
        }
    }
}
