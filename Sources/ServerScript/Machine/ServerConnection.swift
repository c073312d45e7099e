import HTTPBasics
import NIOCore

/// One accepted connection.
final class ServerConnection {
    enum Phase {
        /// Between exchanges: the next request, or a step outside of exchanges.
        case idle
        /// A SOCKS proxy is asked to let it through.
        case socks(SocksTalk)
        case exchange(ActiveExchange)
        /// An answer that waits until its scope is let go.
        case refused(RefusedAnswer)
        /// Nothing more is sent; what arrives is thrown away.
        case silent
        /// Closed or reset by the machine; only the end is awaited.
        case over
    }

    /// What has to happen before the connection goes on.
    enum Pause: Equatable {
        case until(Instant)
        /// Bytes are on their way at a rate; then things go on.
        case paced(Instant)
        case signal(String)
        /// All bytes taken by the transport; then the reset, which would drop them otherwise.
        case drained
    }

    enum End { case client, server }

    /// What is to happen when nobody uses the connection. An object, since faults are large and most have none.
    final class IdleFault {
        let fault: Fault
        let step: Int?
        let state: ScriptState

        init(_ fault: Fault, step: Int?, _ state: ScriptState) {
            self.fault = fault
            self.step = step
            self.state = state
        }
    }

    /// Written but not yet taken by the transport, at most.
    static let window = 256 << 10
    /// Unread bytes in the machine, from where on the client is held back.
    static let inputLimit = 256 << 10

    let id: PeerID
    /// A proxy's before it has tunnelled it to another.
    var host: String
    /// The client's IP address, where somebody wants to know it.
    @Rare var client: String?
    /// The host that answers the present request: of a proxy's that is the one it is passed on to.
    var servedHost: String
    var phase = Phase.idle
    var pause: Pause?
    var reader: RequestReader
    /// The scope of its last request.
    var scope: ScriptScope
    /// The state whose step it plays, or played last; nil after a request that was for none.
    var played: ScriptState?
    /// The host whose fault is to strike its handshake, and in which state.
    @Rare var spoilt: (host: String, state: ScriptState)?
    /// That fault makes it wait: for the script, not for the client.
    var isHeldUp = false
    /// The labelled lane that it is bound to.
    var lane: Int?
    /// It has played a step of the lane without a label, so no labelled lane may claim it.
    var hasUnlabelledSteps = false
    /// No `accept` step and no byte yet.
    var isFresh = true
    /// The label of the mount whose port it came to.
    @Rare var mount: String?
    /// The host that a CONNECT has asked for, which raw bytes are to answer.
    @Rare var unanswered: String?
    /// What was said of NTLM, which signs in the whole connection.
    var ntlm: NTLMExchange?
    /// The server's last token of Negotiate.
    @Rare var negotiated: String?
    /// -1 before the first request.
    var exchangeIndex = -1
    /// Among the connections that have asked for something in this round, from 1; 0 before that.
    var number = 0
    /// Of that round.
    var numberedIn: ScriptState?
    /// Handed to the transport, ever; and how much of it the transport has not taken yet.
    var written = 0
    var outstanding = 0
    /// What comes next waits until the transport has taken more.
    var wantsRoom = false
    /// Raw bytes that a `read` step still wants.
    var rawLeft: Int?
    var idleFault: IdleFault?
    var idleDeadline: Instant?
    /// Of the last fault that struck its records, or should have.
    @Rare var recordFaultMark: SourceMark?
    /// The deadline for which it stands in the machine's wake times.
    var scheduled: Instant?
    /// Since when nothing came of what the client has to do (`awaitsClient`), or the script has been silent.
    var waitingSince = Instant.zero
    var inputClosed = false
    /// Reading is stopped for good, by the script.
    var holdsReading = false
    var isReading = true
    /// Whose doing the end was; the first one counts.
    var end: End?

    init(_ id: PeerID, host: String, _ scope: ScriptScope) {
        self.id = id
        self.host = host
        self.scope = scope
        servedHost = host
        reader = RequestReader(scope.state.script.reading)
    }

    /// What it plays: an exchange under way goes on with the state that it began with.
    var state: ScriptState { exchange?.state ?? scope.state }

    var exchange: ActiveExchange? {
        if case .exchange(let exchange) = phase { return exchange }
        return nil
    }

    /// Where in the round its present request has come.
    var place: RequestPlace { RequestPlace(connection: number, exchange: exchangeIndex + 1) }

    /// How much may lie unread in the machine before the client is held back.
    var inputLimit: Int { exchange?.readPace?.piece ?? ServerConnection.inputLimit }

    var isIdle: Bool {
        if case .idle = phase { return true }
        return false
    }

    var isOver: Bool {
        if case .over = phase { return true }
        return false
    }

    /// What comes next is up to the client: the rest of a body, a head, its end, or that it reads what was written.
    var awaitsClient: Bool {
        guard idleDeadline == nil, !isHeldUp, !scope.isFrozen else { return false }
        switch (phase, pause) {
        case (.over, _): return outstanding > 0
        case (_, .drained): return true
        case (.silent, _), (.refused, _), (_, .until), (_, .paced), (_, .signal): return false
        case (.idle, nil), (.socks, nil): return true
        case (.exchange(let exchange), nil): return exchange.stage == .requestBody || wantsRoom
        }
    }

    /// The client is in the middle of an exchange, or of a fault of the script.
    var isBusy: Bool { !isOver && (!isIdle || idleDeadline != nil || isHeldUp) }

    /// Open, unused, and held by no lane: its first request will say whose it is.
    var isUnclaimed: Bool { isFresh && lane == nil && !hasUnlabelledSteps && !isOver }

    var deadline: Instant? {
        if isOver { return nil }
        switch pause {
        case .until(let instant), .paced(let instant): return instant
        case .signal, .drained, nil: return idleDeadline
        }
    }

    func ended(by end: End) { if self.end == nil { self.end = end } }
}
