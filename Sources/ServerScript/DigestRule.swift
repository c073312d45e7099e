import Digests

/// A Digest challenge as a script writes it, right or wrong (RFC 7616 3.3).
package struct ServerDigest: Hashable, Sendable {
    package var realm: String
    package var nonce: String
    package var opaque: String?
    package var algorithm: String?
    /// Empty for the older form, without a count (RFC 2069).
    package var protections: [String]
    package var isStale: Bool
    package var hidesUser: Bool
    package var charset: String?
    package var domain: String?

    package init(
        realm: String, nonce: String, opaque: String? = nil, algorithm: String? = nil, protections: [String] = ["auth"],
        isStale: Bool = false, hidesUser: Bool = false, charset: String? = nil, domain: String? = nil
    ) {
        self.realm = realm
        self.nonce = nonce
        self.opaque = opaque
        self.algorithm = algorithm
        self.protections = protections
        self.isStale = isStale
        self.hidesUser = hidesUser
        self.charset = charset
        self.domain = domain
    }

    /// The value of a WWW-Authenticate field.
    var text: String {
        var text = "Digest realm=\(fieldQuoted(realm)), nonce=\(fieldQuoted(nonce))"
        if !protections.isEmpty { text += ", qop=\(fieldQuoted(protections.joined(separator: ", ")))" }
        if let algorithm { text += ", algorithm=\(algorithm)" }
        if let opaque { text += ", opaque=\(fieldQuoted(opaque))" }
        if let domain { text += ", domain=\(fieldQuoted(domain))" }
        if let charset { text += ", charset=\(charset)" }
        if hidesUser { text += ", userhash=true" }
        return isStale ? text + ", stale=true" : text
    }
}

/// A quoted-string (RFC 9110 5.6.4).
func fieldQuoted(_ text: String) -> String {
    "\"\(text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\""))\""
}

/// What an Authorization field of the Digest scheme must prove, and with what.
package struct DigestRule: Hashable, Sendable {
    package enum ProofAlgorithm: String, CaseIterable, Hashable, Sendable {
        case md5 = "MD5"
        case md5Session = "MD5-sess"
        case sha256 = "SHA-256"
        case sha256Session = "SHA-256-sess"
        case sha512t256 = "SHA-512-256"
        case sha512t256Session = "SHA-512-256-sess"

        var function: HashFunction {
            switch self {
            case .md5, .md5Session: .md5
            case .sha256, .sha256Session: .sha256
            case .sha512t256, .sha512t256Session: .sha512t256
            }
        }

        var isSession: Bool {
            switch self {
            case .md5Session, .sha256Session, .sha512t256Session: true
            case .md5, .sha256, .sha512t256: false
            }
        }
    }

    package enum Protection: String, CaseIterable, Hashable, Sendable {
        case request = "auth"
        case requestWithBody = "auth-int"
        /// The older form (RFC 2069).
        case none
    }

    package var credentials: BasicCredentials
    package var realm: String
    package var nonce: String?
    package var count: Int?
    /// Nil: MD5, which the field need not name.
    package var algorithm: ProofAlgorithm?
    package var protection: Protection
    package var opaque: String?
    package var hidesUser: Bool

    package init(
        _ credentials: BasicCredentials, realm: String, nonce: String? = nil, count: Int? = nil,
        algorithm: ProofAlgorithm? = nil, protection: Protection = .request, opaque: String? = nil,
        hidesUser: Bool = false
    ) {
        self.credentials = credentials
        self.realm = realm
        self.nonce = nonce
        self.count = count
        self.algorithm = algorithm
        self.protection = protection
        self.opaque = opaque
        self.hidesUser = hidesUser
    }
}
