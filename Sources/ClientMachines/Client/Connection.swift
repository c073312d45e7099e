import HTTPBasics
import NIOCore
import TLSBasics

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
    var route: ConnectionRoute
    /// Its route's user is signed in.
    var isSignedIn = false
    var phase = Phase.open
    /// Whose exchanges it carries.
    var tasks: [TaskID] = []
    let codec: any Codec
    /// It has carried an exchange, or waited for one: it may have gone stale (BEHAVIOUR 1.E1).
    var isUsed = false
    let local: NetworkAddress?
    let remote: NetworkAddress
    let isMultipath: Bool
    /// What was agreed upon if it is secured.
    let security: TLSFacts?
    /// Why it is not secure any more.
    var failure: SecureFailure?
    /// The number of the arrival that it was heard with last, among those of the whole session.
    var heard = 0
    /// When that was.
    var heardAt = Instant.zero
    var isReading = true
    /// It waits for its task, which makes out what to say on it first.
    var isHeld = false
    /// Closed after its present exchanges: the session was reset or flushed (BEHAVIOUR 1.H1-flush).
    var isRetired = false

    /// Whether it may carry one more exchange.
    var hasRoom: Bool { tasks.count < codec.capacity }

    init(_ attempt: ConnectionAttempt, route: ConnectionRoute, codec: any Codec) {
        id = attempt.id
        local = attempt.local
        isMultipath = attempt.isMultipath
        remote = attempt.address
        security = attempt.security
        self.route = route
        self.codec = codec
    }
}
