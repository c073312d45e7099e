import MachineContract

/// What the system's GSSAPI is asked for, to sign a connection in with Negotiate (RFC 4559). It may have to ask a
/// ticket server, and takes as long as that does.
package struct NegotiateCall: Equatable, Sendable {
    package enum Wish: Equatable, Sendable {
        /// Something begins with the service `HTTP` of that host, in place of whatever was begun under this name
        /// before. Without a credential it is with the tickets of the process.
        case begin(host: String, Credential?)
        /// The server's token.
        case goOn([UInt8])
    }

    /// Its answer has the same; a task counts its own, and below zero are those of a connection that it waits for.
    package let number: Int
    package let step: Wish

    /// Under which name the system keeps what a task has begun.
    package func context(of task: TaskID) -> NegotiationContextID {
        NegotiationContextID(task: task, isOfTunnel: number < 0)
    }

    package init(number: Int, _ step: Wish) {
        self.number = number
        self.step = step
    }

    /// Longer tokens are none (BEHAVIOUR 2.A37-size).
    package static let mostBytes = 65_536
}

/// What a task has begun with its server, or with the proxy that sends its requests on, goes on beside what was begun
/// for it with the proxy of a tunnel: both may be under way.
package struct NegotiationContextID: Hashable, Sendable {
    package let task: TaskID
    package let isOfTunnel: Bool

    /// All that one task may have.
    package static func all(of task: TaskID) -> [Self] {
        [Self(task: task, isOfTunnel: false), Self(task: task, isOfTunnel: true)]
    }
}

/// What it says.
package enum NegotiateAnswer: Hashable, Sendable {
    /// The next one for the server.
    case token([UInt8])
    /// Nothing is left to be said: the server is who it should be.
    case complete
    /// There is no ticket, or the credential is wrong, or the server is.
    case refused
    /// The system has no GSSAPI.
    case absent

    package init(_ word: ScriptedGSSAPI.Word) {
        switch word {
        case .token(let token): self = .token(token)
        case .complete: self = .complete
        case .refused: self = .refused
        }
    }
}

extension Credential {
    /// Whoever the tickets of the process name (BEHAVIOUR 2.A36).
    package static let ticket = Credential(user: "", password: "")

    package var isTicket: Bool { self == .ticket }

    /// As the system is asked.
    var ofSystem: Credential? { isTicket ? nil : self }
}

/// What one request has found out about Negotiate with its server, or its proxy.
struct NegotiateProgress {
    /// The tickets of the process were tried, before anybody was asked.
    var hasTriedTicket = false
    /// What goes along are those tickets, and not a credential that somebody has chosen.
    var isNobodysChoice = false
    /// The system had no token for a credential that was known already: the request goes out without.
    var isGivenUp = false
    /// The first token, until there is a connection to say it on.
    var token: [UInt8]?

    mutating func takeToken() -> [UInt8]? {
        defer { token = nil }
        return token
    }
}
