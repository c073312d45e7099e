import COpenSSL
import TLSBasics

extension TLSFailure {
    /// Why OpenSSL gave up. `isForeign`: what the peer sent first cannot be TLS.
    init(_ reason: OpenSSLReason, _ dialogue: TLSDialogue, isForeign: Bool) {
        let own = dialogue.ownCertificate
        if case .unusable(let error) = dialogue.identityAnswer {
            self.init(.unusableIdentity, own, error.description)
        } else if let alert = reason.alert {
            self.init(.refused(alert), own, "The peer gave up with the alert \(alert).")
        } else if reason.number == SSL_R_CERTIFICATE_VERIFY_FAILED {
            self.init(.untrusted, own, "The peer's certificates were refused.")
        } else if isForeign {
            self.init(.notTLS, own, "What the peer sends is not TLS.")
        } else {
            // Without an alert OpenSSL had no word for it.
            let alert = dialogue.sentAlert ?? .internalError
            self.init(.broken(alert), own, "The peer was refused with the alert \(alert): \(reason.text).")
        }
    }

    /// The peer's bytes have ended.
    static func atEnd(_ dialogue: TLSDialogue, isSecured: Bool, isForeign: Bool) -> TLSFailure {
        let own = dialogue.ownCertificate
        if isSecured { return TLSFailure(.truncated, own, "The peer ended without close_notify.") }
        if isForeign { return TLSFailure(.notTLS, own, "What the peer sends is not TLS.") }
        return TLSFailure(.ended, own, "The peer ended the connection during the handshake.")
    }
}
