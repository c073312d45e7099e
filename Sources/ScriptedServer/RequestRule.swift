import HTTPBasics
import ServerScript

/// A condition on an expected request, besides method and target.
public struct RequestRule: Sendable {
    let apply: @Sendable (inout RequestMatch) -> Void

    /// The field is there and says exactly this.
    public static func header(_ name: String, _ value: String) -> RequestRule {
        RequestRule { $0.fields.append(RequestMatch.NamedRule(name, .equals(value))) }
    }

    /// The field is there.
    public static func present(_ name: String) -> RequestRule {
        RequestRule { $0.fields.append(RequestMatch.NamedRule(name, .present)) }
    }

    /// The field is not there.
    public static func absent(_ name: String) -> RequestRule { RequestRule { $0.absent.append(name) } }

    /// Authorization carries exactly these Basic credentials (RFC 7617).
    public static func basic(user: String, password: String) -> RequestRule {
        RequestRule { $0.basic = BasicCredentials(user: user, password: password) }
    }

    /// Authorization proves the password in the Digest scheme (RFC 7616), which the server computes itself.
    ///
    /// - Parameters:
    ///   - nonce: The server's nonce; nil for any.
    ///   - count: How often the nonce was used, with this time; nil for any count.
    ///   - algorithm: As the challenge names it.
    public static func digest(
        user: String, password: String, realm: String, nonce: String? = nil, count: Int? = nil,
        algorithm: DigestAlgorithm = .md5
    ) -> RequestRule {
        RequestRule {
            $0.digest = DigestRule(
                BasicCredentials(user: user, password: password), realm: realm, nonce: nonce, count: count,
                algorithm: algorithm.rule)
        }
    }

    /// Authorization carries message 1 of NTLM.
    public static let ntlmBegins = RequestRule { $0.ntlm = .begins }

    /// Authorization carries message 3 of NTLM, in its second version, which proves the password behind a message 2 on
    /// the same connection; the server computes the proof itself.
    ///
    /// - Parameter domain: The user's; empty for none.
    public static func ntlm(user: String, password: String, domain: String = "") -> RequestRule {
        RequestRule { $0.ntlm = .proves(BasicCredentials(user: user, password: password), domain: domain) }
    }

    /// The body is exactly this.
    public static func body(_ body: ServerBody) -> RequestRule { RequestRule { $0.body = .equals(body.content) } }

    /// There is no body.
    public static let noBody = RequestRule { $0.body = RequestMatch.BodyRule.none }
}

/// How a Digest proof is hashed (RFC 7616 3.2).
public enum DigestAlgorithm: String, CaseIterable, Sendable {
    case md5 = "MD5"
    case md5Session = "MD5-sess"
    case sha256 = "SHA-256"
    case sha256Session = "SHA-256-sess"
    case sha512t256 = "SHA-512-256"
    case sha512t256Session = "SHA-512-256-sess"

    /// MD5 is what a challenge means that names none.
    var name: String? { self == .md5 ? nil : rawValue }

    fileprivate var rule: DigestRule.ProofAlgorithm? { name.flatMap { DigestRule.ProofAlgorithm(rawValue: $0) } }
}
