import Foundation
import HTTPBasics
import Judge
import Locks
import ScenarioFormat
import ScriptedServer
import ServerScript

/// Plays cases over loopback sockets in real time: a fresh server, session and directory for each.
package final class SocketDriver: Sendable {
    typealias MakeSession =
        @Sendable (
            ClientLanePlayer, URLSessionConfiguration, OperationQueue?, ScriptedServer, TemporaryDirectory,
            TransferRecorder?
        ) throws -> URLSession

    private let makeSession: MakeSession
    private let meter = StallMeter()
    /// Event loops and their descriptors come with the first case and stay.
    private let isWarm = Lock(false)

    package convenience init() { self.init(LaneSession.make) }

    /// - Parameter makeSession: Makes the client that is judged.
    init(_ makeSession: @escaping MakeSession) { self.makeSession = makeSession }

    /// Plays a requested case and judges it.
    package func result(of scenarioCase: ScenarioCase, _ request: CaseRequest) throws -> CaseResult {
        let recorder = TransferRecorder(for: request)
        let observation = try play(scenarioCase, style: request.style, seed: request.seed, recorder: recorder)
        let tolerance = TimingTolerance.sockets(stall: observation.stall)
        let judge = CaseJudge(observation, expecting: scenarioCase.expect, style: request.style, tolerance: tolerance)
        var result = request.result(of: observation, judge: judge.findings())
        result.note(tolerance, scenarioCase.expect.tasks.flatMap(\.timing))
        return result
    }

    /// Blocks; not to be called from the concurrency pool.
    func play(
        _ scenarioCase: ScenarioCase, style: Style, seed: UInt64 = 0, recorder: TransferRecorder? = nil
    ) throws -> CaseObservation {
        let counts = LaneSession.closesDescriptors && isWarm.withLock { $0 }
        let descriptors = counts ? ProcessCount.descriptors : nil
        meter.reset()
        let played = try SocketCase(scenarioCase, style: style, seed: seed, recorder: recorder, makeSession)
        var observation = try played.play()
        observation.stall = meter.stall
        isWarm.withLock { $0 = true }
        observation.breaches += played.remains(above: descriptors)
        return observation
    }
}

/// One case under way.
private final class SocketCase: @unchecked Sendable {
    // Safety: `observation` is written on the lane and read by the playing thread after the lane said it was done.

    private let scenarioCase: ScenarioCase
    private let style: Style
    private let seed: UInt64
    private let recorder: TransferRecorder?
    private let make: SocketDriver.MakeSession
    private let directory: TemporaryDirectory
    private let relay = ServerRelay()
    private let done = DispatchSemaphore(value: 0)
    private var observation = CaseObservation()
    private var session: URLSession?
    private var leakSuspects: [LeakSuspect] = []
    private var protocolRules: LaneProtocol.Rules?
    /// Tells cases apart that are played in different ways, always in the same.
    private let turn: UInt64

    init(
        _ scenarioCase: ScenarioCase, style: Style, seed: UInt64, recorder: TransferRecorder?,
        _ make: @escaping SocketDriver.MakeSession
    ) throws {
        self.make = make
        self.scenarioCase = scenarioCase
        self.recorder = recorder
        self.seed = seed
        self.style = style
        var turn = Checksum()
        let name = "\(scenarioCase.mark) \(scenarioCase.name ?? "") \(style)"
        Array(name.utf8).withUnsafeBytes { turn.update($0) }
        self.turn = turn.value
        directory = try TemporaryDirectory()
    }

