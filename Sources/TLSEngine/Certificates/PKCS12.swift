import COpenSSL
import TLSBasics

/// Identities in the container of PKCS#12 (RFC 7292), usually files named .p12 or .pfx.
package enum PKCS12 {
    /// How often the passphrase may be hashed before it counts. The container names the number; at this one a machine
    /// works for some seconds.
    package static let mostRounds = 10_000_000

    /// The identity in the container.
    ///
    /// Old files, encrypted with RC2 or Triple DES, need OpenSSL's provider "legacy"; it is loaded for these reads
    /// only.
    ///
    /// - Parameter passphrase: Empty for a container without one.
    package static func identity(
        _ container: [UInt8], passphrase: String, mostRounds: Int = mostRounds
    ) -> Result<TLSIdentity, IdentityProblem> {
        guard container.count <= IdentityProblem.largestInput else {
            let most = IdentityProblem.largestInput >> 20
            let detail = "The container has \(container.count) bytes; at most \(most) MiB are read."
            return .failure(IdentityProblem(.tooLarge, detail))
        }
        // Whether there is a new error is asked below.
        ERR_clear_error()
        return CertificateErrors.forgotten {
            do throws(IdentityProblem) {
                let opened = try Opened(container)
                try opened.check(passphrase, mostRounds)
                return try opened.identity(passphrase)
            } catch {
                return .failure(error)
            }
        }
    }

    /// A container that was read, but not yet decrypted.
    private struct Opened: ~Copyable {
        private let pointer: OpaquePointer

        init(_ container: [UInt8]) throws(IdentityProblem) {
            var blank = PKCS12_init_ex(NID_pkcs7_data, PKCS12Library.shared.context, nil)
            let read = container.withUnsafeBufferPointer { bytes in
                var position = bytes.baseAddress
                return d2i_PKCS12(&blank, &position, bytes.count)
            }
            // On failure `blank` was freed by OpenSSL.
            guard let read else {
                throw IdentityProblem(.malformed, "This is no PKCS#12 container: it is damaged, or another format.")
            }
            pointer = read
        }

        deinit { PKCS12_free(pointer) }

        /// The code over the content proves the passphrase before anything is decrypted with it.
        func check(_ passphrase: String, _ most: Int) throws(IdentityProblem) {
            guard PKCS12_mac_present(pointer) == 1 else {
                throw IdentityProblem(.unsupported, "The container has no code (MAC) that proves its passphrase.")
            }
            var rounds: UnsafePointer<ASN1_INTEGER>?
            PKCS12_get0_mac(nil, nil, nil, &rounds, pointer)
            guard rounds.map({ 0...most ~= ASN1_INTEGER_get($0) }) ?? true else { throw Self.slow(most) }
            // Without a passphrase some programs write an empty one, and some none.
            if PKCS12_verify_mac(pointer, passphrase, -1) == 1 { return try checkRounds(passphrase, most) }
            if passphrase.isEmpty, PKCS12_verify_mac(pointer, nil, 0) == 1 { return try checkRounds(nil, most) }
            // An error means that the code could not be computed; a wrong one is none.
            guard CertificateErrors.newest == nil else { throw unreadable() }
            let hint = passphrase.isEmpty ? " None was given." : ""
            throw IdentityProblem(.wrongPassphrase, "The passphrase does not open the container." + hint)
        }

        func identity(_ passphrase: String) throws(IdentityProblem) -> Result<TLSIdentity, IdentityProblem> {
            var key: OpaquePointer?
            var own: OpaquePointer?
            var others: OpaquePointer?
            guard PKCS12_parse(pointer, passphrase, &key, &own, &others) == 1 else { throw unreadable() }
            defer { certificates_free_all(others) }
            let handles = own.map { [CertificateHandle.der(of: $0)] } ?? []
            X509_free(own)
            guard let key else {
                throw IdentityProblem(.noKey, "The container holds certificates, but no private key.")
            }
            let count = certificates_count(others)
            guard count < IdentityProblem.mostCertificates else {
                EVP_PKEY_free(key)
                let most = IdentityProblem.mostCertificates
                throw IdentityProblem(.tooLarge, "There are \(count) certificates; at most \(most) are read.")
            }
            return PKCS12.identity(
                of: PrivateKeyHandle(owning: key),
                handles + (0..<count).map { CertificateHandle.der(of: certificates_at(others, $0)) })
        }

        private func checkRounds(_ passphrase: String?, _ most: Int) throws(IdentityProblem) {
            guard container_rounds(pointer, passphrase, most) <= most else { throw Self.slow(most) }
            ERR_clear_error()
        }

        private static func slow(_ most: Int) -> IdentityProblem {
            IdentityProblem(.unsupported, "The container wants its passphrase hashed more than \(most) times.")
        }

        private func unreadable() -> IdentityProblem {
            let said = CertificateErrors.newest.map { " OpenSSL says: \($0)." } ?? ""
            guard PKCS12Library.shared.hasLegacy else {
                return IdentityProblem(
                    .unsupported,
                    "The container cannot be decrypted." + said + " It may be an old one: those need OpenSSL's provider"
                        + " \"legacy\", which is not installed (ossl-modules/legacy.so).")
            }
            return IdentityProblem(.malformed, "The container's content cannot be read." + said)
        }
    }

    /// Read again in the process's own library context: that of the container knows ciphers that no connection should.
    private static func identity(
        of key: PrivateKeyHandle, _ certificates: [[UInt8]]
    ) -> Result<TLSIdentity, IdentityProblem> {
        var read: [X509Certificate] = []
        for der in certificates {
            guard let certificate = X509Certificate(CertificateBytes(der: der)) else {
                return .failure(
                    IdentityProblem(.malformedCertificate, "A certificate in the container cannot be read."))
            }
            read.append(certificate)
        }
        return key.identity(of: read)
    }
}
