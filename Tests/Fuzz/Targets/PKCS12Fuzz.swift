import NIOCore
import TLSBasics
import TLSEngine

/// Containers of an identity. The first line is the passphrase, the rest the container.
enum PKCS12Fuzz {
    static func check(_ bytes: ByteBuffer) throws {
        let input = FuzzInput(bytes)
        switch PKCS12.identity(Array(input.rest.readableBytesView), passphrase: input.firstLine) {
        case .failure(let problem): try demand(!problem.detail.isEmpty, "a problem without words")
        case .success(let identity):
            try demand(!identity.chain.isEmpty && !identity.privateKey.isEmpty, "an identity without a part")
            let certificates = identity.chain.compactMap { X509Certificate($0) }
            try demand(certificates.count, equals: identity.chain.count, "certificates of an identity that are none")
            try CertificateFuzz.check(certificates)
        }
    }
}
