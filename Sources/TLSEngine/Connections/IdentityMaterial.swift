import COpenSSL
import TLSBasics

/// An identity as OpenSSL's objects.
final class IdentityMaterial {
    private let leaf: OpaquePointer
    private let key: OpaquePointer
    /// Those behind the leaf.
    private let chain: OpaquePointer

    init(_ identity: TLSIdentity, _ library: OpaquePointer?) throws(TLSSetupError) {
        ERR_clear_error()
        defer { ERR_clear_error() }
        guard let first = identity.chain.first else { throw .noCertificate }
        guard let leaf = ConnectionDER.certificate(first, library) else { throw .unreadableCertificate(0) }
        guard let chain = certificates_new() else {
            X509_free(leaf)
            throw .openSSL(OpenSSLReason.take().text)
        }
        var problem: TLSSetupError?
        for (place, bytes) in identity.chain.enumerated().dropFirst() {
            if let certificate = ConnectionDER.certificate(bytes, library) {
                certificates_push(chain, certificate)
            } else {
                problem = problem ?? .unreadableCertificate(place)
            }
        }
        let key = ConnectionDER.privateKey(identity.privateKey, library)
        guard problem == nil, let key else {
            EVP_PKEY_free(key)
            X509_free(leaf)
            certificates_free_all(chain)
            throw problem ?? .unreadableKey
        }
        self.leaf = leaf
        self.key = key
        self.chain = chain
    }

    deinit {
        X509_free(leaf)
        EVP_PKEY_free(key)
        certificates_free_all(chain)
    }

    /// Gives it to all connections of a context.
    func install(inContext context: OpaquePointer) throws(TLSSetupError) {
        ERR_clear_error()
        try check(SSL_CTX_use_cert_and_key(context, leaf, key, chain, 1))
    }

    /// Gives it to one connection.
    func install(on ssl: OpaquePointer) throws(TLSSetupError) {
        ERR_clear_error()
        try check(SSL_use_cert_and_key(ssl, leaf, key, chain, 1))
    }

    private func check(_ result: Int32) throws(TLSSetupError) {
        guard result != 1 else { return }
        let reason = OpenSSLReason.take()
        throw reason.isMismatchOfKey ? .keyOfAnotherCertificate : .unusableIdentity(reason.text)
    }
}