    func play() throws -> CaseObservation {
        let server = try startServer()
        let origins = OriginTable(
            scenarioCase.script.hosts.compactMap { host -> OriginTable.Entry? in
                let isSystems = scenarioCase.names.contains { $0.host == host && $0.isSystems }
                let local = isSystems ? server.addresses[host].map { "http://localhost:\($0.port)" } : nil
                return (local ?? server.origins[host]).map { OriginTable.Entry(host: host, origin: $0) }
            })
        let player = ClientLanePlayer(scenarioCase, style: style, origins: origins, directory: directory)
        let (session, place) = try makeSession(for: player, server)
        let queue = place.lane
        let clock = SocketLaneClock(queue)
        relay.attach { name in queue.async { player.signalled(name) } }
        queue.async { [self] in begin(player, session, clock, server, place) }
        let limit = LaneSession.patience + scenarioCase.scriptedWait * 2
        if done.wait(timeout: .now() + limit / .seconds(1)) == .timedOut {
            observe(wedged: player, session, clock, on: queue)
        }
        return try finish(player, server, clock, on: queue)
    }

    /// The delegate queue is the lane: what the caller does and what it is told happen in one place. Half of the cases
    /// have a queue of the caller's, the others that of the session.
    private func makeSession(
        for player: ClientLanePlayer, _ server: ScriptedServer
    ) throws -> (URLSession, CallPlace) {
        let lane = DispatchQueue(label: "understudy.lane")
        let queue = turn & 1 == 0 || !LaneSession.makesQueues ? CallersQueue(on: lane) : nil
        let configuration = player.configuration
        let session = try makeSession(for: player, configuration, queue, server)
        return (session, CallPlace(queue == nil ? session.delegateQueue.underlyingQueue ?? lane : lane, queue))
    }

    private func makeSession(
        for player: ClientLanePlayer, _ configuration: URLSessionConfiguration, _ queue: OperationQueue?,
        _ server: ScriptedServer
    ) throws -> URLSession {
        let session = try make(player, configuration, queue, server, directory, recorder)
        player.made(session, queue: queue, configuration)
        self.session = session
        return session
    }

    private func startServer() throws -> ScriptedServer {
        let script = scenarioCase.script, asksSystem = scenarioCase.names.contains(where: \.isSystems)
        let originsByName = try LaneSession.resolvesNames(of: script)
        return try Blocking.run { [relay, seed] in
            try await ScriptedServer.start(
                script: script, onOneAddress: asksSystem, seed: seed, originsByName: originsByName,
                tracesWire: true, onEvent: { relay.take($0) }, onSignal: { relay.raise($0) })
        }
    }

    // MARK: On the lane

    private func begin(
        _ player: ClientLanePlayer, _ session: URLSession, _ clock: SocketLaneClock, _ server: ScriptedServer,
        _ place: CallPlace
    ) {
        let stage = ClientLanePlayer.Stage(
            session: session,
            makeSession: { [unowned self] in
                place.isGivenToAnother()
                return try makeSession(for: player, player.configuration, session.delegateQueue, server)
            }, clock: clock, executor: clock, watchesProgress: turn & 2 == 0 && LaneSession.watches.contains(.progress),
            misplaced: { place.fault }, signal: { server.signal($0) },
            finished: { [unowned self] in settle(player, clock) })
        player.begin(on: stage)
    }

    private func settle(_ player: ClientLanePlayer, _ clock: SocketLaneClock) {
        let rule = Settling.sockets(scenarioCase.scriptedWait)
        rule.wait(on: clock) { [self] in
            guard relay.isExhausted || scenarioCase.script.steps.isEmpty else { return false }
            return current(player, clock).isSettled(player) && !player.hasOpenFile
        } done: { [self] in
            player.checkFiles()
            player.checkTasks { [self] in
                observation = current(player, clock)
                session?.invalidateAndCancel()
                done.signal()
            }
        }
    }

    private func current(_ player: ClientLanePlayer, _ clock: SocketLaneClock) -> CaseObservation {
        var current = CaseObservation()
        current.look(at: player)
        current.server = relay.events
        current.duration = clock.now - .zero
        return current
    }

    // MARK: On the playing thread

