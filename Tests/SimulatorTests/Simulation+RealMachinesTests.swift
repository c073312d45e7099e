import ClientMachines
import Foundation
import HTTPBasics
import MachineContract
import NIOCore
import ServerScript
import Testing

@testable import Simulator

/// The client's machines against the script machine, both as they are shipped.
@Suite struct RealMachinesTests {
    private struct Run {
        var end: RunEnd
        var sink: RecordingSink
        var simulation: Simulation
        var problems: [String]
    }

    /// Plays `script` against GETs of `targets` that start together.
    private func run(
        _ script: Script, seed: UInt64? = nil, targets: [String] = ["/"], kind: TaskPlan.Kind = .data,
        directory: String = "/nowhere", rules: [FaultRule] = [], asks: QuestionKinds = [],
        cancelAfter: Duration? = nil, cancelling cancelled: Int = 1, pipelining: Bool = false
    ) -> Run {
        var options = SimulationOptions(seed: seed, directory: directory, rules: rules)
        var settings = ClientSettings()
        if pipelining {
            options.machine = { ClientMachine(settings: $0, codec: PipeliningCodec.self) }
            options.exchangesAtATime = PipeliningCodec.mostExchanges
            settings.connectionsPerHost = 1
        }
        let simulation = Simulation(script: script, options)
        let sink = RecordingSink()
        let engine = simulation.makeEngine(settings: settings, sink: sink)
        let executor = simulation.executor
        sink.onTake = { output in
            switch output {
            case .tell(let task, .data(let bytes)):
                let count = bytes.readableBytes
                executor.run { engine.submit(.delivered(task, bytes: count)) }
            case .ask(_, let question, .redirect(_, let next)):
                executor.run { engine.submit(.answer(question, .redirect(next))) }
            case .ask(_, let question, .response):
                executor.run { engine.submit(.answer(question, .response(allow: true))) }
            default: return
            }
        }
        simulation.schedule {
            for (index, target) in targets.enumerated() {
                engine.submit(.start(TaskID(index + 1), .get(target, kind: kind, asks: asks), suspended: false))
            }
        }
        if let cancelAfter {
            simulation.schedule(after: cancelAfter) {
                engine.submit(.cancel(TaskID(cancelled), keepingResumeData: false))
            }
        }
        let end = simulation.run()
        return Run(
            end: end, sink: sink, simulation: simulation, problems: simulation.violations.map(\.description))
    }

    private static func answering(_ reply: Reply, to target: String? = nil) -> Script {
        Script(routes: [Route(Exchange(RequestMatch("GET", target), reply: reply))])
    }

    private static let replies: [Reply] = [
        Reply(body: .text("hello")),
        Reply(body: .counter(size: 300_000)),
        Reply(body: .counter(size: 5_000), framing: .chunked(size: 700)),
        Reply(body: .counter(size: 5_000), framing: .close),
        Reply(status: 204),
        Reply(body: .text("slow"), interim: [Interim(status: 103)], delay: .seconds(20)),
        Reply(body: .compressed(.counter(size: 9_000), .gzip)),
    ]

    @Test(arguments: replies)
    func `every kind of answer succeeds, with any seed`(reply: Reply) {
        for seed in [nil, 1, 2, 3, 4, 5] as [UInt64?] {
            let run = run(Self.answering(reply), seed: seed, targets: ["/", "/", "/"])
            #expect(run.end == .idle)
            #expect(run.problems.isEmpty)
            #expect(run.sink.results == [1: "success", 2: "success", 3: "success"])
        }
    }

    @Test func `questions are asked and answered, with any seed`() {
        let script = Script(routes: [
            Route(
                Exchange(
                    RequestMatch("GET", "/"),
                    reply: Reply(status: 302, fields: Fields([.init("Location", "/b")]), body: .text("moved")))),
            Route(Exchange(RequestMatch("GET", "/b"), reply: Reply(body: .text("here")))),
        ])
        for seed in [nil, 1, 2, 3, 4, 5] as [UInt64?] {
            let run = run(script, seed: seed, asks: [.redirect, .response])
            #expect(run.problems.isEmpty)
            #expect(run.sink.results == [1: "success"])
            #expect(run.sink.text == "here")
        }
    }

    @Test func `thirty tasks share six connections`() {
        let run = run(Self.answering(Reply(body: .text("x"))), seed: 9, targets: Array(repeating: "/", count: 30))
        #expect(run.problems.isEmpty)
        #expect(run.sink.results.values.filter { $0 == "success" }.count == 30)
        #expect(run.simulation.wire.count <= 6)
    }

