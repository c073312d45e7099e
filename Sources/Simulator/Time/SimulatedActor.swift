/// What runs in the simulated world. Jobs of one actor keep their order; between actors the schedule decides.
package enum SimulatedActor: Hashable, Sendable, CustomStringConvertible {
    /// The program that uses the library: the scenario's client lane and every async task.
    case caller
    case server
    case network
    /// The event loop of a session, by the number of the session.
    case clientLoop(Int)
    case delegateQueue(Int)
    /// Where a session's body streams are read.
    case bodyReader(Int)

    /// The position of the actor in the scheduler's table.
    var index: Int {
        switch self {
        case .caller: return 0
        case .server: return 1
        case .network: return 2
        case .clientLoop(let session): return 3 + 3 * session
        case .delegateQueue(let session): return 4 + 3 * session
        case .bodyReader(let session): return 5 + 3 * session
        }
    }

    /// The actor at a position of the table.
    init(index: Int) {
        switch index {
        case ...0: self = .caller
        case 1: self = .server
        case 2: self = .network
        default:
            let session = (index - 3) / 3
            switch index % 3 {
            case 0: self = .clientLoop(session)
            case 1: self = .delegateQueue(session)
            default: self = .bodyReader(session)
            }
        }
    }

    package var description: String {
        switch self {
        case .caller: return "caller"
        case .server: return "server"
        case .network: return "network"
        case .clientLoop(let session): return "client\(session)"
        case .delegateQueue(let session): return "delegate\(session)"
        case .bodyReader(let session): return "body\(session)"
        }
    }
}

/// How a run of the world came to its end.
package enum RunEnd: String, Hashable, Sendable {
    /// Nothing is left to do: no job, no deadline.
    case idle
    /// The virtual end came first.
    case outOfTime
    /// The bound on steps came first: most likely something spins.
    case outOfSteps
}
