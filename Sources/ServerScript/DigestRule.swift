import Digests

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
