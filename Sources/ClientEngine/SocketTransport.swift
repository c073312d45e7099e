import ClientMachines
import ClientTLS
import HTTPBasics
import NIOCore
import NIOPosix
import TLSBasics

/// The connections of one shard, by id: makes them, finds them, ends them.
///
/// Each connection ends with exactly one input: `connectFailed` or `closed`. What a machine still
/// wants of a connection that has ended is dropped: its end is on the way in. Confined to one event loop.
final class SocketTransport: @unchecked Sendable {  // Safety: touched on the event loop only.
    private struct Question {
        var answers = 0
        /// The callers to be withdrawn, answered or not.
        var waiters: [NameWaiter] = []
    }

    private let eventLoop: any EventLoop
    private let resolver: any Resolver
    /// Makes connections where the system does not.
    private let connector: (any Connector)?
    private let tls: SessionTLS
    /// How long a closed connection may go on sending what was written before.
    private let grace: TimeAmount
    /// BEHAVIOUR 1.A2-multipath.
    let usesMultipath: Bool
    private var handlers: [ConnectionID: ConnectionHandler] = [:]
    private var questions: [DialID: Question] = [:]
    /// Closed by the machine, not yet by the kernel.
    private var departing: [ObjectIdentifier: ConnectionHandler] = [:]
    /// Connections with writes of this turn.
    private var unflushed: [ConnectionHandler] = []
    private var isFlushing = false

    init(
        eventLoop: any EventLoop, resolver: any Resolver, tls: SessionTLS = SessionTLS(ClientSettings(), .system),
        connector: (any Connector)? = nil, grace: TimeAmount = .seconds(1), usesMultipath: Bool = false
    ) {
        self.tls = tls
        self.eventLoop = eventLoop
        self.resolver = connector ?? resolver
        self.connector = connector
        self.grace = grace
        self.usesMultipath = usesMultipath && connector == nil && MultipathTCP.isInSystem
    }

    /// Channels that exist, in any state, and names that are being looked up: a leak check for tests.
    var count: Int { handlers.count + departing.count + questions.count }

    // MARK: - Resolving

    func resolve(_ id: DialID, host: String, port: Int, for taker: any InputTaker) {
        questions[id] = Question()
        for family in AddressFamily.allCases {
            let waiter = resolver.resolve(host: host, port: port, family: family) { [self, eventLoop] answer in
                // Always by way of the loop's queue, so that an answer at once does not enter the machine from here.
                eventLoop.execute { self.resolved(id, family, answer, for: taker) }
            }
            if let waiter { questions[id]?.waiters.append(waiter) }
        }
    }

    private func resolved(_ id: DialID, _ family: AddressFamily, _ answer: ResolverAnswer, for taker: any InputTaker) {
        guard var question = questions[id] else { return }
        question.answers += 1
        questions[id] = question.answers < AddressFamily.allCases.count ? question : nil
        switch answer {
        case .addresses(let addresses): taker.take(.resolved(id, family, addresses))
        case .failure(let words): taker.take(.resolveFailed(id, family, detail: words))
        }
    }

    func stopResolving(_ id: DialID) {
        for waiter in questions.removeValue(forKey: id)?.waiters ?? [] { resolver.withdraw(waiter) }
    }

    // MARK: - Connecting

    func connect(_ id: ConnectionID, to address: NetworkAddress, codePoint: UInt8 = 0, for taker: any InputTaker) {
        let handler = ConnectionHandler(id: id, transport: self, taker: taker)
        handlers[id] = handler
        if let connector { return connect(handler, by: connector.connect(to: address)) }
        let target: SocketAddress
        do {
            target = try SocketAddress(ipAddress: address.text, port: address.port)
        } catch {
            // A later tick, as for every other failure.
            return eventLoop.execute { handler.connectFailed(ConnectFailure(error)) }
        }
        let marks = PacketMarks(codePoint, of: target)
        // In this order: NIO drops TCP_NODELAY for multipath, which older kernels refuse; those do not count here.
        bootstrap(handler, marks).enableMPTCP(usesMultipath).channelOption(.tcpOption(.tcp_nodelay), value: 1)
            .connect(to: target).whenFailure { error in handler.connectFailed(ConnectFailure(error)) }
    }

