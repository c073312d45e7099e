import HTTPBasics

/// The challenge of a 401, written into WWW-Authenticate.
package enum ServerChallenge: Hashable, Sendable {
    case basic(realm: String)
    case digest(ServerDigest)
    case ntlm(ServerNTLM)
    /// With a token of the server's, if it has one.
    case negotiate(String?)

    /// The value of the field.
    var text: String {
        switch self {
        case .basic(let realm): "Basic realm=\(fieldQuoted(realm))"
        case .digest(let digest): digest.text
        case .ntlm(let ntlm): ntlm.text
        case .negotiate(let token): token.map { "Negotiate \(Base64.encode(Array($0.utf8)))" } ?? "Negotiate"
        }
    }
}

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
