/// The cipher suites to which a server can be limited, by OpenSSL's names. Missing are those that need what no preset
/// of a server has: shared keys, parameters of Diffie-Hellman.
package enum CipherSuite: String, Hashable, Sendable, CaseIterable {
    case aes128GCM = "TLS_AES_128_GCM_SHA256"
    case aes256GCM = "TLS_AES_256_GCM_SHA384"
    case chaCha20 = "TLS_CHACHA20_POLY1305_SHA256"
    case aes128CCM = "TLS_AES_128_CCM_SHA256"
    case aes128CCM8 = "TLS_AES_128_CCM_8_SHA256"
    case ecdheECDSAWithAES128GCM = "ECDHE-ECDSA-AES128-GCM-SHA256"
    case ecdheECDSAWithAES256GCM = "ECDHE-ECDSA-AES256-GCM-SHA384"
    case ecdheECDSAWithChaCha20 = "ECDHE-ECDSA-CHACHA20-POLY1305"
    case ecdheECDSAWithAES128SHA256 = "ECDHE-ECDSA-AES128-SHA256"
    case ecdheECDSAWithAES256SHA384 = "ECDHE-ECDSA-AES256-SHA384"
    case ecdheECDSAWithAES128SHA = "ECDHE-ECDSA-AES128-SHA"
    case ecdheECDSAWithAES256SHA = "ECDHE-ECDSA-AES256-SHA"
    case ecdheRSAWithAES128GCM = "ECDHE-RSA-AES128-GCM-SHA256"
    case ecdheRSAWithAES256GCM = "ECDHE-RSA-AES256-GCM-SHA384"
    case ecdheRSAWithChaCha20 = "ECDHE-RSA-CHACHA20-POLY1305"
    case ecdheRSAWithAES128SHA256 = "ECDHE-RSA-AES128-SHA256"
    case ecdheRSAWithAES256SHA384 = "ECDHE-RSA-AES256-SHA384"
    case ecdheRSAWithAES128SHA = "ECDHE-RSA-AES128-SHA"
    case ecdheRSAWithAES256SHA = "ECDHE-RSA-AES256-SHA"
    case rsaWithAES128GCM = "AES128-GCM-SHA256"
    case rsaWithAES256GCM = "AES256-GCM-SHA384"
    case rsaWithAES128SHA256 = "AES128-SHA256"
    case rsaWithAES256SHA256 = "AES256-SHA256"
    case rsaWithAES128SHA = "AES128-SHA"
    case rsaWithAES256SHA = "AES256-SHA"

    /// Those of TLS 1.3 name neither how keys are agreed upon nor a signature.
    package var versions: ClosedRange<TLSVersion> {
        if rawValue.hasPrefix("TLS_") { return .tls13 ... .tls13 }
        return rawValue.hasSuffix("-SHA") ? .tls10 ... .tls12 : .tls12 ... .tls12
    }

    /// Whether a record can be sealed for it that OpenSSL itself never sends.
    package var sealsAlerts: Bool { rawValue.contains("GCM") || rawValue.contains("CHACHA20") }
}
