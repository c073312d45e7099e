import ClientMachines
import Foundation
import HTTPBasics
import Judge
import ScenarioFormat
import ServerScript
import SessionNetworking
import Simulator

/// Plays a case in virtual time: client, server and network on this one thread, as fast as it computes.
package enum SimulatedDriver {
    package struct Options {
        package var schedule = Schedule.plain
        /// Where the schedule's departures are written down, if they are wanted.
        package var record: ScheduleRecord?
        package var rules: [FaultRule] = []
        /// Changes what else the simulation is given.
        package var adjust: (inout SimulationOptions) -> Void = { _ in }
        /// A task that is cancelled between two steps.
        package var cancel: CancelRule?
        /// Traces, directories and a look at each value cost time that exploration does not have.
        package var keepsTrace = true
        package var directory: TemporaryDirectory?
        /// What an earlier run of the case has compressed already.
        package var contents = ContentStore()
        /// Whether the machine-level journal is wanted as well.
        package var keepsJournal = false
        /// Takes how the requests went; nil if that is not recorded.
        package var recorder: TransferRecorder?

        package init(schedule: Schedule = .plain, rules: [FaultRule] = [], keepsTrace: Bool = true) {
            self.schedule = schedule
            self.rules = rules
            self.keepsTrace = keepsTrace
        }
    }

    #if DEBUG
    private static let mostTurnTime = Duration.seconds(5)
    #else
    private static let mostTurnTime = Duration.milliseconds(250)
    #endif
    /// Of runs whose answers are bent. A turn of a sound client takes milliseconds. Where a body is wanted in memory a
    /// bomb's 64 MiB are held, twice while they are handed over.
    static let limits = ProcessLimits(turn: mostTurnTime, memory: 256 << 20)

    /// The observation, and what went over each connection.
    package static func play(
        _ scenarioCase: ScenarioCase, style: Style, options: Options = Options()
    ) throws -> (observation: CaseObservation, wire: [WireRecord]) {
        try SimulatedCase(scenarioCase, style: style, options: options).play()
    }
}

/// Cancels a task when the world has made so many steps, at any actor's turn.
package struct CancelRule: Hashable, Sendable {
    package var label: String
    package var step: Int

    package init(label: String, step: Int) {
        self.label = label
        self.step = step
    }
}

/// One case under way.
private final class SimulatedCase: @unchecked Sendable {
    // Safety: built, run and read on one thread, the simulation's.

    private let scenarioCase: ScenarioCase
    private let options: SimulatedDriver.Options
    private let directory: TemporaryDirectory
    private let machine: ScriptMachine
    private let simulation: Simulation
    private let player: ClientLanePlayer
    private let clock: SimulatedLaneClock
    private var session: URLSession?
    private var observation = CaseObservation()
    private var hasSnapshot = false

    init(_ scenarioCase: ScenarioCase, style: Style, options: SimulatedDriver.Options) throws {
        self.scenarioCase = scenarioCase
        self.options = options
        directory = try options.directory ?? TemporaryDirectory()
        let script = scenarioCase.script
        let origins = OriginTable(
            script.hosts.map { OriginTable.Entry(host: $0, origin: "\(script.scheme(of: $0))://\($0)") })
        var byHost: [String: String] = [:]
        for entry in origins.entries { byHost[entry.host] = entry.origin }
        machine = ScriptMachine(
            script: scenarioCase.script, origins: byHost, seed: options.schedule.seed, contents: options.contents)
        let rules = options.rules + scenarioCase.diskFaults.map { .disk($0) } + scenarioCase.bends.map { .bend($0) }
        var simulated = SimulationOptions(directory: directory.path, rules: rules)
        simulated.names = NameTable(scenarioCase.names, in: scenarioCase.script)
        simulated.gssapi = scenarioCase.gssapi
        simulated.latency = scenarioCase.link?.latency ?? simulated.latency
        simulated.rate = scenarioCase.link?.rate
        simulated.schedule = options.schedule
        simulated.scheduleRecord = options.record
        simulated.limits = rules.contains(where: \.isBend) ? SimulatedDriver.limits : nil
        // A script that answers for weeks is waited for as long, also if its client has left (`Settling`).
        simulated.longestRun += scenarioCase.scriptedWait
        if !options.keepsJournal { simulated.journalLimit = 0 }
        player = ClientLanePlayer(scenarioCase, style: style, origins: origins, directory: directory)
        simulated.paths = player.network.paths
        options.adjust(&simulated)
        simulation = Simulation(server: machine, script: script, simulated)
        clock = SimulatedLaneClock(simulation)
    }

    func play() -> (CaseObservation, [WireRecord]) {
        simulation.onSignal = { [player] in player.signalled($0) }
        if let rule = options.cancel {
            simulation.intrude(behind: rule.step) { [self] in
                observation.wasCancelled = player.cancelFromOutside(rule.label)
            }
        }
        simulation.schedule { [self] in begin() }
        let end = run()
        if !hasSnapshot {
            observation.wedge = "\(player.position) (the simulation ended \(end.rawValue))"
            takeSnapshot()
            run()
        }
        finish()
        return (observation, simulation.wire)
    }

