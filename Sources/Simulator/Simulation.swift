import ClientMachines
import ClientTLS
import HTTPBasics
import MachineContract
import ServerScript
import ServerTLS
import TLSEngine
import TestCertificates

/// What a simulated run may vary.
package struct SimulationOptions {
    /// Interleavings, segmentation, latency and the users' pace.
    package var schedule = Schedule.plain
    /// Where the decisions that were not the plain ones are written down, if they are wanted.
    package var scheduleRecord: ScheduleRecord?
    /// Where downloads grow; the case's own directory.
    package var directory: String
    /// Added to what the script's hosts need.
    package var names = NameTable()
    package var rules: [FaultRule] = []
    /// How long everything travels one way between a client and a host.
    package var latency: Duration = .microseconds(100)
    /// Bytes in a second of each connection, in each direction; nil for all at once.
    package var rate: Int?
    /// The GSSAPI of the client's system, if it has one.
    package var gssapi: ScriptedGSSAPI?
    /// The way to other machines; the hosts of the script answer whatever it is.
    package var paths = ScriptedNetworkPaths()
    package var date = VirtualClock.defaultDate
    /// How many lines the journal keeps; 0 writes none.
    package var journalLimit = Journal.defaultLimit
    package var stepLimit = 1_000_000
    /// What the process may be asked for; nil measures nothing.
    package var limits: ProcessLimits?
    /// How long a run may last in virtual time.
    package var longestRun: Duration = .seconds(30 * 86_400)
    /// What every session is played by: tests take one that breaks its rules.
    package var machine: (ClientSettings) -> any Machine<ClientInput, ClientOutput> = { ClientMachine(settings: $0) }
    /// How many exchanges a connection of theirs carries at the same time.
    package var exchangesAtATime = 1

    /// Without a seed the schedule is plain.
    package init(seed: UInt64? = nil, directory: String, rules: [FaultRule] = []) {
        if let seed { schedule = .seeded(seed) }
        self.directory = directory
        self.rules = rules
    }
}

