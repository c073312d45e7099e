import COpenSSL
import TLSBasics

extension PKCS12 {
    /// A container with the identity, its key encrypted with the passphrase as OpenSSL does it by itself.
    ///
    /// - Returns: Nil when the certificates or the key cannot be read.
    package static func container(of identity: TLSIdentity, name: String, passphrase: String) -> [UInt8]? {
        CertificateErrors.forgotten {
            let chain = identity.chain.compactMap { X509Certificate($0) }
            guard let own = chain.first, chain.count == identity.chain.count,
                let key = ConnectionDER.privateKey(identity.privateKey, nil), let others = certificates_new()
            else { return nil }
            defer {
                EVP_PKEY_free(key)
                certificates_free(others)
            }
            return withExtendedLifetime(chain) {
                for other in chain.dropFirst() {
                    guard other.withPointer({ certificates_push(others, $0) }) > 0 else { return nil }
                }
                let made = own.withPointer { PKCS12_create(passphrase, name, key, $0, others, 0, 0, 0, 0, 0) }
                defer { PKCS12_free(made) }
                return made.map { made in CertificateHandle.encoded { i2d_PKCS12(made, $0) } }
            }
        }
    }
}
