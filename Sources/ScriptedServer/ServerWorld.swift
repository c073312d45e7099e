import HTTPBasics
import MachineContract
import NIOCore
import ServerScript
import ServerTLS
import TLSEngine

/// Plays one script over sockets: one event loop, one script machine, all connections of all its hosts.
final class ServerWorld: World, PeerTaker, @unchecked Sendable {
    // Safety: `record` and the callbacks serve any thread; everything else is touched on the event loop only.

    /// After the last step a client may still ask for too much.
    private static let afterglow = TimeAmount.milliseconds(150)

    /// For clients that send nothing to a server that is not stopped.
    private static let peerTimeout = Duration.seconds(60)

    private let eventLoop: any EventLoop
    private let onEvent: @Sendable (ServerEvent) -> Void
    private let onSignal: @Sendable (String) -> Void
    private let onRound: (@Sendable (Verdict) -> Void)?
    private let machine: ScriptMachine
    private lazy var drainLoop = DrainLoop(machine: machine, world: self)
    private var alarm: (instant: Instant, scheduled: Scheduled<Void>)?
    /// Tells that the round is over.
    private var roundEnd: Scheduled<Void>?
    private var isStopped = false
    let record = ServerRecord()
    let transport: PeerTransport

    init(
        script: Script, origins: [String: String], seed: UInt64, rounds: ServerRounds, tracesWire: Bool,
        improviser: (any Improviser)?,
        eventLoop: any EventLoop,
        onEvent: @escaping @Sendable (ServerEvent) -> Void, onSignal: @escaping @Sendable (String) -> Void,
        onRound: (@Sendable (Verdict) -> Void)?, onFull: @escaping @Sendable (Int) -> Void
    ) throws {
        self.eventLoop = eventLoop
        self.onEvent = onEvent
        self.onSignal = onSignal
        self.onRound = onRound
        let date = ServerClock.moment().date
        let security = try script.tls.mapValues { try HostSecurity($0, library: .system, date: date) }
        transport = PeerTransport(
            trace: tracesWire ? WireTrace() : nil, security: security, tellsClients: improviser != nil, onFull: onFull)
        machine = ScriptMachine(
            script: script, origins: origins, seed: seed, repeats: rounds == .many,
            roundTimeout: rounds == .endless ? nil : script.roundTimeout,
            peerTimeout: rounds == .endless ? nil : ServerWorld.peerTimeout, improviser: improviser)
    }

    func take(_ input: ScriptInput) {
        guard !isStopped else { return }
        drainLoop.submit(input)
    }

    func verdict() -> Verdict {
        Verdict(
            record.snapshot, unconsumedSteps: machine.unconsumedSteps, owedHandshakes: machine.owedHandshakes)
    }

    /// Whether something has happened on which no verdict was given.
    var hasOpenRound: Bool { roundEnd != nil || machine.isRoundUnderWay }

    var isExhausted: Bool { machine.isExhausted }

    /// Ends every connection and every timer now.
    func stop() {
        isStopped = true
        roundEnd?.cancel()
        roundEnd = nil
        transport.stop()
        disarm()
    }

    // MARK: - Rounds

    /// The verdict comes after a while without requests, or with what begins the next round.
    private func roundPassed() {
        guard let onRound else { return }
        roundEnd = eventLoop.scheduleTask(in: ServerWorld.afterglow) { [self] in tellRound(onRound) }
    }

    private func roundFailed(_ reason: Abandonment) {
        onRound?(
            Verdict(
                record.snapshot, unconsumedSteps: machine.unconsumedSteps, owedHandshakes: machine.owedHandshakes,
                abandonment: reason))
    }

    private func tellRound(_ tell: (Verdict) -> Void) {
        guard let end = roundEnd else { return }
        end.cancel()
        roundEnd = nil
        tell(Verdict(record.snapshot))
    }

    // MARK: - World

    func moment() -> Moment { ServerClock.moment() }

    func perform(_ output: ScriptOutput) {
        switch output {
        case .journal(let event):
            if case .startedOver = event.kind {
                if let onRound { tellRound(onRound) }
                record.clear()
            }
            record.append(event)
            onEvent(event)
            if case .exhausted = event.kind { roundPassed() }
            if case .abandoned(let reason) = event.kind { roundFailed(reason) }
        case .signal(let name): onSignal(name)
        case .write, .writeAhead, .closeOutput, .close, .strike, .spoilHandshake, .secure, .reset, .setReading:
            transport.perform(output)
        }
    }

    func deadlineMoved(to deadline: Instant?) {
        guard deadline != alarm?.instant else { return }
        disarm()
        guard let deadline, deadline.nanoseconds != .max, !isStopped else { return }
        let uptime = NIODeadline.uptimeNanoseconds(UInt64(max(0, deadline.nanoseconds)))
        let scheduled = eventLoop.scheduleTask(deadline: uptime) { [self] in
            alarm = nil
            drainLoop.timePassed()
        }
        alarm = (deadline, scheduled)
    }

    private func disarm() {
        alarm?.scheduled.cancel()
        alarm = nil
    }
}
