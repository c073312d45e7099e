import ClientMachines
import HTTPBasics
import NIOCore
import ServerScript
import Testing

@testable import Simulator

@Suite struct SimulationTests {
    struct Run {
        var end: RunEnd
        var results: [Int: String]
        var text: String
        var violations: [String]
        var journal: String
        var wire: [WireRecord]
        var now: Instant
    }

    /// Starts `tasks` GETs at once against a server that answers with `body`.
    private func run(
        seed: UInt64? = nil, tasks: Int = 1, flaw: TinyClient.Flaw? = nil, body: String = "hello, world",
        server: TinyServer? = nil, rules: [FaultRule] = [], host: String = "a.test", cancelling: Int? = nil
    ) -> Run {
        var options = SimulationOptions(seed: seed, directory: "/nowhere", rules: rules)
        options.stepLimit = 20_000
        let simulation = Simulation(server: server ?? TinyServer(body: body), script: Script(), options)
        let sink = RecordingSink()
        var settings = ClientSettings()
        settings.connectionsPerHost = tasks
        let engine = simulation.makeEngine(machine: TinyClient(flaw: flaw), settings: settings, sink: sink)
        simulation.schedule {
            for task in 1...tasks {
                engine.submit(.start(TaskID(task), .get("/\(task)", host: host), suspended: false))
            }
        }
        if let cancelling {
            simulation.schedule(after: .microseconds(600)) {
                engine.submit(.cancel(TaskID(cancelling), keepingResumeData: false))
            }
        }
        let end = simulation.run()
        return Run(
            end: end, results: sink.results, text: sink.text, violations: simulation.violations.map(\.description),
            journal: simulation.journal.text, wire: simulation.wire, now: simulation.now)
    }

    @Test func `a request is answered in virtual time`() {
        let run = run()
        #expect(run.end == .idle)
        #expect(run.results == [1: "success"])
        #expect(run.text == "hello, world")
        #expect(run.violations.isEmpty)
        #expect(run.now < .zero + .milliseconds(2))
    }

    @Test func `a server that never answers costs a minute of virtual time`() {
        let run = run(server: TinyServer { _, _ in [] })
        #expect(run.results == [1: "timedOut"])
        #expect(run.now >= .zero + .seconds(60))
        #expect(run.now < .zero + .seconds(61))
        #expect(run.violations.isEmpty)
    }

    @Test func `an unknown name fails`() {
        let run = run(host: "nobody.test")
        #expect(run.results == [1: "cannotFindHost"])
        #expect(run.violations.isEmpty)
    }

    @Test(arguments: [nil, 0, 1, 2, 3, 4_711] as [UInt64?])
    func `one seed, one journal`(seed: UInt64?) {
        let first = run(seed: seed, tasks: 6, cancelling: 3)
        let second = run(seed: seed, tasks: 6, cancelling: 3)
        #expect(!first.journal.isEmpty)
        #expect(first.journal == second.journal)
        #expect(first.violations.isEmpty)
    }

    @Test func `another seed, another journal`() {
        let journals = Set((UInt64(0)..<8).map { run(seed: $0, tasks: 3).journal })
        #expect(journals.count == 8)
    }

    @Test func `the seed decides how far a task has come when it is cancelled`() {
        var outcomes: Set<Bool> = []
        for seed in UInt64(0)..<60 {
            let run = run(seed: seed, cancelling: 1)
            #expect(run.violations.isEmpty)
            #expect(run.results.count == 1)
            outcomes.insert(run.results[1] == "cancelled")
        }
        #expect(outcomes == [true, false])
    }

    @Test(arguments: CutRule.Effect.allCases)
    func `a cut at any byte is a failure, and behind the last a success`(effect: CutRule.Effect) {
        let whole = run().wire[0].counts.fromServer
        for offset in 0...whole {
            let run = run(rules: [.cut(CutRule(connection: 0, offset: offset, effect: effect))])
            #expect(run.results == [1: offset < whole ? "networkConnectionLost" : "success"])
            #expect(run.violations.isEmpty)
        }
    }

