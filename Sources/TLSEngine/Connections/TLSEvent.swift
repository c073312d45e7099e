import NIOCore
import TLSBasics

/// What happens on a connection, in order. Nothing follows `failed`.
package enum TLSEvent: Equatable, Sendable {
    /// What the server has shown of itself. The handshake waits for `answerTrust`. It is not asked when a session is
    /// resumed.
    case trustAsked(PeerCertificates)
    /// The server asks for a certificate, by one of these authorities (names in DER; none: by any). The handshake waits
    /// for `answerIdentity`.
    case identityAsked(issuers: [[UInt8]])
    case secured(TLSFacts)
    /// At most 256 KiB.
    case received(ByteBuffer)
    /// A client may resume this later.
    case ticket(TLSSession)
    /// The peer said that it sends nothing more; we still may.
    case ended
    /// An alert may be left in `takeCiphertext`.
    case failed(TLSFailure)
}
