import HTTPBasics
import MachineContract
import ServerScript

/// The scripted server in virtual time: its machine, its journal, and its signals.
final class SimulatedServer: World, ServerSide {
    private let machine: AnyMachine<ScriptInput, ScriptOutput>
    private let scheduler: Scheduler
    private let network: SimulatedNetwork
    private let log: SimulationLog
    private let record: SimulatedServerRecord
    private var entropy: SeededRandom
    private lazy var loop = DrainLoop(machine: machine, world: self)

    init(
        machine: AnyMachine<ScriptInput, ScriptOutput>, scheduler: Scheduler, network: SimulatedNetwork,
        log: SimulationLog, record: SimulatedServerRecord, entropy: SeededRandom
    ) {
        self.machine = machine
        self.scheduler = scheduler
        self.network = network
        self.log = log
        self.record = record
        self.entropy = entropy
        scheduler.onTimer(of: .server) { [unowned self] in wake() }
        // A script may wait for the clock before anyone connects.
        deadlineMoved(to: machine.deadline)
    }

    func deliver(_ input: ScriptInput) {
        log.note(input)
        loop.submit(input)
    }

    private func wake() {
        guard let deadline = machine.deadline else { return }
        if deadline <= scheduler.now { deliver(.timePassed) } else { deadlineMoved(to: deadline) }
    }

    func moment() -> Moment {
        Moment(instant: scheduler.now, date: scheduler.clock.date, entropy: entropy.next())
    }

    func deadlineMoved(to deadline: Instant?) { scheduler.setTimer(of: .server, to: deadline) }

    func perform(_ output: ScriptOutput) {
        log.note(output)
        switch output {
        case .write(let peer, let bytes), .writeAhead(let peer, let bytes):
            withLink(peer) { network.write($0, from: .server, bytes) }
        case .closeOutput(let peer): withLink(peer) { network.closeOutput($0, from: .server) }
        case .close(let peer, let isAnnounced):
            withLink(peer) { network.close($0, from: .server, isAnnounced: isAnnounced) }
        case .strike(let peer, let fault, let ofProxy):
            withLink(peer) { network.strike($0, fault, ofProxy: ofProxy) }
        case .spoilHandshake(let peer): withLink(peer) { $0.serverTLS?.spoil() }
        case .secure(let peer, let host, let early, let isSpoilt):
            withLink(peer) { network.secure($0, as: host, early, isSpoilt: isSpoilt) }
        case .reset(let peer): withLink(peer) { network.reset($0, from: .server) }
        case .setReading(let peer, let isReading):
            withLink(peer) { network.setReading($0, at: .server, isReading) }
        case .signal(let name): record.raise(name, on: scheduler)
        case .scope: break  // The simulator's server is not shared.
        case .journal(let event):
            if case .tunnelled = event.kind { withLink(event.peer, network.letThrough) }
            record.append(event)
        }
    }

    private func withLink(_ peer: PeerID, _ body: (Link) -> Void) {
        if let link = network.link(peer) { body(link) }
    }
}