/// One case in virtual time: a scripted server, any number of sessions and their users, on one thread.
///
/// Build it, make engines and give them to sessions, schedule what the user does, then `run`. Everything that
/// happens is in `journal`, `wire` and `serverEvents`; what must never happen is in `violations`.
package final class Simulation: @unchecked Sendable {
    // Safety: used by the one thread that builds and runs it; what other threads may reach goes through
    // `Scheduler.post`.

    package let taskExecutor: SimulatedTaskExecutor
    package let journal: Journal
    private let options: SimulationOptions
    private let scheduler: Scheduler
    private let log: SimulationLog
    private let network: SimulatedNetwork
    private let record = SimulatedServerRecord()
    private let server: SimulatedServer
    private var scriptMachine: ScriptMachine?
    private var decisions: DecisionMaker
    private let busy: Decisions
    private var engines = 0
    private var disks: [SimulatedFiles] = []
    private var executors: [any CallExecutor] = []

    /// The server plays `script`; each of its hosts listens at port 80 of an address of its own.
    package convenience init(script: Script, _ options: SimulationOptions) {
        var origins: [String: String] = [:]
        for host in script.hosts { origins[host] = "\(script.scheme(of: host))://\(host)" }
        let machine = ScriptMachine(script: script, origins: origins, seed: options.schedule.seed)
        self.init(server: machine, script: script, options)
        scriptMachine = machine
    }

    package init(
        server machine: any Machine<ScriptInput, ScriptOutput>, script: Script, _ options: SimulationOptions
    ) {
        self.options = options
        var decisions = DecisionMaker(options.schedule, record: options.scheduleRecord)
        scheduler = Scheduler(clock: VirtualClock(date: options.date), turns: decisions.decisions(.turn))
        journal = Journal(limit: options.journalLimit, directory: options.directory)
        log = SimulationLog(
            scheduler: scheduler, journal: journal, limits: options.limits,
            checkers: Checkers(exchangesAtATime: options.exchangesAtATime))
        var names = NameTable(listenersOf: script)
        names.merge(options.names)
        let security = Self.security(script, options, &decisions)
        network = SimulatedNetwork(
            scheduler: scheduler, names: names, security: security,
            options, decisions: &decisions, log: log)
        network.socksHosts = Set(script.proxies.compactMap { if case .socks = $1 { $0 } else { nil } })
        server = SimulatedServer(
            machine: AnyMachine(machine), scheduler: scheduler, network: network, log: log, record: record,
            entropy: decisions.nextEntropy())
        busy = decisions.decisions(.busy)
        self.decisions = decisions
        taskExecutor = SimulatedTaskExecutor(scheduler: scheduler)
        network.attach(server: server)
        scheduler.onStray = { [unowned log] actor in
            log.report("a job for \(actor) came from a foreign thread: the run cannot be repeated")
        }
    }

    deinit {
        // What is still queued refers to the world, which would keep itself alive.
        scheduler.shutDown()
        network.detachAll()
    }

    /// The real TLS, with randomness from the run's seed. Runs without it take nothing of that.
    private static func security(
        _ script: Script, _ options: SimulationOptions, _ decisions: inout DecisionMaker
    ) -> [String: Result<HostSecurity, any Error>] {
        guard !script.tls.isEmpty else { return [:] }
        var random = decisions.nextEntropy()
        TLSLibrary.seeded.reseed(random.next())
        return script.tls.mapValues { plan in
            Result { try HostSecurity(plan, library: .seeded, date: options.date) }
        }
    }

    /// Whom the simulated sessions trust: the authority of the presets.
    package static let trustStore = TrustStore(anchors: TestCertificates.authority)

    // MARK: - For sessions

    /// An engine for one more session; downloads go to the case's directory.
    package func makeEngine(
        settings: ClientSettings, sink: any CallSink<ClientOutput>
    ) -> any Engine<ClientInput> {
        var settings = settings
        settings.downloadDirectory = options.directory
        return makeEngine(machine: options.machine(settings), settings: settings, sink: sink)
    }

    package func makeEngine(
        machine: any Machine<ClientInput, ClientOutput>, settings: ClientSettings, sink: any CallSink<ClientOutput>
    ) -> any Engine<ClientInput> {
        let session = engines
        engines += 1
        let files = SimulatedFiles(rules: options.rules)
        disks.append(files)
        let engine = SimulatedEngine(
            session: session, machine: AnyMachine(machine), sink: sink, scheduler: scheduler, network: network,
            tls: SessionTLS(settings, SessionTLS.Surroundings(library: .seeded, store: Self.trustStore)), files: files,
            gssapi: SimulatedGSSAPI(options.gssapi), paths: options.paths, log: log, entropy: decisions.nextEntropy())
        network.attach(client: engine)
        log.began(session: session, settings)
        return engine
    }

    /// The process dies that is simulated: nothing more is done, and the kernel closes its files.
    package func die() {
        for files in disks { files.closeAll() }
    }

    /// The delegate queue of the first session.
    package var executor: any CallExecutor { executor(ofSession: 0) }

    package func executor(ofSession session: Int) -> any CallExecutor {
        while executors.count <= session {
            executors.append(
                SimulatedExecutor(scheduler: scheduler, actor: .delegateQueue(executors.count), busy: busy))
        }
        return executors[session]
    }

    /// Where the body streams of the first session are read. Reading takes no time: what is read is in memory.
    package var bodyExecutor: any CallExecutor {
        SimulatedExecutor(scheduler: scheduler, actor: .bodyReader(0), busy: busy)
    }

    // MARK: - For the user's side

    /// Something that the user does, this much later.
    package func schedule(after delay: Duration = .zero, _ job: @escaping @Sendable () -> Void) {
        scheduler.post(on: .caller, after: delay, job)
    }

    /// Something that a thread of the user's does between two steps: after so many of them.
    package func intrude(behind step: Int, _ job: @escaping @Sendable () -> Void) {
        scheduler.intrude(behind: step, job)
    }

    /// Lets a server step that awaits this name go on.
    package func signal(_ name: String) {
        scheduler.post(on: .server) { [weak self] in self?.server.deliver(.signal(name)) }
    }

    /// Called, as a job of the caller, when the server reaches a point that the user may await.
    package var onSignal: ((String) -> Void)? {
        get { record.onSignal }
        set { record.onSignal = newValue }
    }

    package var now: Instant { scheduler.now }
    package var date: UnixTime { scheduler.clock.date }

    /// Randomness for what runs beside the engines: that of the instant.
    package var entropy: UInt64 { UInt64(bitPattern: now.nanoseconds) &* 0x9e37_79b9_7f4a_7c15 }

    /// Moves the wall clock, and only that.
    package func setDate(_ date: UnixTime) { scheduler.setDate(date) }

    /// The same, from where it stands; what no date can hold is the last or first one.
    package func setDate(ahead span: Duration) {
        let (seconds, overflow) = date.seconds.addingReportingOverflow(span.components.seconds)
        setDate(UnixTime(seconds: overflow ? (span > .zero ? .max : .min) : seconds))
    }

    /// For a caller that builds the world on one thread and fills it on another; `run` does this by itself.
    package func adoptCurrentThread() { scheduler.adoptCurrentThread() }

    // MARK: - Running

    /// Runs until nothing is left to do, or until a bound. May be called again after more was scheduled.
    package func run() -> RunEnd { run(until: scheduler.now + options.longestRun) }

    package func run(until end: Instant) -> RunEnd {
        let verdict = scheduler.run(until: end, stepLimit: options.stepLimit)
        if verdict == .idle { log.judgeRest() }
        return verdict
    }

    package var steps: Int { scheduler.steps }
    /// How often a client has tried to open a connection.
    package var attempts: Int { network.attemptCount }
    package var serverEvents: [ServerEvent] { record.events }
    package var violations: [InvariantViolation] { log.findings.violations }
    /// What the script still waits for, in file order; at the end it must be nothing.
    package var unconsumedSteps: [Step] { scriptMachine?.unconsumedSteps ?? [] }
    /// Every connection that was accepted, in that order.
    package var wire: [WireRecord] { network.links.map(\.record) }
    /// Bends that changed nothing of what the server sent.
    package var idleBends: [Bend] { network.idleBends }
}
