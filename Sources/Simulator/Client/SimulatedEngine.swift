import BodyFiles
import ClientMachines
import ClientTLS
import HTTPBasics
import MachineContract
import NIOCore
import TLSEngine

/// A session's client machine in virtual time: the simulator's counterpart of the socket world's shard.
final class SimulatedEngine: Engine, World, ClientSide, @unchecked Sendable {
    // Safety: all state is used on the world's thread only; `enqueue` goes through the scheduler's checked door.

    /// How long a turn takes that does all it may.
    private static let turn: Duration = .milliseconds(2)

    private let session: Int
    private let actor: SimulatedActor
    private let machine: AnyMachine<ClientInput, ClientOutput>
    private let sink: any CallSink<ClientOutput>
    private let scheduler: Scheduler
    private let network: SimulatedNetwork
    private let tls: SessionTLS
    private let files: SimulatedFiles
    private let uploads = SimulatedUploads()
    private let gssapi: SimulatedGSSAPI
    private let paths: ScriptedNetworkPaths
    /// Once a task has to know how other machines are reached.
    private var pathWatch: (any Sendable)?
    private let log: SimulationLog
    private var entropy: SeededRandom
    /// The machine's, as it was after its last turn.
    private var deadline: Instant?
    /// Inputs for which the machine has not been woken yet.
    private var asleep: [ClientInput] = []
    private lazy var loop = DrainLoop(machine: machine, world: self)

    init(
        session: Int, machine: AnyMachine<ClientInput, ClientOutput>, sink: any CallSink<ClientOutput>,
        scheduler: Scheduler, network: SimulatedNetwork, tls: SessionTLS, files: SimulatedFiles,
        gssapi: SimulatedGSSAPI, paths: ScriptedNetworkPaths, log: SimulationLog, entropy: SeededRandom
    ) {
        self.tls = tls
        self.session = session
        self.machine = machine
        self.sink = sink
        self.scheduler = scheduler
        self.network = network
        self.files = files
        self.gssapi = gssapi
        self.paths = paths
        self.log = log
        self.entropy = entropy
        actor = .clientLoop(session)
        scheduler.onTimer(of: actor) { [unowned self] in timePassed() }
    }

    /// As over sockets, nothing happens before the wake-up that is owed: one that is forgotten must be seen here, too.
    func enqueue(_ input: ClientInput) -> Bool {
        // From another thread it is reported, and touches nothing.
        guard scheduler.isWorldThread else {
            scheduler.post(on: actor) { [self] in deliver(input) }
            return false
        }
        asleep.append(input)
        return true
    }

    /// Each input is a job of its own, so that anything may happen between two of them.
    func wake() {
        guard scheduler.isWorldThread else { return }
        for input in asleep { scheduler.schedule(on: actor) { [self] in deliver(input) } }
        asleep.removeAll(keepingCapacity: true)
    }

    func deliver(_ input: ClientInput) {
        log.turnBegan()
        log.note(input, session)
        loop.submit(input)
        sink.flush()
        log.turnEnded(session, deadline: deadline)
    }

    private func timePassed() {
        guard let deadline = machine.deadline else { return }
        if deadline <= scheduler.now { deliver(.timePassed) } else { deadlineMoved(to: deadline) }
    }

    func moment() -> Moment {
        Moment(instant: scheduler.now, date: scheduler.clock.date, entropy: entropy.next())
    }

    func deadlineMoved(to deadline: Instant?) {
        self.deadline = deadline
        scheduler.setTimer(of: actor, to: deadline)
    }

    func perform(_ output: ClientOutput) {
        log.note(output, session)
        switch output {
        case .watchPath:
            pathWatch = paths.watch { [weak self, session] in self?.network.scheduleOnClient(session, .path($0)) }
        case .resolve(let id, let host, let port): network.resolve(session, id, host: host, port: port)
        case .stopResolving(let id): network.stopResolving(session, id)
        case .connect(let id, _, let address, _): network.connect(session, id, to: address)
        case .secure(let id, let peer, let unread):
            if let link = network.link(session, id) { secure(link, peer, unread) }
        case .decideTrust(let id, let decision):
            if let link = network.link(session, id) { network.decideTrust(link, decision) }
        case .forgetTickets(let peer): tls.forgetTickets(of: peer)
        case .present(let id, let identity):
            if let link = network.link(session, id) { network.present(identity, on: link) }
        case .write(let id, let bytes):
            if let link = network.link(session, id) { network.write(link, from: .client, bytes) }
        case .writeHead(let id, let bytes):
            if let link = network.link(session, id) { network.write(link, from: .client, bytes, isReported: false) }
        case .writeFile(let id, let task, let offset, let count):
            if let link = network.link(session, id) { write(link, task, offset: offset, count: count) }
        case .openBodyFile(let task, let file):
            network.scheduleOnClient(session, after: SimulatedUploads.latency, uploads.open(file, for: task))
        case .close(let id):
            if let link = network.link(session, id) {
                network.close(link, from: .client)
            } else {
                network.abandon(session, id)
            }
        case .look(let id):
            if let link = network.link(session, id) { look(at: link) }
        case .setReading(let id, let isReading):
            if let link = network.link(session, id) { network.setReading(link, at: .client, isReading) }
        case .file(let task, let action): perform(action, of: task)
        case .negotiate(let task, let call):
            network.scheduleOnClient(session, after: gssapi.delay, gssapi.perform(call, of: task))
        case .yield(let task): network.scheduleOnClient(session, after: Self.turn, .goOn(task))
        case .tell(let task, .complete):
            files.forget(task)
            uploads.forget(task)
            gssapi.forget(task)
            sink.take(output)
        case .tell, .ask, .readBody, .load, .storeCookies, .cache, .invalidated, .bug: sink.take(output)
        }
    }

    private func secure(_ link: Link, _ peer: SecuredPeer, _ unread: ByteBuffer) {
        switch tls.secure(link.id, with: peer, unread: unread, within: link.clientTLS) {
        case .success(let layer): network.secure(link, with: layer)
        case .failure(let failure): network.scheduleOnClient(session, .secureFailed(link.id, failure))
        }
    }

    private func look(at link: Link) {
        let answer = network.isUntouched(link) ? ClientInput.looked(link.id) : .inputClosed(link.id)
        log.note(answer, session)
        loop.submit(answer)
    }

    private func perform(_ action: FileAction, of task: TaskID) {
        guard let (answer, delay) = files.perform(action, of: task, at: scheduler.now) else { return }
        network.scheduleOnClient(session, after: delay, answer)
    }

    private func write(_ link: Link, _ task: TaskID, offset: Int64, count: Int) {
        do throws(SourceFile.Trouble) {
            guard let bytes = try uploads.read(task, offset: offset, count: count) else { return }
            network.write(link, from: .client, bytes)
        } catch {
            breakOff(link, task, error)
        }
    }

    /// The file changed: the request on this connection can never be completed.
    private func breakOff(_ link: Link, _ task: TaskID, _ trouble: SourceFile.Trouble) {
        scheduler.schedule(on: actor) { [self] in
            deliver(.bodyFileFailed(task, trouble.kind, detail: trouble.detail))
            network.close(link, from: .client)
        }
    }
}