    /// A client that loops may stop when it is cancelled: that it came to no end before is remembered.
    @discardableResult
    private func run() -> RunEnd {
        let end = simulation.run()
        if end != .idle { observation.isEndless = true }
        return end
    }

    private func begin() {
        let session = makeSession()
        let stage = ClientLanePlayer.Stage(
            session: session, makeSession: { [unowned self] in makeSession() }, clock: clock,
            executor: simulation.taskExecutor, reactsAtOnce: options.schedule == .plain,
            watchesValues: options.keepsTrace, endsByItself: true,
            signal: { [simulation] in simulation.signal($0) }, finished: { [unowned self] in settle() })
        player.begin(on: stage)
    }

    private func makeSession() -> URLSession {
        let configuration = player.configuration
        LaneSession.openCache(of: player, in: world, waitsAtHand: true)
        let session = URLSession(
            configuration: configuration, delegate: player.sessionDelegate(), delegateQueue: nil, world: world)
        player.made(session, queue: nil, configuration)
        self.session = session
        return session
    }

    private var world: SessionWorld {
        // Sessions must not hold the simulation: it ends when it is released. Their window is small: a body of a few
        // hundred KiB shows how a slow reader holds its server back. What its process has learned of delegates does
        // not count, or a run would depend on those before it; that no delegate wants metrics is known from the start,
        // since the task that finds it out goes another way than those behind it.
        let measures = QuestionDelegateNeed.measures(scenarioCase)
        var world = SessionWorld(
            makeEngine: { [unowned simulation] in simulation.makeEngine(settings: $0, sink: $1) },
            makeExecutor: { [unowned simulation] _ in simulation.executor },
            makeBodyExecutor: { [unowned simulation] in simulation.bodyExecutor },
            clock: clock.ofWorld,
            later: { [unowned simulation] in simulation.schedule(after: $0, $1) }, downloadDirectory: directory.path,
            deliveryWindow: 256 * 1024, taskExecutor: simulation.taskExecutor,
            knownTypes: KnownTypes(lacking: measures ? [] : DelegateMethods(.metrics)))
        world.onMetrics = options.recorder?.listener
        world.trustStore = Simulation.trustStore
        world.codings = KnownCodings(scenarioCase.codings)
        let environment = player.environment
        world.environment = { environment[$0] }
        return world
    }

    private func settle() {
        let rule = Settling.simulated(scenarioCase.scriptedWait)
        rule.wait(on: clock) { [self] in
            machine.isExhausted && current.isSettled(player)
        } done: { [self] in
            takeSnapshot()
        }
    }

    /// What is judged is what was there before the session was taken down.
    private func takeSnapshot() {
        hasSnapshot = true
        observation = current
        session?.invalidateAndCancel()
    }

    private var current: CaseObservation {
        var current = observation
        current.look(at: player)
        current.server = simulation.serverEvents
        current.unconsumed = machine.unconsumedSteps.map(StepText.text) + machine.owedHandshakes.map(\.description)
        current.duration = simulation.now - .zero
        current.steps = simulation.steps
        current.attempts = simulation.attempts
        return current
    }

    private func finish() {
        observation.close(player, options.recorder, since: .zero)
        player.tearDown()
        session = nil
        run()
        observation.isOver = true
        observation.idleBends = simulation.idleBends
        observation.breaches = simulation.violations.filter { !$0.isMeasured }.map(\.description)
        observation.breaches += ClientLanePlayer.breaches(in: observation)
        observation.excesses = simulation.violations.filter(\.isMeasured).map(\.description)
        observation.temporaryFiles = directory.files
        if options.keepsJournal { observation.machineJournal = simulation.journal.text }
        guard options.keepsTrace else { return }
        var trace = WireTraceText()
        for record in simulation.wire {
            for piece in record.pieces {
                let buffer = piece.from == .client ? record.fromClient : record.fromServer
                let start = buffer.readerIndex + piece.offset
                let bytes = buffer.getBytes(at: start, length: piece.count) ?? []
                trace.add(
                    connection: record.connection, isFromClient: piece.from == .client, instant: piece.instant,
                    bytes: bytes)
            }
        }
        observation.wireTrace = trace.lines(observation)
    }
}

/// The simulation's clock, its jobs run as the caller's.
private final class SimulatedLaneClock: LaneClock, @unchecked Sendable {
    // Safety: a reference that never changes; used on the simulation's thread.
    private unowned let simulation: Simulation

    init(_ simulation: Simulation) { self.simulation = simulation }

    var now: Instant { simulation.now }

    var date: Date { simulation.calendar }

    /// The same for a session, which must not hold the simulation.
    var ofWorld: WorldClock {
        WorldClock(
            instant: { [unowned simulation] in simulation.now },
            date: { [unowned simulation] in simulation.calendar },
            entropy: { [unowned simulation] in simulation.entropy })
    }

    func setDate(ahead span: Duration) { simulation.setDate(ahead: span) }

    func schedule(after span: Duration, _ job: @escaping @Sendable () -> Void) {
        simulation.schedule(after: span, job)
    }
}

extension Simulation {
    /// The date to its fraction of a second.
    fileprivate var calendar: Date {
        let fraction = Double(now.nanoseconds % 1_000_000_000) / 1e9
        return Date(timeIntervalSince1970: Double(date.seconds) + fraction)
    }
}
