import COpenSSL

/// A library context that knows the ciphers of old containers; connections use the process's own, which does not.
final class PKCS12Library: @unchecked Sendable {
    // Safety: set up once, never changed, never freed; OpenSSL's contexts may be used from any thread.
    let context: OpaquePointer?
    /// False where the provider is not installed.
    let hasLegacy: Bool

    static let shared = PKCS12Library()

    private init() {
        let context = OSSL_LIB_CTX_new()
        hasLegacy = CertificateErrors.forgotten {
            OSSL_PROVIDER_load(context, "default") != nil && OSSL_PROVIDER_load(context, "legacy") != nil
        }
        self.context = context
    }
}
