import COpenSSL
import TLSBasics

/// What the connections of a client have in common.
///
/// It verifies no certificate: whether a server is trusted, and whether its certificate is for the host, is the
/// question `TLSEvent.trustAsked`.
package final class TLSClientContext: Sendable {
    let handle: ContextHandle
    let keyLog: (@Sendable (String) -> Void)?

    /// `keyLog` is given the lines of a key log file, on the thread of the connection.
    package init(
        library: TLSLibrary, versions: ClosedRange<TLSVersion>, applicationProtocols: [String],
        keyLog: (@Sendable (String) -> Void)? = nil
    ) throws(TLSSetupError) {
        handle = try ContextHandle(TLS_client_method(), library, versions)
        self.keyLog = keyLog
        let protocols = try ContextHandle.encode(protocols: applicationProtocols)
        if !protocols.isEmpty {
            SSL_CTX_set_alpn_protos(handle.pointer, protocols, UInt32(clamping: protocols.count))
        }
        SSL_CTX_set_verify(handle.pointer, SSL_VERIFY_PEER, nil)
        SSL_CTX_set_cert_verify_callback(handle.pointer, TLSDialogue.verdictCallback, nil)
        tls_ask_for_status(handle.pointer)
        SSL_CTX_set_cert_cb(handle.pointer, TLSDialogue.identityCallback, nil)
        tls_set_session_cache(handle.pointer, Int(SSL_SESS_CACHE_CLIENT | SSL_SESS_CACHE_NO_INTERNAL))
        SSL_CTX_sess_set_new_cb(handle.pointer, TLSDialogue.sessionCallback)
        if keyLog != nil { SSL_CTX_set_keylog_callback(handle.pointer, TLSDialogue.keyLogCallback) }
    }
}