    /// Asks the lane where it stands; one that does not even answer is stuck inside some call.
    private func observe(
        wedged player: ClientLanePlayer, _ session: URLSession, _ clock: SocketLaneClock, on queue: DispatchQueue
    ) {
        let answered = DispatchSemaphore(value: 0)
        queue.async { [self] in
            observation = current(player, clock)
            observation.wedge = player.position
            player.giveUp()
            session.invalidateAndCancel()
            answered.signal()
        }
        guard answered.wait(timeout: .now() + 2) == .timedOut else { return }
        observation.wedge = "the delegate queue is blocked"
    }

    private func finish(
        _ player: ClientLanePlayer, _ server: ScriptedServer, _ clock: SocketLaneClock, on queue: DispatchQueue
    ) throws -> CaseObservation {
        let wire = try Blocking.run { try await server.wire() }
        let verdict = try Blocking.run { try await server.stop() }
        guard observation.wedge != "the delegate queue is blocked" else { return observation }
        var result = observation
        result.unconsumed = verdict.unconsumedSteps.map(StepText.text) + verdict.owedHandshakes.map(\.description)
        // What is still on its way to the delegate comes before this.
        let emptied = DispatchSemaphore(value: 0)
        queue.async { [self] in
            leakSuspects = player.leakSuspects
            protocolRules = player.protocolRules
            player.tearDown()
            emptied.signal()
        }
        emptied.wait()
        result.breaches += ClientLanePlayer.breaches(in: result)
        result.start = clock.start
        result.close(player, recorder, since: clock.start)
        result.temporaryFiles = LaneSession.leftovers(in: directory)
        result.wireTrace = trace(wire, result, since: clock.start)
        return result
    }

    private func trace(_ wire: [PeerTrace], _ observation: CaseObservation, since start: Instant) -> [String] {
        var trace = WireTraceText()
        for peer in wire {
            for piece in peer.pieces {
                trace.add(
                    connection: peer.peer.value, isFromClient: piece.direction == .received, instant: piece.instant,
                    since: start, bytes: piece.bytes)
            }
        }
        return trace.lines(observation, since: start)
    }

    /// What the case has left behind, in words. Connections close a moment after the session is told to.
    func remains(above descriptors: Int?) -> [String] {
        let deadline = ContinuousClock.now + .seconds(2)
        let nap = DispatchSemaphore(value: 0)
        while true {
            let remains = remainsNow(above: descriptors)
            if remains.isEmpty || ContinuousClock.now >= deadline { return remains }
            _ = nap.wait(timeout: .now() + .milliseconds(2))
        }
    }

    private func remainsNow(above descriptors: Int?) -> [String] {
        var remains: [String] = []
        if let descriptors, let now = ProcessCount.descriptors, now > descriptors {
            remains.append("\(now - descriptors) file descriptors were left open")
        }
        guard LaneSession.letsGo, observation.wedge == nil else { return remains }
        // A caller may hold a session as long as it likes; the session lets go of its objects when it is invalid.
        let held = leakSuspects.compactMap(\.object).filter { $0 !== session }
        if held.isEmpty { session = nil }
        let names = Set((held.isEmpty ? leakSuspects.compactMap(\.object) : held).map { "\(type(of: $0))" })
        remains += names.sorted().map { "a \($0) outlives its session" }
        if let starts = protocolRules?.starts.withLock({ $0 }), starts != 0 {
            remains.append("\(starts) objects of a protocol class were started and not stopped")
        }
        if let threads = ProcessCount.threads, threads > Self.mostThreads {
            remains.append("the process has \(threads) threads")
        }
        return remains
    }

    /// Event loops, and what stands by for names, files and queues between two cases.
    private static let mostThreads = 96 + 2 * ProcessInfo.processInfo.activeProcessorCount
}

extension CaseResult {
    /// What the tolerance has done to the windows of these rules.
    fileprivate mutating func note(_ tolerance: TimingTolerance, _ rules: [TimingRule]) {
        guard !rules.isEmpty, tolerance.stall > .zero else { return }
        widened = tolerance.stall / .seconds(1)
        if !rules.allSatisfy(tolerance.keepsMeaning) { isVague = true }
    }
}
