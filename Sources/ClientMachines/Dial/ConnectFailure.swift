/// Why a connection attempt failed, as far as the outcome differs (BEHAVIOUR 1.B12).
package enum ConnectFailure: Hashable, Sendable {
    case refused, timedOut, hostUnreachable, networkUnreachable
    /// The host had begun to answer.
    case reset
    case other(code: Int32)

    /// How much it says of the host, where several attempts failed: its own answer more than a router's, silence more
    /// than what did not leave this machine. Most often that is a family that the machine does not have.
    var tells: Int {
        switch self {
        case .refused, .reset: 4
        case .hostUnreachable: 3
        case .timedOut: 2
        case .other: 1
        case .networkUnreachable: 0
        }
    }

    var kind: Failure.Kind {
        switch self {
        case .refused, .hostUnreachable, .other: .cannotConnectToHost
        case .timedOut: .timedOut
        case .networkUnreachable: .notConnectedToInternet
        case .reset: .networkConnectionLost
        }
    }

    var detail: String {
        switch self {
        case .refused: "The host refused the connection."
        case .hostUnreachable: "The host cannot be reached."
        case .timedOut: "The host did not answer the connection attempt."
        case .networkUnreachable: "The network cannot be reached."
        case .reset: "The connection was reset while it was being opened."
        case .other(let code): "The connection attempt failed (error \(code))."
        }
    }
}
