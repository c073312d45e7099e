import TLSBasics

/// Why a context or a connection cannot be made: each is a mistake of its settings, but for the first.
package enum TLSSetupError: Error, Hashable, Sendable {
    /// OpenSSL refuses, for this reason.
    case openSSL(String)
    case noCertificate
    /// By its place in the chain.
    case unreadableCertificate(Int)
    case unreadableKey
    case keyOfAnotherCertificate
    /// OpenSSL cannot or will not prove itself with it, for this reason: most often it is too weak for the security
    /// level.
    case unusableIdentity(String)
    /// By its place in the list.
    case unreadableIssuer(Int)
    case unreadableAnchor(Int)
    case unknownCiphers(String)
    /// A name for ALPN has 1 to 255 bytes (RFC 7301 3.1).
    case unusableProtocol(String)
    /// OpenSSL never refuses a certificate with it.
    case unusableAlert(TLSAlert)
}

extension TLSSetupError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .openSSL(let reason): "OpenSSL cannot be set up: \(reason)."
        case .noCertificate: "An identity needs at least one certificate."
        case .unreadableCertificate(let place): "Certificate \(place) of the chain is no X.509 certificate in DER."
        case .unreadableKey: "The private key is no PKCS#8 key in DER, or of an unknown kind."
        case .keyOfAnotherCertificate: "The private key does not belong to the first certificate of the chain."
        case .unusableIdentity(let reason): "The identity cannot be used: \(reason)."
        case .unreadableIssuer(let place): "Accepted issuer \(place) is no distinguished name in DER."
        case .unreadableAnchor(let place): "Anchor \(place) is no X.509 certificate in DER."
        case .unknownCiphers(let list): "\"\(list)\" names no cipher suite that OpenSSL knows."
        case .unusableProtocol(let name): "\"\(name)\" is no name of a protocol: it must have 1 to 255 bytes."
        case .unusableAlert(let alert): "A certificate cannot be refused with the alert \(alert)."
        }
    }
}
