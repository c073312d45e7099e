import HTTPBasics
import NIOCore

/// One connection as its session sees it, from when it is open until it is gone.
final class Connection {
    enum Phase: Equatable {
        case open
        /// Open, and its task waits to hear whether it still is.
        case looking
        /// Its task may still pull what was received before.
        case gone
    }

    let id: ConnectionID
    let origin: Origin
    var phase = Phase.open
    /// The task whose exchange this connection carries.
    var task: TaskID?
    var reader: ResponseReader
    var isUsed = false
    var local: NetworkAddress?
    var remote: NetworkAddress?
    /// Bytes handed to the transport and not yet taken by it.
    var inFlight = 0
    /// How many of them belong to an earlier exchange.
    var stale = 0
    /// The number of the arrival that it was heard with last, among those of the whole session.
    var heard = 0
    /// When that was.
    var heardAt = Instant.zero
    var isReading = true
    /// How long its server says that it keeps it unused.
    var keepAlive: Duration?
    /// Closed after the present exchange: the session was reset or flushed (BEHAVIOUR 1.H1-flush).
    var isRetired = false

    init(id: ConnectionID, origin: Origin, limits: WireLimits) {
        self.id = id
        self.origin = origin
        reader = ResponseReader(limits: limits)
    }
}
