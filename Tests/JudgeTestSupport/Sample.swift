import HTTPBasics
import Judge
import ScenarioFormat
import ServerScript

/// Small whole cases, written as values.
package enum Sample {
    package static func exchange(
        _ method: String, _ target: String, _ reply: Reply?, lane: String? = nil, fault: Fault? = nil
    ) -> Step {
        Step(
            .exchange(Exchange(RequestMatch(method, target), reply: reply, faults: [fault].compactMap(\.self))),
            lane: lane)
    }

    package static func task(_ label: String, _ target: String, _ set: (inout TaskStep) -> Void = { _ in })
        -> ClientStep.Action
    {
        var step = TaskStep(label: label, target: target)
        set(&step)
        return .task(step)
    }

    package static func make(
        _ steps: [Step], hosts: [String] = ["a.test"], _ actions: [ClientStep.Action], _ tasks: [TaskExpectation],
        _ set: (inout ScenarioCase) -> Void = { _ in }
    ) -> ScenarioCase {
        var scenarioCase = ScenarioCase(
            script: Script(hosts: hosts, steps: steps), client: actions.map { ClientStep($0, mark: Make.mark) },
            mark: Make.mark)
        scenarioCase.expect.tasks = tasks
        set(&scenarioCase)
        return scenarioCase
    }

    package static func expect(_ label: String, _ events: [EventPattern], body: String? = nil) -> TaskExpectation {
        TaskExpectation(label: label, events: events, body: body.map(Content.text), mark: Make.mark)
    }

    package static func complete(_ code: String? = nil) -> EventPattern {
        Make.pattern(.complete) {
            $0.outcomes = [code.map { .failure(code: $0, hasResumeData: nil) } ?? .success]
        }
    }

    package static func response(_ status: Int, url: String? = nil) -> EventPattern {
        Make.pattern(.response) {
            $0.status = status
            $0.url = url
        }
    }

    package static func data(_ total: Int) -> EventPattern { Make.pattern(.data) { $0.total = .exactly(total) } }

    package static let get = make(
        [exchange("GET", "/hello", Reply(body: .text("hello world")))], [task("t", "/hello"), .await(task: "t")],
        [expect("t", [response(200, url: "/hello"), data(11), complete()], body: "hello world")]
    ) {
        $0.expect.connections = 1...1
        $0.expect.wire = [.request(WireExpectation(line: "GET /hello", mark: Make.mark))]
    }

    package static let redirect = make(
        [
            exchange("GET", "/start", Reply(status: 302, fields: Fields([.init("Location", "$origin.b.test/end")]))),
            Step(.exchange(Exchange(RequestMatch("GET", "/end"), reply: Reply(body: .text("done")))), host: "b.test"),
        ], hosts: ["a.test", "b.test"], [task("t", "/start"), .await(task: "t")],
        [
            expect(
                "t",
                [
                    Make.pattern(.redirect) {
                        $0.status = 302
                        $0.to = "GET $origin.b.test/end"
                    },
                    response(200, url: "/end"), data(4), complete(),
                ], body: "done")
        ])

    package static let challenge = make(
        [
            exchange("GET", "/box", Reply(status: 401, challenges: [.basic(realm: "box")])),
            Step(
                .exchange(
                    Exchange(
                        RequestMatch("GET", "/box", basic: BasicCredentials(user: "ann", password: "pw")),
                        reply: Reply(body: .text("open"))))),
        ],
        [
            .answer(
                AnswerRule(.challenge, .useCredential(BasicCredentials(user: "ann", password: "pw"), .session))),
            task("t", "/box"), .await(task: "t"),
        ],
        [
            expect(
                "t",
                [
                    Make.pattern(.challenge) {
                        $0.method = "basic"
                        $0.realm = "box"
                        $0.previousFailures = 0
                    },
                    response(200), data(4), complete(),
                ], body: "open")
        ])

    package static let download = make(
        [exchange("GET", "/blob", Reply(body: .counter(size: 5000)))],
        [task("d", "/blob") { $0.kind = .download }, .await(task: "d")],
        [
            expect(
                "d",
                [
                    Make.pattern(.wrote) { $0.total = .exactly(5000) },
                    Make.pattern(.file) { $0.content = .counter(size: 5000) }, complete(),
                ])
        ]
    ) { $0.expect.temporaryFiles = 0 }

    package static let lost = make(
        [exchange("GET", "/cut", Reply(body: .text("0123456789"), faults: [Fault(at: .body(4), do: .fin)]))],
        [task("t", "/cut"), .await(task: "t")],
        [expect("t", [response(200), data(4), complete("networkConnectionLost")])])

    /// Virtual time only: a stall until the default time-out of 60 s.
    package static let stalled = make(
        [exchange("GET", "/stall", Reply(body: .text("0123456789"), timeline: [.bytes(2), .stall]))],
        [task("t", "/stall"), .await(task: "t")],
        [expect("t", [response(200), data(2), complete("timedOut")])]
    ) {
        $0.expect.tasks[0].timing = [
            TimingRule(.last(.complete), since: .last(.data), within: .seconds(60) ... .seconds(60), mark: Make.mark)
        ]
        $0.expect.closes = [CloseRule(task: "t", byClient: true, mark: Make.mark)]
    }

    package static let signals = make(
        [
            exchange(
                "GET", "/slow",
                Reply(body: .text("abcdef"), timeline: [.bytes(3), .signal("half"), .await("go"), .rest]))
        ], [task("t", "/slow"), .signal("go"), .await(task: "t")],
        [expect("t", [response(200), data(6), complete()], body: "abcdef")]
    ) { $0.client[1].when = [.signal("half")] }

    package static let cancelled = make(
        [exchange("GET", "/long", Reply(body: .text("0123456789"), timeline: [.bytes(2), .stall]))],
        [task("t", "/long"), .cancel(task: "t"), .await(task: "t"), .invalidate(cancelling: false)],
        [expect("t", [.maybe([Make.match(.response), Make.match(.data)]), complete("cancelled")])]
    ) {
        $0.client[1].when = [.signal("begun")]
        $0.script.steps[0] = exchange(
            "GET", "/long", Reply(body: .text("0123456789"), timeline: [.bytes(2), .signal("begun"), .stall]))
        $0.expect.becomesInvalid = true
    }

    package static let bytes = make(
        [exchange("GET", "/bytes", Reply(body: .text("0123456789")))],
        [
            task("t", "/bytes") {
                $0.kind = .bytes
                $0.pauseReading = ReadingPause(at: 4, until: "on")
            }, .signal("on"), .await(task: "t"),
        ], [expect("t", [response(200), data(10), complete()], body: "0123456789")]
    ) { $0.client[1].when = [.received(task: "t", bytes: 4)] }

    package static let all: [(String, ScenarioCase)] = [
        ("get", get), ("redirect", redirect), ("challenge", challenge), ("download", download), ("lost", lost),
        ("stalled", stalled), ("signals", signals), ("cancelled", cancelled), ("bytes", bytes),
    ]
}
