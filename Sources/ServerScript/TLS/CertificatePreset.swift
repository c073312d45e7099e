/// What a host shows of itself: a certificate of the folder `certs`, good or bad in one way.
package enum CertificatePreset: String, Hashable, Sendable, CaseIterable {
    case valid, ecdsa, ed25519, wildcard
    /// For a host whose name has other letters than those of the DNS.
    case international
    case longChain = "long-chain"
    /// The chain in another order than that of its signatures.
    case unordered
    case expired
    case expiredIntermediate = "expired-intermediate"
    case notYetValid = "not-yet-valid"
    case wrongHost = "wrong-host"
    case wildcardTop = "wildcard-top"
    /// It names the host in its subject only.
    case noSAN = "no-san"
    case selfSigned = "self-signed"
    case untrustedRoot = "untrusted-root"
    case missingIntermediate = "missing-intermediate"
    case wrongUsage = "wrong-usage"
    case weakKey = "weak-key"
    case sha1
    case revoked
    case noAuthority = "no-authority"
    case pathTooLong = "path-too-long"
    case nameConstraint = "name-constraint"
    case unknownExtension = "unknown-extension"
    case badSignature = "bad-signature"
    /// A hundred authorities between it and the one that is trusted.
    case deepChain = "deep-chain"
    /// Behind it come ten megabytes of other certificates.
    case hugeChain = "huge-chain"
    /// For 2,000 names.
    case manyNames = "many-names"
    /// A name of its own has a NUL in it, behind that of a host.
    case nulName = "nul-name"
    case negativeSerial = "negative-serial"
    /// The date of its end has fifty digits of a second.
    case overlongDate = "overlong-date"

    /// What its own key is of.
    package enum KeyKind: String, Hashable, Sendable {
        case rsa = "RSA"
        case ecdsa = "ECDSA"
        case ed25519 = "Ed25519"
    }

    package var keyKind: KeyKind {
        switch self {
        case .ecdsa: .ecdsa
        case .ed25519: .ed25519
        default: .rsa
        }
    }

    /// Whether a TLS library of today serves with it only when told to take what is weak.
    package var isWeak: Bool { self == .weakKey || self == .sha1 }
}
