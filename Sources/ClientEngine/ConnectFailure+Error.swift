import ClientMachines
import Glibc
import NIOCore

extension ConnectFailure {
    /// What the system said when a connection could not be made.
    init(_ error: any Error) {
        switch error {
        case let error as IOError: self.init(errorNumber: error.errnoCode)
        case ChannelError.connectTimeout: self = .timedOut
        // Not an address, or the channel was torn down under us: no error number exists.
        default: self = .other(code: 0)
        }
    }

    init(errorNumber: Int32) {
        switch errorNumber {
        case ECONNREFUSED: self = .refused
        case ECONNRESET: self = .reset
        case ETIMEDOUT: self = .timedOut
        case EHOSTUNREACH: self = .hostUnreachable
        case ENETUNREACH: self = .networkUnreachable
        default: self = .other(code: errorNumber)
        }
    }
}
