import Digests
import HTTPBasics
import MachineContract

/// How far one attempt has come in signing its connection in, with NTLM (BEHAVIOUR 2.A34) or Negotiate.
package enum SignInHandshake: Hashable, Sendable {
    /// Message 1 goes out, without the request's body.
    case begins
    /// The server has answered it with message 2: message 3 goes out, with the body.
    case goesOn(NTLMMessages.ServerMessage)
    /// A token of Negotiate goes out, with the body: the server may be satisfied with it (BEHAVIOUR 2.A37-body).
    case says([UInt8])
    /// The connection is signed in: nothing is said (BEHAVIOUR 2.A32).
    case done

    /// A handshake whose connection is lost begins anew; so often, for one request (BEHAVIOUR 2.A32).
    static let most = 4

    /// Whether the system has what it takes.
    static var isAvailable: Bool { HashFunction.md5.isAvailable }

    /// The value of the Authorization field; nil where none is sent.
    func value(for user: NTLMUser, at moment: Moment) -> String? {
        switch self {
        case .begins: return Self.field(NTLMMessages.negotiate)
        case .goesOn(let challenge):
            let nonce = NTLMMessages.bytes(moment.entropy)
            return NTLMMessages.authenticate(user, challenge, nonce: nonce, time: Self.time(moment)).map(Self.field)
        case .done, .says: return nil
        }
    }

    /// The same, of Negotiate.
    var token: String? {
        if case .says(let token) = self { "Negotiate " + Base64.encode(token) } else { nil }
    }

    private static func field(_ message: [UInt8]) -> String { "NTLM " + Base64.encode(message) }

    /// In tenths of microseconds since 1601 (MS-DTYP 2.3.3).
    private static func time(_ moment: Moment) -> UInt64 {
        let since1970 = moment.date.seconds, from1601: Int64 = 11_644_473_600
        guard since1970 > -from1601, since1970 < 900_000_000_000 else { return 0 }
        return UInt64(since1970 + from1601) * 10_000_000
    }
}

/// How far a connection is signed in, as its next task finds it.
package enum SignIn: Hashable, Sendable {
    /// By nobody.
    case not
    /// The task has it from its own last exchange.
    case begun
    /// By the user whose tasks its route serves.
    case done
}