    // BEHAVIOUR 2.F3, 1.H1-connections
    @Test func `a session uses its own idle connection again, another session dials`() {
        let simulation = Simulation(
            script: Self.answering(Reply(body: .text("x"))), SimulationOptions(directory: "/nowhere"))
        let sinks = [RecordingSink(), RecordingSink()]
        let engines = sinks.map { simulation.makeEngine(settings: ClientSettings(), sink: $0) }
        for (second, session) in [0, 0, 1].enumerated() {
            simulation.schedule(after: .seconds(second)) {
                engines[session].submit(.start(TaskID(second + 1), .get("/"), suspended: false))
            }
        }
        #expect(simulation.run(until: .zero + .milliseconds(1_500)) == .outOfTime)
        #expect(simulation.wire.count == 1)
        #expect(simulation.run() == .idle)
        #expect(simulation.wire.count == 2)
        #expect(sinks.map(\.results) == [[1: "success", 2: "success"], [3: "success"]])
        #expect(simulation.violations.isEmpty)
    }

    @Test func `a stalled answer times out and leaves nothing`() {
        let fault = Fault(at: .body(2), do: .stall)
        let run = run(Self.answering(Reply(body: .text("hello"), faults: [fault])))
        #expect(run.problems.isEmpty)
        #expect(run.sink.results == [1: "timedOut"])
    }

    @Test(arguments: CutRule.Effect.allCases)
    func `a cut at any byte never gives a truncated success`(effect: CutRule.Effect) {
        let script = Self.answering(Reply(body: .text("hello, world"), framing: .chunked(size: 5)))
        let whole = run(script).simulation.wire[0].counts.fromServer
        for offset in 0...whole {
            let run = run(script, rules: [.cut(CutRule(connection: 0, offset: offset, effect: effect))])
            #expect(run.problems.isEmpty)
            let isWhole = run.sink.results == [1: "success"] && run.sink.text == "hello, world"
            let isLost = run.sink.results == [1: "networkConnectionLost"]
            #expect(isWhole || isLost, "cut at \(offset): \(run.sink.results)")
        }
    }

    @Test func `a cancel at any moment is clean, with any seed`() {
        let script = Self.answering(Reply(body: .counter(size: 100_000)))
        var outcomes: Set<String> = []
        for seed in UInt64(0)..<80 {
            let run = run(script, seed: seed, cancelAfter: .microseconds(Int(seed) * 25))
            #expect(run.problems.isEmpty)
            outcomes.insert(run.sink.results[1] ?? "nothing")
        }
        #expect(outcomes == ["success", "cancelled"])
    }

    // MARK: Three exchanges on a connection

    private static let five = (1...5).map { "/\($0)" }
    private static let steps = Script(
        steps: five.map { Step(.exchange(Exchange(RequestMatch("GET", $0), reply: Reply(body: .text("\($0) "))))) })

    @Test func `a connection carries as many exchanges as its codec can`() {
        for seed in [nil, 1, 2, 3, 4, 5, 6, 7, 8, 9] as [UInt64?] {
            let run = run(Self.steps, seed: seed, targets: Self.five, pipelining: true)
            #expect(run.problems.isEmpty)
            #expect(run.sink.text == "/1 /2 /3 /4 /5 ")
            #expect(run.sink.results.values.filter { $0 == "success" }.count == 5)
            #expect(run.simulation.wire.count == 1)
        }
        let problems = RealMachinesTests.problemsOfOneThatIsNotTold(Self.steps, Self.five)
        #expect(problems.contains { $0.contains("before the answer to exchange") }, "\(problems)")
    }

    /// The simulator knows the one exchange of HTTP/1.1 as long as it is not told otherwise.
    private static func problemsOfOneThatIsNotTold(_ script: Script, _ targets: [String]) -> [String] {
        var options = SimulationOptions(directory: "/nowhere")
        options.machine = { ClientMachine(settings: $0, codec: PipeliningCodec.self) }
        var settings = ClientSettings()
        settings.connectionsPerHost = 1
        let simulation = Simulation(script: script, options)
        let engine = simulation.makeEngine(settings: settings, sink: RecordingSink())
        simulation.schedule {
            for (index, target) in targets.enumerated() {
                engine.submit(.start(TaskID(index + 1), .get(target), suspended: false))
            }
        }
        _ = simulation.run()
        return simulation.violations.map(\.description)
    }

