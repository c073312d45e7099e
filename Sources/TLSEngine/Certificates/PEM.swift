import COpenSSL
import TLSBasics

/// Certificates and private keys in text (RFC 7468).
package enum PEM {
    /// All certificates of the text, in its order; other blocks, and text around them, are passed over.
    package static func certificates(_ text: [UInt8]) -> Result<[X509Certificate], IdentityProblem> {
        reading(text) { blocks throws(IdentityProblem) in
            let found = try certificates(in: blocks)
            guard !found.isEmpty else { throw IdentityProblem(.noCertificate, missing("certificate", in: text)) }
            return found
        }
    }

    /// The certificate chain and the private key, which may stand in the same text.
    ///
    /// - Parameter passphrase: For a key that is encrypted; ignored for one that is not.
    package static func identity(
        certificates text: [UInt8], privateKey: [UInt8], passphrase: String? = nil
    ) -> Result<TLSIdentity, IdentityProblem> {
        reading(privateKey) { blocks throws(IdentityProblem) in
            let key = try self.privateKey(in: blocks, of: privateKey, passphrase: passphrase)
            let chain = try certificates(text).get()
            return try key.identity(of: chain).get()
        }
    }

    private static func reading<Value>(
        _ text: [UInt8], _ read: ([PEMBlock]) throws(IdentityProblem) -> Value
    ) -> Result<Value, IdentityProblem> {
        guard text.count <= IdentityProblem.largestInput else {
            let most = IdentityProblem.largestInput >> 20
            return .failure(
                IdentityProblem(.tooLarge, "The text has \(text.count) bytes; at most \(most) MiB are read."))
        }
        do throws(IdentityProblem) { return .success(try read(PEMBlock.all(in: text))) } catch {
            return .failure(error)
        }
    }

    private static func certificates(in blocks: [PEMBlock]) throws(IdentityProblem) -> [X509Certificate] {
        var found: [X509Certificate] = []
        for block in blocks where block.isCertificate {
            guard let certificate = block.certificate else {
                throw IdentityProblem(
                    .malformedCertificate,
                    "The certificate that begins in line \(block.line) cannot be read: it is damaged or cut off.")
            }
            found.append(certificate)
        }
        return found
    }

    private static func privateKey(
        in blocks: [PEMBlock], of text: [UInt8], passphrase: String?
    ) throws(IdentityProblem) -> PrivateKeyHandle {
        guard let block = blocks.first(where: \.isPrivateKey) else {
            throw IdentityProblem(.noKey, missing("private key", in: text))
        }
        let (key, wasAsked) = block.privateKey(passphrase: passphrase)
        if let key { return key }
        guard wasAsked else {
            throw IdentityProblem(
                .malformedKey,
                "The private key that begins in line \(block.line) cannot be read: it is damaged or of an unknown kind."
            )
        }
        guard passphrase != nil else {
            throw IdentityProblem(.passphraseNeeded, "The private key is encrypted: it needs a passphrase.")
        }
        throw IdentityProblem(.wrongPassphrase, "The passphrase does not open the private key.")
    }

    private static func missing(_ what: String, in text: [UInt8]) -> String {
        let looksBinary = text.first == 0x30
        return "There is no \(what) in the text: it must have a line \"-----BEGIN \(what.uppercased())-----\"."
            + (looksBinary ? " This looks like DER, the binary form; convert it with the command openssl." : "")
    }
}
