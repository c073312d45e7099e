import ClientMachines
import ClientTLS
import HTTPBasics
import ServerScript
import ServerTLS

/// Which end of a connection.
package enum Side: String, Hashable, Sendable {
    case client, server

    var other: Side { self == .client ? .server : .client }
}

/// One simulated connection: two pipes between two ends.
final class Link {
    /// What one end has asked for and been told.
    final class End {
        /// The machine knows the connection; nothing else is told before.
        var isEstablished = false
        var isReading = true
        /// Closed, reset or broken: nothing but `closed` is told any more.
        var isGone = false
        /// Wants to send nothing after what is written.
        var hasFinished = false
        /// Was told that the other end has finished.
        var hasSeenFinish = false
        var unreportedBytes = 0
        var isReportQueued = false
        var isReadQueued = false
        /// The job that reads the next item; made once, because it runs for every piece.
        var read: Scheduler.Job = {}
    }

    /// In the order of acceptance; the number of the `PeerID`.
    let ordinal: Int
    let session: Int
    let id: ConnectionID
    let host: String
    /// After a reset nothing flows, in no direction.
    var isBroken = false
    let clientEnd = End()
    let serverEnd = End()
    let toClient = Pipe()
    let toServer = Pipe()
    var reader = ExchangeReader()
    var record: WireRecord
    /// Where exploration changes what the server sends.
    var bender: Bender?
    /// Where in what goes through the pipe, and in what it protects, each write of the server's began under TLS.
    private var sealedWrites: [(carried: Int, plain: Int)] = []
    /// Bytes of a proxy's own that have not entered the pipe, and what follows them is TLS.
    var plainLeft = 0
    /// A SOCKS proxy has not let it through yet: what is said is no HTTP.
    var isInPreface = false
    /// What lies between the pipes and the machines: of the client once it has asked for it, of a host that speaks TLS
    /// from the beginning.
    var clientTLS: ConnectionTLS?
    var serverTLS: PeerTLS?
    /// A fault of the handshake makes what follows wait: how often so far, and the report that is still to be made.
    var serverPauses = 0
    var isServerPaused = false
    var pausedReport = Pipe.Report.nothing
    /// The client's layer is at work: what the machine says meanwhile is carried out by its caller.
    var isPassingOn = false

    init(ordinal: Int, session: Int, id: ConnectionID, host: String, opened: Instant) {
        self.ordinal = ordinal
        self.session = session
        self.id = id
        self.host = host
        record = WireRecord(connection: ordinal, session: session, client: id, host: host, opened: opened)
    }

    var peer: PeerID { PeerID(ordinal) }

    /// The server writes under TLS what was not observed yet.
    func noteSealedWrite() {
        sealedWrites.append((toClient.entered + toClient.waitingTotal, record.counts.fromServer))
    }

    /// How much of what the server has written is out, when so much has gone through the pipe. Of a write under TLS
    /// that is out in part the client may have nothing.
    func written(upTo offset: Int) -> Int {
        guard serverTLS != nil else { return offset }
        return sealedWrites.last { $0.carried <= offset }?.plain ?? min(offset, sealedWrites.first?.plain ?? offset)
    }

    /// Whether what arrives there is read now: not while the machine or the layer wants nothing more.
    func mayRead(at side: Side) -> Bool {
        if self[side].isGone { return true }
        guard self[side].isReading else { return false }
        return side == .client ? clientTLS?.isFull != true : !isServerPaused
    }

    subscript(side: Side) -> End { side == .client ? clientEnd : serverEnd }

    /// The pipe that carries what `side` writes.
    subscript(from side: Side) -> Pipe { side == .client ? toServer : toClient }

    func actor(of side: Side) -> SimulatedActor { side == .client ? .clientLoop(session) : .server }
}
