import HTTPBasics
import TLSBasics

/// The certificates of the folder `certs`, in the program itself. For tests only: their private keys are public.
package enum TestCertificates {
    /// Of all presets and identities, and of the authorities that signed them.
    package static let names = ChainData.texts.merging(ChainData.rest) { one, _ in one }.keys.sorted()

    /// The authority that a test's client trusts.
    package static let authority = certificates(named: "authority")

    /// The authority that a test's server trusts, when it wants certificates of its clients.
    package static let clientAuthority = certificates(named: "client-authority")

    /// What a preset sends, its own certificate first.
    package static func certificates(named name: String) -> [CertificateBytes] {
        let numbers = (ChainData.texts[name] ?? ChainData.rest[name] ?? "").split(separator: " ").map(String.init)
        return numbers.compactMap { number in
            bytes(CertificateData.texts[number] ?? CertificateData.rest[number]).map { CertificateBytes(der: $0) }
        }
    }

    /// The same with its key; nil for a name that does not exist.
    package static func identity(named name: String) -> TLSIdentity? {
        guard let key = bytes(KeyData.texts[name] ?? KeyData.rest[name]) else { return nil }
        return TLSIdentity(chain: certificates(named: name), privateKey: key)
    }

    private static func bytes(_ text: String?) -> [UInt8]? {
        text.flatMap { Base64.decode($0.filter { !$0.isNewline }) }
    }
}
