import COpenSSL
import TLSBasics

/// What the connections of a server have in common. A session can be resumed only with the context that began it, whose
/// keys seal its tickets.
package final class TLSServerContext: Sendable {
    let handle: ContextHandle
    /// In order of preference.
    let applicationProtocols: [[UInt8]]
    let stapledResponse: [UInt8]?
    /// What becomes of a client's certificate, when OpenSSL does not check it.
    let verdict: TLSDialogue.TrustAnswer

    package init(library: TLSLibrary, _ settings: TLSServerSettings) throws(TLSSetupError) {
        handle = try ContextHandle(
            TLS_server_method(), library, settings.versions, securityLevel: settings.securityLevel)
        _ = try ContextHandle.encode(protocols: settings.applicationProtocols)
        applicationProtocols = settings.applicationProtocols.map { Array($0.utf8) }
        stapledResponse = settings.stapledResponse
        if case .refused(let alert) = settings.clientCertificate {
            guard TLSDialogue.error(for: alert) != nil else { throw .unusableAlert(alert) }
            verdict = .refused(alert)
        } else {
            verdict = .trusted
        }
        try IdentityMaterial(settings.identity, handle.library).install(inContext: handle.pointer)
        try Self.setCiphers(settings, handle.pointer)
        try Self.setClientCertificate(settings, handle)
        if settings.tickets == 0 { tls_refuse_tickets(handle.pointer) }
        SSL_CTX_set_num_tickets(handle.pointer, max(settings.tickets, 0))
        SSL_CTX_set_keylog_callback(handle.pointer, TLSDialogue.secretCallback)
        if stapledResponse != nil { tls_set_status_callback(handle.pointer, TLSDialogue.statusCallback) }
        tls_set_host_name_callback(handle.pointer, TLSDialogue.hostNameCallback)
        if !applicationProtocols.isEmpty {
            SSL_CTX_set_alpn_select_cb(handle.pointer, TLSDialogue.protocolCallback, nil)
        }
    }

    private static func setCiphers(_ settings: TLSServerSettings, _ context: OpaquePointer) throws(TLSSetupError) {
        ERR_clear_error()
        defer { ERR_clear_error() }
        tls_prefer_own_ciphers(context)
        if let list = settings.cipherList, SSL_CTX_set_cipher_list(context, list) != 1 { throw .unknownCiphers(list) }
        if let suites = settings.cipherSuites, SSL_CTX_set_ciphersuites(context, suites) != 1 {
            throw .unknownCiphers(suites)
        }
    }

    private static func setClientCertificate(
        _ settings: TLSServerSettings, _ handle: ContextHandle
    ) throws(TLSSetupError) {
        // OpenSSL resumes no session with a client's certificate without a name for what may share sessions.
        SSL_CTX_set_session_id_context(handle.pointer, [1], 1)
        var anchors = settings.clientAnchors
        switch settings.clientCertificate {
        case .none: return
        case .optional: SSL_CTX_set_verify(handle.pointer, SSL_VERIFY_PEER, nil)
        case .required: SSL_CTX_set_verify(handle.pointer, SSL_VERIFY_PEER | SSL_VERIFY_FAIL_IF_NO_PEER_CERT, nil)
        case .refused:
            SSL_CTX_set_verify(handle.pointer, SSL_VERIFY_PEER | SSL_VERIFY_FAIL_IF_NO_PEER_CERT, nil)
            anchors = nil
        }
        try setIssuers(settings.acceptedIssuers, handle.pointer)
        if let anchors {
            try setAnchors(anchors, handle)
        } else {
            SSL_CTX_set_cert_verify_callback(handle.pointer, TLSDialogue.verdictCallback, nil)
        }
    }

    private static func setIssuers(_ issuers: [[UInt8]], _ context: OpaquePointer) throws(TLSSetupError) {
        guard let names = tls_names_new() else { throw .openSSL(OpenSSLReason.take().text) }
        for (place, der) in issuers.enumerated() {
            guard let name = ConnectionDER.name(der) else {
                tls_names_free(names)
                throw .unreadableIssuer(place)
            }
            tls_names_push(names, name)
        }
        SSL_CTX_set0_CA_list(context, names)
    }

    private static func setAnchors(
        _ anchors: TLSServerSettings.Anchors, _ handle: ContextHandle
    ) throws(TLSSetupError) {
        let store = SSL_CTX_get_cert_store(handle.pointer)
        for (place, bytes) in anchors.certificates.enumerated() {
            guard let certificate = ConnectionDER.certificate(bytes, handle.library) else {
                throw .unreadableAnchor(place)
            }
            X509_STORE_add_cert(store, certificate)
            X509_free(certificate)
        }
        let rules = SSL_CTX_get0_param(handle.pointer)
        X509_VERIFY_PARAM_set_time(rules, time_t(anchors.date))
        // An anchor need not be signed by itself.
        X509_VERIFY_PARAM_set_flags(rules, UInt(X509_V_FLAG_PARTIAL_CHAIN))
    }
}
