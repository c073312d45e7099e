import Foundation
import HTTPBasics
import Judge
import Locks
import ScenarioFormat
import ScriptedServer
import ServerScript

/// Plays cases over loopback sockets in real time: a fresh server, session and directory for each.
package final class SocketDriver: Sendable {
    private let meter = StallMeter()
    /// Event loops and their descriptors come with the first case and stay.
    private let isWarm = Lock(false)

    package init() {}

    /// How often a case is played whose windows the machine has widened beyond their meaning.
    private static let mostPlays = 3

    /// Plays a requested case and judges it.
    package func result(of scenarioCase: ScenarioCase, _ request: CaseRequest) throws -> CaseResult {
        var result = try resultOfOne(scenarioCase, request), plays = 1
        while result.verdict == .pass, result.isVague == true, plays < SocketDriver.mostPlays {
            result = try resultOfOne(scenarioCase, request)
            plays += 1
        }
        return result
    }

    private func resultOfOne(_ scenarioCase: ScenarioCase, _ request: CaseRequest) throws -> CaseResult {
        let recorder = request.drawsTransfers == true ? TransferRecorder() : nil
        let observation = try play(scenarioCase, style: request.style, seed: request.seed, recorder: recorder)
        let tolerance = TimingTolerance.sockets(stall: observation.stall)
        let judge = CaseJudge(observation, expecting: scenarioCase.expect, style: request.style, tolerance: tolerance)
        var result = request.result(judge: judge.findings())
        result.note(tolerance, scenarioCase.expect.tasks.flatMap(\.timing))
        if result.verdict.isFailure { result.trace = observation.wireTrace }
        if !observation.transfers.isEmpty { result.transfers = observation.transfers }
        return result
    }

    /// Blocks; not to be called from the concurrency pool.
    package func play(
        _ scenarioCase: ScenarioCase, style: Style, seed: UInt64 = 0, recorder: TransferRecorder? = nil
    ) throws -> CaseObservation {
        let counts = LaneSession.closesDescriptors && isWarm.withLock { $0 }
        let descriptors = counts ? DescriptorCount.current : nil
        meter.reset()
        let played = try SocketCase(scenarioCase, style: style, seed: seed, recorder: recorder)
        var observation = try played.play()
        observation.stall = meter.stall
        isWarm.withLock { $0 = true }
        if let descriptors, let left = played.descriptorsLeft(above: descriptors) {
            observation.breaches.append("\(left) file descriptors were left open")
        }
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
    private let directory: TemporaryDirectory
    private let relay = ServerRelay()
    private let done = DispatchSemaphore(value: 0)
    private var observation = CaseObservation()
    private var session: URLSession?

    init(_ scenarioCase: ScenarioCase, style: Style, seed: UInt64, recorder: TransferRecorder?) throws {
        self.scenarioCase = scenarioCase
        self.recorder = recorder
        self.seed = seed
        self.style = style
        directory = try TemporaryDirectory()
    }

    func play() throws -> CaseObservation {
        let server = try startServer()
        let origins = OriginTable(
            scenarioCase.script.hosts.compactMap { host in
                server.origins[host].map { OriginTable.Entry(host: host, origin: $0) }
            })
        let player = ClientLanePlayer(scenarioCase, style: style, origins: origins, directory: directory)
        let session = try LaneSession.make(for: player, server: server, directory: directory, recorder: recorder)
        self.session = session
        // The delegate queue is the lane: what the caller does and what it is told happen in one place.
        let queue = session.delegateQueue.underlyingQueue ?? DispatchQueue(label: "understudy.lane")
        let clock = SocketLaneClock(queue)
        relay.attach { name in queue.async { player.signalled(name) } }
        queue.async { [self] in begin(player, session, clock, server) }
        let limit = LaneSession.patience + scenarioCase.scriptedWait * 2
        if done.wait(timeout: .now() + limit / .seconds(1)) == .timedOut {
            observe(wedged: player, session, clock, server, on: queue)
        }
        return try finish(player, server, clock, on: queue)
    }

    private func startServer() throws -> ScriptedServer {
        let script = scenarioCase.script
        return try Blocking.run { [relay, seed] in
            try await ScriptedServer.start(
                script: script, seed: seed, originsByName: LaneSession.resolvesNames, tracesWire: true,
                onEvent: { relay.take($0) }, onSignal: { relay.raise($0) })
        }
    }

    // MARK: On the lane

    private func begin(
        _ player: ClientLanePlayer, _ session: URLSession, _ clock: SocketLaneClock, _ server: ScriptedServer
    ) {
        let stage = ClientLanePlayer.Stage(
            session: session, clock: clock, executor: clock, signal: { server.signal($0) },
            finished: { [unowned self] in settle(player, session, clock) })
        player.begin(on: stage)
    }

    private func settle(_ player: ClientLanePlayer, _ session: URLSession, _ clock: SocketLaneClock) {
        let rule = Settling.sockets(scenarioCase.scriptedWait)
        rule.wait(on: clock) { [self] in
            guard player.isQuiet, relay.isExhausted || scenarioCase.script.steps.isEmpty else { return false }
            let current = current(player, clock)
            return CaseJudge(current, expecting: scenarioCase.expect, style: style, tolerance: .exact).isSettled
        } done: { [self] in
            observation = current(player, clock)
            session.invalidateAndCancel()
            done.signal()
        }
    }

    private func current(_ player: ClientLanePlayer, _ clock: SocketLaneClock) -> CaseObservation {
        var current = CaseObservation()
        current.origins = player.origins
        current.journal = player.journal
        current.laneFailure = player.failure
        current.server = relay.events
        current.duration = clock.now - .zero
        current.hasQuestionDelegate = player.hasQuestionDelegate
        current.hasKeptResumeData = player.hasKeptResumeData
        return current
    }

    // MARK: On the playing thread

    /// Asks the lane where it stands; one that does not even answer is stuck inside some call.
    private func observe(
        wedged player: ClientLanePlayer, _ session: URLSession, _ clock: SocketLaneClock, _ server: ScriptedServer,
        on queue: DispatchQueue
    ) {
        let answered = DispatchSemaphore(value: 0)
        queue.async { [self] in
            observation = current(player, clock)
            observation.wedge = player.position
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
        result.unconsumed = verdict.unconsumedSteps.map(StepText.text)
        // What is still on its way to the delegate comes before this.
        let emptied = DispatchSemaphore(value: 0)
        queue.async {
            player.tearDown()
            emptied.signal()
        }
        emptied.wait()
        session = nil
        result.fullJournal = player.journal
        result.transfers = recorder?.transfers(since: clock.start, of: player) ?? []
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
        trace.add(observation.server, since: start)
        trace.add(observation.journal)
        return trace.lines
    }

    /// Connections close a moment after the session is told to; nil when all is put away.
    func descriptorsLeft(above before: Int) -> Int? {
        let deadline = ContinuousClock.now + .seconds(2)
        let nap = DispatchSemaphore(value: 0)
        while true {
            guard let now = DescriptorCount.current, now > before else { return nil }
            if ContinuousClock.now >= deadline { return now - before }
            _ = nap.wait(timeout: .now() + .milliseconds(2))
        }
    }
}

extension CaseResult {
    /// What the tolerance has done to the windows of these rules.
    fileprivate mutating func note(_ tolerance: TimingTolerance, _ rules: [TimingRule]) {
        guard !rules.isEmpty, tolerance.stall > .zero else { return }
        widened = tolerance.stall / .seconds(1)
        if !rules.allSatisfy(tolerance.keepsMeaning) { isVague = true }
    }
}
