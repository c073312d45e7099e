import NIOCore
import TLSBasics

/// What happens on a connection, in order. Nothing follows `failed`.
package enum TLSEvent: Equatable, Sendable {
    /// The server's certificates as they were sent, its own first. The handshake waits for `answerTrust`. It is not
    /// asked when a session is resumed.
    case trustAsked([CertificateBytes])
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
