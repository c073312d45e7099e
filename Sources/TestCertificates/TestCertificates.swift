import HTTPBasics
import TLSBasics

/// The certificates of the folder `certs`, in the program itself. For tests only: their private keys are public.
package enum TestCertificates {
    /// Of all presets and identities, and of the authorities that signed them.
    package static let names = ChainData.parts.flatMap(\.keys).sorted()

    /// The authority that a test's client trusts.
    package static let authority = certificates(named: "authority")

    /// The authority that a test's server trusts, when it wants certificates of its clients.
    package static let clientAuthority = certificates(named: "client-authority")

    /// What a preset sends, its own certificate first.
    package static func certificates(named name: String) -> [CertificateBytes] {
        if name == hugeChain { return certificates(named: "valid") + ballast }
        let numbers = (text(name, in: ChainData.parts) ?? "").split(whereSeparator: \.isWhitespace).map(String.init)
        return numbers.compactMap { number in
            bytes(text(number, in: CertificateData.parts)).map { CertificateBytes(der: $0) }
        }
    }

    /// The same with its key; nil for a name that does not exist.
    package static func identity(named name: String) -> TLSIdentity? {
        let keyName = name == hugeChain ? "valid" : name
        guard let key = bytes(text(keyName, in: KeyData.parts)) else { return nil }
        return TLSIdentity(chain: certificates(named: name), privateKey: key)
    }

    /// Too large for a file: `valid`, and ten megabytes of what has nothing to do with it.
    private static let hugeChain = "huge-chain"
    private static let ballast: [CertificateBytes] = {
        let other = certificates(named: "many-names").prefix(1)
        let count = other.first.map { 10_000_000 / max($0.der.count, 1) + 1 } ?? 0
        return Array(repeatElement(other, count: count).joined())
    }()

    private static func text(_ name: String, in parts: [[String: String]]) -> String? {
        parts.lazy.compactMap { $0[name] }.first
    }

    private static func bytes(_ text: String?) -> [UInt8]? {
        text.flatMap { Base64.decode($0.filter { !$0.isNewline }) }
    }
}