    /// Those but the slow one: the third of them would come after its time.
    @Test(arguments: replies.filter { $0.delay == .zero })
    func `answers come one behind the other, with any seed`(reply: Reply) {
        for seed in [nil, 1, 2, 3, 4, 5] as [UInt64?] {
            let run = run(Self.answering(reply), seed: seed, targets: Self.five, asks: .response, pipelining: true)
            #expect(run.end == .idle)
            #expect(run.problems.isEmpty)
            #expect(run.sink.results == Dictionary(uniqueKeysWithValues: (1...5).map { ($0, "success") }))
        }
    }

    @Test(arguments: 1...3) func `a cancel of one exchange ends no other`(cancelled: Int) {
        let script = Self.answering(Reply(body: .counter(size: 100_000)))
        var outcomes: Set<String> = []
        for seed in UInt64(0)..<80 {
            let run = run(
                script, seed: seed, targets: Self.five, cancelAfter: .microseconds(Int(seed) * 50),
                cancelling: cancelled, pipelining: true)
            #expect(run.problems.isEmpty)
            outcomes.insert(run.sink.results[cancelled] ?? "nothing")
            for task in 1...5 where task != cancelled { #expect(run.sink.results[task] == "success", "seed \(seed)") }
        }
        #expect(outcomes == ["success", "cancelled"])
    }

    @Test(arguments: CutRule.Effect.allCases)
    func `a cut at any byte costs the exchange that it hits, the others are tried again`(effect: CutRule.Effect) {
        let whole = run(Self.answering(Reply(body: .text("hello, world"))), targets: Self.five, pipelining: true)
            .simulation.wire[0].counts.fromServer
        for offset in stride(from: 0, to: whole, by: 7) {
            let rule = FaultRule.cut(CutRule(connection: 0, offset: offset, effect: effect))
            let run = run(
                Self.answering(Reply(body: .text("hello, world"))), targets: Self.five, rules: [rule],
                pipelining: true)
            #expect(run.problems.isEmpty)
            let lost = run.sink.results.filter { $0.value != "success" }
            #expect(run.sink.results.count == 5 && lost.count <= 1, "cut at \(offset): \(run.sink.results)")
            #expect(lost.values.allSatisfy { $0 == "networkConnectionLost" })
        }
    }

    @Test func `a download grows in the case's directory`() throws {
        let directory = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: directory) }
        let script = Self.answering(Reply(body: .counter(size: 200_000)))
        let first = run(script, seed: 4, kind: .download(resuming: nil), directory: directory.path)
        #expect(first.problems.isEmpty)
        #expect(first.sink.results == [1: "success"])
        let files = try FileManager.default.contentsOfDirectory(atPath: directory.path)
        #expect(files.count == 1)
        let size = try Data(contentsOf: directory.appendingPathComponent(try #require(files.first))).count
        #expect(size == 200_000)
        let faults: [(DiskFault.Landmark, String)] = [
            (.open, "cannotCreateFile"), (.write(from: 100_000), "cannotWriteToFile"), (.close, "cannotCloseFile"),
        ]
        for (landmark, result) in faults {
            let rule = FaultRule.disk(DiskFault(at: landmark, do: .broken))
            let run = run(script, kind: .download(resuming: nil), directory: directory.path, rules: [rule])
            #expect(run.problems.isEmpty)
            #expect(run.sink.results == [1: result])
            #expect(try FileManager.default.contentsOfDirectory(atPath: directory.path).count == 1)
        }
    }

    @Test func `steps of a script are consumed, and what is not is named`() {
        let script = Script(steps: [
            Step(.exchange(Exchange(RequestMatch("GET", "/a"), reply: Reply(body: .text("a"))))),
            Step(.exchange(Exchange(RequestMatch("GET", "/b"), reply: Reply(body: .text("b"))))),
        ])
        let run = run(script, targets: ["/a"])
        #expect(run.problems.isEmpty)
        #expect(run.simulation.unconsumedSteps.count == 1)
        #expect(run.simulation.serverEvents.contains { $0.kind == .answered(status: 200) })
    }

    @Test func `a small exchange costs few steps`() {
        // Exploration plays thousands of runs: each step more is paid in all of them.
        let script = Self.answering(Reply(body: .text("x")))
        let few = run(script, targets: Array(repeating: "/", count: 10)).simulation.steps
        let many = run(script, targets: Array(repeating: "/", count: 110)).simulation.steps
        #expect(many - few <= 100 * 8)
    }
}
