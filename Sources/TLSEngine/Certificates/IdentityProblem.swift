/// Why certificates or a private key cannot be read from a file's content.
package struct IdentityProblem: Error, Hashable, Sendable {
    package enum Kind: Hashable, Sendable, CaseIterable {
        /// Longer than we read.
        case tooLarge
        case noCertificate, malformedCertificate
        case noKey, malformedKey
        /// The key is encrypted, and no passphrase was given.
        case passphraseNeeded
        case wrongPassphrase
        /// None of the certificates is for the key.
        case keyDoesNotFit
        /// Encrypted in a way that this machine's OpenSSL cannot undo.
        case unsupported
        /// Not of the format at all.
        case malformed
    }

    package let kind: Kind
    /// Sentences for people: what is wrong, and what to do.
    package let detail: String

    init(_ kind: Kind, _ detail: String) {
        self.kind = kind
        self.detail = detail
    }

    /// The longest input that is read, and the most certificates of one identity.
    package static let largestInput = 16 << 20
    package static let mostCertificates = 100
}

extension IdentityProblem: CustomStringConvertible {
    package var description: String { detail }
}
