import COpenSSL
import NIOCore
import TLSBasics

/// What a server may say that no client expects.
extension TLSConnection {
    /// These bytes as they are, behind what was sent.
    package func sendRaw(_ bytes: some Collection<UInt8>) { wire.writeOutgoing(bytes) }

    /// An alert, protected as everything else is; nothing can be sent behind it.
    ///
    /// - Returns: False if the connection is not secured, or its cipher suite is of an older kind than AEAD.
    package func sendAlert(_ alert: TLSAlert) -> Bool {
        guard let record = alertRecord(alert) else { return false }
        sendRaw(record)
        return true
    }

    /// The record of an alert, for a peer that never gets the last `dropped` records that were sealed; nil as for
    /// `sendAlert`.
    package func alertRecord(_ alert: TLSAlert, inPlaceOf dropped: UInt64 = 0) -> [UInt8]? {
        // Fatal (2), but for the two that never are (RFC 8446 6).
        let level: UInt8 = alert == .closeNotify || alert == .userCanceled ? 1 : 2
        return RecordSealer(ssl, dialogue, inPlaceOf: dropped)?.seal([level, alert.rawValue], type: 21)
    }

    /// New keys for what follows, and the peer is asked for the same. Without effect before TLS 1.3.
    package func updateKeys() {
        ERR_clear_error()
        if SSL_key_update(ssl, SSL_KEY_UPDATE_REQUESTED) == 1 { SSL_do_handshake(ssl) }
        ERR_clear_error()
    }

    /// Asks the client to agree anew; OpenSSL refuses one that declines. Without effect in TLS 1.3.
    package func askToRenegotiate() {
        ERR_clear_error()
        tls_allow_renegotiation(ssl)
        if SSL_renegotiate(ssl) == 1 { SSL_do_handshake(ssl) }
        ERR_clear_error()
    }
}
