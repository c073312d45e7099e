import TLSBasics

extension CipherSuite {
    /// Keys that a server's certificate may have with it; nil for any, as in TLS 1.3, where a suite says nothing of
    /// signatures. Those of ECDSA are for Ed25519, too (RFC 8422 5.1.1).
    var keyKinds: [CertificatePreset.KeyKind]? {
        if versions.contains(.tls13) { return nil }
        return rawValue.contains("-ECDSA-") ? [.ecdsa, .ed25519] : [.rsa]
    }
}