    private func connect(_ handler: ConnectionHandler, by answer: ConnectorAnswer) {
        switch answer {
        case .connected(let descriptor, let ended):
            bootstrap(handler).withConnectedSocket(descriptor).whenComplete { result in
                switch result {
                case .success(let channel): channel.closeFuture.whenComplete { _ in ended() }
                case .failure(let error):
                    ended()
                    handler.connectFailed(ConnectFailure(error))
                }
            }
        // A later tick, as for every other failure.
        case .failed(let number): eventLoop.execute { handler.connectFailed(ConnectFailure(errorNumber: number)) }
        // The dial gives it up.
        case .silent: break
        }
    }

    private func bootstrap(_ handler: ConnectionHandler, _ marks: PacketMarks? = nil) -> ClientBootstrap {
        ClientBootstrap(group: eventLoop)
            // The dial decides how long an attempt may take.
            .connectTimeout(.hours(24 * 365))
            // Large bodies come in large pieces: each costs a buffer, a hop to the delegate queue, perhaps a wake-up.
            // The first is small: an idle connection keeps it.
            .channelOption(
                .recvAllocator, value: AdaptiveRecvByteBufferAllocator(minimum: 1024, initial: 4096, maximum: 524_288)
            )
            // FIN becomes `inputClosed`, not the end of the connection.
            .channelOption(.allowRemoteHalfClosure, value: true)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    marks?.put(on: channel)
                    try channel.pipeline.syncOperations.addHandler(handler)
                }
            }
    }

    // MARK: - Securing

    func secure(_ id: ConnectionID, _ peer: SecuredPeer, _ unread: ByteBuffer, for taker: any InputTaker) {
        guard let handler = handlers[id] else { return }
        switch tls.secure(id, with: peer, unread: unread, within: handler.tls) {
        case .success(let layer): handler.secure(with: layer)
        case .failure(let failure): taker.take(.secureFailed(id, failure))
        }
    }

    func decideTrust(_ id: ConnectionID, _ decision: TrustDecision, at date: UnixTime) {
        handlers[id]?.decideTrust(decision, at: date)
    }

    func forgetTickets(of peer: SecuredPeer?) { tls.forgetTickets(of: peer) }

    func present(_ identity: TLSIdentity?, on id: ConnectionID) { handlers[id]?.present(identity) }

    // MARK: - Living

    func write(_ bytes: ByteBuffer, to id: ConnectionID, isReported: Bool = true) {
        guard let handler = handlers[id] else { return }
        handler.write(bytes, isReported: isReported)
        noteUnflushed(handler)
    }

    func write(_ file: SendableFile, offset: Int64, count: Int, to id: ConnectionID) {
        guard let handler = handlers[id] else { return }
        handler.write(file, offset: offset, count: count)
        noteUnflushed(handler)
    }

    func noteUnflushed(_ handler: ConnectionHandler) {
        if unflushed.last !== handler { unflushed.append(handler) }
    }

    func setReading(_ isReading: Bool, of id: ConnectionID) { handlers[id]?.setReading(isReading) }

    /// For a connection that has ended already its end is on the way in.
    func look(at id: ConnectionID, for taker: any InputTaker) {
        guard let handler = handlers[id] else { return }
        taker.take(handler.isUntouched ? .looked(id) : .inputClosed(id))
    }

    /// Sends what the turn has written, one system call per connection.
    func flush() {
        // A flush can find the connection broken, and the next turn then ends inside this one.
        guard !isFlushing else { return }
        isFlushing = true
        while let handler = unflushed.popLast() { handler.flush() }
        isFlushing = false
    }

    // MARK: - Ending

    func close(_ id: ConnectionID, for taker: any InputTaker) {
        guard let handler = handlers.removeValue(forKey: id) else { return }
        departing[ObjectIdentifier(handler)] = handler
        handler.close(grace: grace)
        taker.take(.closed(id))
    }

    /// Ends everything now, without a word to the machine.
    func closeAll() {
        for id in Array(questions.keys) { stopResolving(id) }
        let all = handlers.values.sorted { $0.id < $1.id } + Array(departing.values)
        for handler in all { handler.abort() }
    }

    /// The channel of this handler is no more.
    func forget(_ handler: ConnectionHandler) {
        departing[ObjectIdentifier(handler)] = nil
        if handlers[handler.id] === handler { handlers[handler.id] = nil }
    }
}
