/// A certificate with its private key: what one end of a connection proves itself with. Never printed.
///
/// A class, so that the values which carry one stay small.
package final class TLSIdentity: Hashable, Sendable {
    /// The end's own certificate first, then those that lead to an authority.
    package let chain: [CertificateBytes]
    /// PKCS#8, in DER, not encrypted.
    package let privateKey: [UInt8]

    package init(chain: [CertificateBytes], privateKey: [UInt8]) {
        self.chain = chain
        self.privateKey = privateKey
    }

    package static func == (left: TLSIdentity, right: TLSIdentity) -> Bool {
        left === right || left.chain == right.chain && left.privateKey == right.privateKey
    }

    package func hash(into hasher: inout Hasher) { hasher.combine(chain) }
}

extension TLSIdentity: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    package var description: String { "identity with \(chain.count) certificates (secret)" }
    package var debugDescription: String { description }
    package var customMirror: Mirror { Mirror(self, children: [:]) }
}
