import COpenSSL
import TLSBasics

/// Certificates that are trusted by themselves, in the form that OpenSSL looks them up in.
final class TrustAnchors: @unchecked Sendable {
    // Safety: filled before it is shared; from then on OpenSSL guards it with its own lock.
    let store: OpaquePointer

    /// Nil when there is no memory.
    init?(_ certificates: [X509Certificate]) {
        guard let store = X509_STORE_new() else { return nil }
        self.store = store
        // A certificate that is there twice is added once; that is no error.
        CertificateErrors.forgotten {
            for certificate in certificates { certificate.withPointer { _ = X509_STORE_add_cert(store, $0) } }
        }
    }

    var count: Int { withExtendedLifetime(self) { Int(trust_store_count(store)) } }

    /// Made anew each time: hardly anybody asks for them.
    var certificates: [X509Certificate] {
        withExtendedLifetime(self) {
            (0..<trust_store_count(store)).compactMap { index in
                trust_store_certificate(store, index).map { X509Certificate(sharing: $0) }
            }
        }
    }

    deinit { X509_STORE_free(store) }
}
