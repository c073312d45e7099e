import BodyFiles
import ClientMachines
import ClientTLS
import HTTPBasics
import MachineContract
import NIOCore
import NIOPosix

/// The socket world of one session: one event loop, one client machine, its connections, its files, one timer.
///
/// Everything but the inbox is confined to the loop. A shard lives as long as someone holds it or something is
/// under way: a connection, a question to the resolver, work on a file, a deadline.
package final class Shard: Engine, World, InputTaker, @unchecked Sendable {
    // Safety: `inbox` and `eventLoop` serve any thread; everything else is touched on the event loop only.
    package typealias Input = ClientInput
    package typealias Output = ClientOutput

    private let eventLoop: any EventLoop
    private let inbox = Inbox<ClientInput>()
    private let settings: ClientSettings
    private let sink: any CallSink<ClientOutput>
    private let transport: SocketTransport
    private let files: FileActions
    private let uploads: UploadFiles
    private let negotiations: Negotiations
    private let timer: DeadlineTimer
    /// Nil where its connections do not lead through the machine's network.
    private let paths: (any NetworkPaths)?
    /// Once a task has to know how other machines are reached.
    private var pathWatch: (any Sendable)?
    private var clock = LoopClock()
    private var batch: [ClientInput] = []
    /// A job that flushes the sink waits at the end of this tick.
    private var isFlushing = false
    private lazy var drainLoop = DrainLoop(machine: ClientMachine(settings: settings), world: self)

    package init(
        settings: ClientSettings, sink: any CallSink<ClientOutput>, resolver: any Resolver = SystemResolver.shared,
        tls: SessionTLS.Surroundings = .system, connector: (any Connector)? = nil,
        negotiator: any Negotiator = SystemGSSAPI.shared, paths: (any NetworkPaths)? = SystemNetworkPaths.shared,
        diskFaults: [DiskFault] = [],
        eventLoop: any EventLoop = MultiThreadedEventLoopGroup.singleton.next()
    ) {
        self.settings = settings
        self.paths = paths
        self.sink = sink
        self.eventLoop = eventLoop
        transport = SocketTransport(
            eventLoop: eventLoop, resolver: resolver, tls: SessionTLS(settings, tls), connector: connector,
            usesMultipath: settings.usesMultipath)
        files = FileActions(eventLoop: eventLoop, faults: diskFaults)
        uploads = UploadFiles(eventLoop: eventLoop)
        negotiations = Negotiations(negotiator, eventLoop: eventLoop)
        timer = DeadlineTimer(eventLoop: eventLoop)
    }

    // MARK: - Inputs

    package func enqueue(_ input: ClientInput) -> Bool {
        // What follows from a call of the machine's own waits for no turn; anything else on this thread comes by way of
        // the inbox, because its caller may hold a lock that the machine's answer needs.
        if eventLoop.inEventLoop, drainLoop.isDraining {
            drainLoop.submit(input)
            return false
        }
        return inbox.put(input)
    }

    package func wake() {
        if inbox.call() { eventLoop.execute { self.emptyInbox(isCalled: true) } }
    }

    /// News from a connection, a file or the resolver.
    func take(_ input: ClientInput) {
        emptyInbox()
        drainLoop.submit(input)
    }

    func bytesDue(on id: ConnectionID) -> Int { drainLoop.machine.bytesDue(on: id) }

    /// When the loop was called for it, and before any news: who suspends a task and then lets its server answer hears
    /// nothing of the answer (BEHAVIOUR 1.H2-before).
    private func emptyInbox(isCalled: Bool = false) {
        // What the machine causes at once comes before what waits.
        guard isCalled || !drainLoop.isDraining, inbox.takeAll(into: &batch, isCalled: isCalled) else { return }
        drainLoop.submit(contentsOf: batch)
        // Request bodies must not live on in the spare array.
        batch.removeAll(keepingCapacity: true)
    }

    // MARK: - World

    package func moment() -> Moment { clock.moment() }

    package func perform(_ output: ClientOutput) {
        switch output {
        case .watchPath: watchPath()
        case .resolve(let id, let host, let port): transport.resolve(id, host: host, port: port, for: self)
        case .stopResolving(let id): transport.stopResolving(id)
        case .connect(let id, _, let address, let codePoint):
            transport.connect(id, to: address, codePoint: codePoint, for: self)
        case .secure(let id, let peer, let unread): transport.secure(id, peer, unread, for: self)
        case .decideTrust(let id, let decision): transport.decideTrust(id, decision, at: moment().date)
        case .forgetTickets(let peer): transport.forgetTickets(of: peer)
        case .present(let id, let identity): transport.present(identity, on: id)
        case .write(let id, let bytes): transport.write(bytes, to: id, isReported: true)
        case .writeHead(let id, let bytes): transport.write(bytes, to: id, isReported: false)
        case .writeFile(let id, let task, let offset, let count):
            if let file = uploads[task] { transport.write(file, offset: offset, count: count, to: id) }
        case .openBodyFile(let task, let file): uploads.open(file, for: task, self)
        case .close(let id): transport.close(id, for: self)
        case .look(let id): transport.look(at: id, for: self)
        case .setReading(let id, let isReading): transport.setReading(isReading, of: id)
        case .file(let task, let action): files.perform(action, of: task, for: self)
        case .negotiate(let task, let call): negotiations.perform(call, of: task, for: self)
        case .tell(let task, .complete):
            negotiations.finish(task)
            files.finish(task)
            uploads.finish(task)
            call(output)
        case .tell, .ask, .readBody, .load, .storeCookies, .cache, .bug: call(output)
        case .yield(let task): LoopTurns.on(eventLoop).append(self, task)
        case .invalidated:
            transport.closeAll()
            timer.stop()
            pathWatch = nil
            call(output)
        }
    }

    /// The watch does not keep the shard.
    private func watchPath() {
        guard let paths else { return drainLoop.submit(.path(NetworkPath(through: ""))) }
        pathWatch = paths.watch { [weak self, eventLoop] path in
            eventLoop.execute { [weak self] in self?.take(.path(path)) }
        }
    }

    /// All calls of one tick of the loop leave together: one wake-up for every answer that came with it.
    private func call(_ output: ClientOutput) {
        sink.take(output)
        guard !isFlushing, sink.isFlushDue else { return }
        isFlushing = true
        eventLoop.execute { [self] in
            isFlushing = false
            sink.flush()
        }
    }

    /// Ends a turn: the timer follows the deadline, and what was written goes out.
    package func deadlineMoved(to deadline: Instant?) {
        timer.move(to: deadline) {
            self.emptyInbox()
            self.drainLoop.timePassed()
        }
        transport.flush()
    }
}
