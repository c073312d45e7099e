import COpenSSL
import TLSBasics

/// OpenSSL's form of a private key, for as long as it is looked at.
final class PrivateKeyHandle {
    let pointer: OpaquePointer

    /// Takes over the caller's reference.
    init(owning pointer: OpaquePointer) { self.pointer = pointer }

    deinit { EVP_PKEY_free(pointer) }

    /// PKCS#8 in DER; nil when OpenSSL cannot write the key so.
    var pkcs8: [UInt8]? {
        CertificateErrors.forgotten {
            guard let info = withExtendedLifetime(self, { EVP_PKEY2PKCS8(pointer) }) else { return nil }
            defer { PKCS8_PRIV_KEY_INFO_free(info) }
            let der = CertificateHandle.encoded { i2d_PKCS8_PRIV_KEY_INFO(info, $0) }
            return der.isEmpty ? nil : der
        }
    }

    func fits(_ certificate: X509Certificate) -> Bool {
        CertificateErrors.forgotten {
            withExtendedLifetime(self) { certificate.withPointer { X509_check_private_key($0, pointer) == 1 } }
        }
    }

    /// The identity of this key: the certificate that it fits, then those that lead to an authority, each after the
    /// one that it signed, as TLS wants them (RFC 5246 7.4.2). Files have them in any order.
    func identity(of certificates: [X509Certificate]) -> Result<TLSIdentity, IdentityProblem> {
        guard certificates.count <= IdentityProblem.mostCertificates else {
            return .failure(
                IdentityProblem(
                    .tooLarge,
                    "There are \(certificates.count) certificates; at most \(IdentityProblem.mostCertificates) count."
                ))
        }
        guard !certificates.isEmpty else {
            return .failure(IdentityProblem(.noCertificate, "There is a private key, but no certificate for it."))
        }
        guard let own = certificates.firstIndex(where: fits) else {
            let names = certificates.prefix(3).map(\.shownName).joined(separator: ", ")
            return .failure(
                IdentityProblem(
                    .keyDoesNotFit,
                    "The private key does not belong to: \(names). Both must have been made together."))
        }
        guard let key = pkcs8 else {
            return .failure(IdentityProblem(.malformedKey, "The private key cannot be written as PKCS#8."))
        }
        var rest = certificates
        var chain = [rest.remove(at: own)]
        while let last = chain.last, !last.isSelfIssued,
            let next = rest.firstIndex(where: { $0.hasIssued(last) })
        {
            chain.append(rest.remove(at: next))
        }
        return .success(TLSIdentity(chain: (chain + rest).map(\.bytes), privateKey: key))
    }
}