    @Test(arguments: [
        (TinyClient.Flaw.completesTwice, "after the task's completion"), (.dropsLastByte, "success with 11 of 12"),
        (.corrupts, "differ from what the server sent, first at offset 0"), (.forgetsTask, "never completed"),
        (.leavesConnection, "still open"), (.leavesTimer, "a timer is armed"),
    ])
    func `a client that breaks a rule is caught`(flaw: TinyClient.Flaw, sentence: String) {
        let run = run(flaw: flaw)
        #expect(run.violations.contains { $0.contains(sentence) }, "\(run.violations)")
        #expect(run.end == .idle)
        #expect(run.journal.split(separator: "\n").contains { $0.contains("VIOLATION") })
    }

    @Test func `more connections than the session allows are caught`() {
        let simulation = Simulation(
            server: TinyServer(body: "x"), script: Script(), SimulationOptions(directory: "/nowhere"))
        var settings = ClientSettings()
        settings.connectionsPerHost = 2
        let engine = simulation.makeEngine(machine: TinyClient(), settings: settings, sink: RecordingSink())
        for task in 1...3 { engine.submit(.start(TaskID(task), .get(), suspended: false)) }
        _ = simulation.run()
        #expect(Set(simulation.violations.map(\.sentence)) == ["3 connections to a.test:80, allowed are 2"])
    }

    @Test func `a host that cannot speak its TLS speaks nothing`() {
        var script = Script()
        var tls = HostTLS()
        tls.applicationProtocols = [""]
        script.tls["a.test"] = tls
        let simulation = Simulation(
            server: TinyServer(body: "x"), script: script, SimulationOptions(directory: "/nowhere"))
        let sink = RecordingSink()
        let engine = simulation.makeEngine(machine: TinyClient(), settings: ClientSettings(), sink: sink)
        let url = URLReference(scheme: "http", host: "a.test", port: 443, path: "/")
        let plan = TaskPlan(request: ClientRequest(url: url), kind: .data, asks: [])
        engine.submit(.start(TaskID(1), plan, suspended: false))
        _ = simulation.run()
        #expect(simulation.violations.contains { $0.sentence.contains("a.test cannot speak TLS") })
        #expect(simulation.wire.allSatisfy { $0.counts.fromServer == 0 } && !simulation.wire.isEmpty)
    }

    @Test func `signals go both ways`() {
        let simulation = Simulation(
            server: TinyServer(body: ""), script: Script(), SimulationOptions(directory: "/nowhere"))
        var heard: [String] = []
        simulation.onSignal = { heard.append($0) }
        simulation.schedule(after: .seconds(1)) { simulation.signal("go") }
        #expect(simulation.run() == .idle)
        #expect(heard == ["go heard"])
    }

    @Test func `two sessions have engines and delegate queues of their own`() {
        let simulation = Simulation(
            server: TinyServer(body: "x"), script: Script(), SimulationOptions(seed: 1, directory: "/nowhere"))
        let sinks = [RecordingSink(), RecordingSink()]
        for sink in sinks {
            let engine = simulation.makeEngine(machine: TinyClient(), settings: ClientSettings(), sink: sink)
            engine.submit(.start(TaskID(1), .get(), suspended: false))
        }
        nonisolated(unsafe) var order: [String] = []
        for number in 0..<3 {
            simulation.executor(ofSession: 0).run { order.append("a\(number)") }
            simulation.executor(ofSession: 1).run { order.append("b\(number)") }
        }
        #expect(simulation.run() == .idle)
        #expect(sinks.map(\.text) == ["x", "x"])
        #expect(order.filter { $0.hasPrefix("a") } == ["a0", "a1", "a2"])
        #expect(order.filter { $0.hasPrefix("b") } == ["b0", "b1", "b2"])
        #expect(simulation.violations.isEmpty)
    }

    @Test func `a world that ends early goes away with all that was queued`() {
        weak var sink: RecordingSink?
        do {
            let simulation = Simulation(
                server: TinyServer { _, _ in [] }, script: Script(), SimulationOptions(directory: "/nowhere"))
            let strong = RecordingSink()
            sink = strong
            let engine = simulation.makeEngine(machine: TinyClient(), settings: ClientSettings(), sink: strong)
            engine.submit(.start(TaskID(1), .get(), suspended: false))
            #expect(simulation.run(until: .zero + .seconds(1)) == .outOfTime)
        }
        #expect(sink == nil)
    }
}
