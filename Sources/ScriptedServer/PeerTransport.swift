import NIOCore
import ServerScript
import ServerTLS

/// The accepted connections of one server, by number. Confined to one event loop.
final class PeerTransport: @unchecked Sendable {  // Safety: touched on the event loop only.
    /// How long, and for how many bytes, a connection that we closed is still listened to.
    let lingerTime: TimeAmount
    let lingerBytes: Int
    /// Connections at one time; what comes beyond is closed unseen.
    private let mostPeers: Int
    private let onFull: @Sendable (Int) -> Void
    /// A connection was refused since there was room last.
    private var isFull = false
    /// Nil if it is not read: a connection's share can be 300 KiB.
    let trace: WireTrace?
    /// Of the hosts that speak TLS.
    let security: [String: HostSecurity]
    /// Whether somebody wants to know the clients' addresses.
    let tellsClients: Bool
    private var handlers = PeerTable<PeerHandler>()
    /// Those that have something to send or to report.
    private var waiting: [PeerHandler] = []
    private var attending: [PeerHandler] = []
    private var isAttending = false
    /// Theirs; kept here, since an errand that has nothing but us with it takes nothing from the heap.
    private var eventLoop: (any EventLoop)?
    /// Since when one errand has followed another.
    private var runBegan: NIODeadline?
    private var accepted = 0
    private var isStopped = false

    /// A client that reads fast what has no end is to be sent more each time. After so long the others are heard.
    private static let longestRun = TimeAmount.milliseconds(5)
    /// Only for what is due later the loop looks at its sockets before.
    private static let breath = TimeAmount.microseconds(50)

    init(
        trace: WireTrace?, security: [String: HostSecurity] = [:], mostPeers: Int = DescriptorLimit.peers(),
        lingerTime: TimeAmount = .seconds(2),
        lingerBytes: Int = 16_777_216, tellsClients: Bool = false,
        onFull: @escaping @Sendable (Int) -> Void = { _ in }
    ) {
        self.tellsClients = tellsClients
        self.trace = trace
        self.security = security
        self.mostPeers = mostPeers
        self.onFull = onFull
        self.lingerTime = lingerTime
        self.lingerBytes = lingerBytes
    }

    /// Channels that exist: a leak check for tests.
    var count: Int { handlers.count }

    /// Numbers a fresh connection; nil when there is no room for it.
    func admit(_ handler: PeerHandler) -> (PeerID, WireTrace.Conversation?)? {
        guard !isStopped, hasRoom() else { return nil }
        let peer = PeerID(accepted)
        accepted += 1
        handlers.insert(handler, for: peer)
        return (peer, trace?.accepted(peer, host: handler.host))
    }

    /// Tells once when there is none, not with every connection that is refused.
    private func hasRoom() -> Bool {
        if handlers.count < mostPeers {
            isFull = false
            return true
        }
        if !isFull { onFull(mostPeers) }
        isFull = true
        return false
    }

    /// The channel of this handler is no more.
    func forget(_ handler: PeerHandler) {
        if let peer = handler.peer { handlers.remove(peer) }
    }

    /// Carries out what concerns a connection. One that has ended is not there: its end is on the way in.
    func perform(_ output: ScriptOutput) {
        switch output {
        case .write(let peer, let bytes): handlers[peer]?.write(bytes)
        case .writeAhead(let peer, let bytes): handlers[peer]?.write(bytes, isHead: true)
        case .closeOutput(let peer): handlers[peer]?.closeOutput()
        case .close(let peer, let isAnnounced): handlers[peer]?.close(isAnnounced: isAnnounced)
        case .strike(let peer, let fault, let ofProxy): handlers[peer]?.strike(fault, ofProxy: ofProxy)
        case .spoilHandshake(let peer): handlers[peer]?.spoilHandshake()
        case .secure(let peer, let host, let early, let isSpoilt):
            handlers[peer]?.secure(as: host, early, isSpoilt: isSpoilt)
        case .reset(let peer): handlers[peer]?.reset()
        case .setReading(let peer, let isReading): handlers[peer]?.setReading(isReading)
        case .signal, .journal, .scope: break
        }
    }

    /// Lets a handler send and report when the loop has been through all that came in: one errand of the loop for all,
    /// so that answers leave together and a client that has many connections wakes up once.
    func attendSoon(_ handler: PeerHandler, on eventLoop: any EventLoop) {
        if waiting.isEmpty, !isAttending {
            if self.eventLoop == nil { self.eventLoop = eventLoop }
            eventLoop.execute { [self] in attend() }
        }
        waiting.append(handler)
    }

    private func attend() {
        swap(&waiting, &attending)
        isAttending = true
        for handler in attending { handler.attend() }
        isAttending = false
        attending.removeAll(keepingCapacity: true)
        guard !waiting.isEmpty else {
            runBegan = nil
            return
        }
        let now = NIODeadline.now(), began = runBegan ?? now
        if now - began < PeerTransport.longestRun {
            runBegan = began
            eventLoop?.execute { [self] in attend() }
        } else {
            runBegan = nil
            eventLoop?.scheduleTask(in: PeerTransport.breath) { [self] in attend() }
        }
    }

    /// Ends every connection now and admits no other.
    func stop() {
        isStopped = true
        for handler in handlers.values { handler.abandon() }
    }
}
