import NIOCore
import TLSBasics
import TLSEngine

/// Certificates and keys in text. The first line is the passphrase, the rest the text of both.
enum PEMFuzz {
    static func check(_ bytes: ByteBuffer) throws {
        let input = FuzzInput(bytes)
        let text = Array(input.rest.readableBytesView)
        let found = PEM.certificates(text)
        if case .success(let certificates) = found { try CertificateFuzz.check(certificates) }
        // Text around the blocks is passed over.
        let framed = PEM.certificates(Array("a line\n".utf8) + text)
        try demand((try? framed.get()) ?? [], equals: (try? found.get()) ?? [], "a line before the text changes it")
        switch PEM.identity(certificates: text, privateKey: text, passphrase: input.firstLine) {
        case .failure(let problem): try demand(!problem.detail.isEmpty, "a problem without words")
        case .success(let identity):
            let own = try found.get().map(\.bytes)
            try demand(Set(identity.chain).isSubset(of: own), "an identity with a certificate that is not there")
        }
    }
}
