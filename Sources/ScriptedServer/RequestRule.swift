import HTTPBasics
import ServerScript

/// A condition on an expected request, besides method and target.
public struct RequestRule: Sendable {
    let apply: @Sendable (inout RequestMatch) -> Void
    /// Why no request can be held against it.
    let complaint: String?

    init(complaint: String? = nil, _ apply: @escaping @Sendable (inout RequestMatch) -> Void) {
        self.apply = apply
        self.complaint = complaint
    }

    init(pattern: String, _ apply: @escaping @Sendable (inout RequestMatch, TextPattern) -> Void) {
        do throws(PatternMistake) {
            let compiled = try TextPattern(pattern)
            self.init { apply(&$0, compiled) }
        } catch {
            self.init(complaint: "the pattern '\(pattern)', at its character \(error.offset + 1): \(error.text)") { _ in
            }
        }
    }

    private init(json text: String, _ apply: @escaping @Sendable (inout RequestMatch, JSONValue) -> Void) {
        do throws(Malformed) {
            let value = try JSONReader.read(Array(text.utf8))
            self.init { apply(&$0, value) }
        } catch {
            self.init(complaint: error.text) { _ in }
        }
    }

    /// The field is there and says exactly this.
    public static func header(_ name: String, _ value: String) -> RequestRule {
        RequestRule { $0.fields.append(RequestMatch.NamedRule(name, .equals(value))) }
    }

    /// The field is there.
    public static func present(_ name: String) -> RequestRule {
        RequestRule { $0.fields.append(RequestMatch.NamedRule(name, .present)) }
    }

    /// The field is there, with this text in its value.
    public static func header(_ name: String, contains part: String) -> RequestRule {
        RequestRule { $0.fields.append(RequestMatch.NamedRule(name, .contains(part))) }
    }

    /// The field is there, and this regular expression is found in its value, which has at most 16 KiB.
    ///
    /// Nothing in the pattern looks ahead, behind or back; `start` throws for one that is none.
    public static func header(_ name: String, matches pattern: String) -> RequestRule {
        RequestRule(pattern: pattern) { $0.fields.append(RequestMatch.NamedRule(name, .matches($1))) }
    }

    /// The query has these values under this name, in order and no others; other names may be there. Percent-decoded, a
    /// plus is a blank. The request's target is then written without a query.
    public static func query(_ name: String, _ values: String...) -> RequestRule {
        RequestRule { $0.addQuery(name, .values(values)) }
    }

    /// The query is not looked at. The request's target is then written without one.
    public static let anyQuery = RequestRule { $0.query = $0.query ?? [] }

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

    /// Authorization carries a token of Negotiate, as a GSSAPI for tests makes it: a text that names the user, the
    /// service and the round, `user=ann; service=HTTP@a.test; round=1`, and from the second round on ends with
    /// `; after=` and the server's last token on the connection.
    ///
    /// - Parameters:
    ///   - user: Whose token it is.
    ///   - round: The how manyth it is for its challenge, 1 to 8.
    public static func negotiate(user: String, round: Int = 1) -> RequestRule {
        guard 1...8 ~= round else {
            return RequestRule(complaint: "\(round) is no round of Negotiate from 1 to 8") { _ in }
        }
        return RequestRule { $0.negotiate = NegotiateRule(user: user, round: round) }
    }

    /// Authorization carries message 3 of NTLM, in its second version, which proves the password behind a message 2 on
    /// the same connection; the server computes the proof itself.
    ///
    /// - Parameter domain: The user's; empty for none.
    public static func ntlm(user: String, password: String, domain: String = "") -> RequestRule {
        RequestRule { $0.ntlm = .proves(BasicCredentials(user: user, password: password), domain: domain) }
    }

    /// The body is exactly this.
    public static func body(_ body: ServerBody) -> RequestRule { RequestRule { $0.body = .equals(body.content) } }

    /// This text is in the body, of at most 1 MiB.
    public static func body(contains part: String) -> RequestRule { RequestRule { $0.body = .contains(part) } }

    /// This regular expression is found in the body, which has at most 16 KiB; see `header(_:matches:)`.
    public static func body(matches pattern: String) -> RequestRule {
        RequestRule(pattern: pattern) { $0.body = .matches($1) }
    }

    /// The body is this value of JSON, however it is written: members in any order, numbers by what they mean. It has
    /// at most 1 MiB. `start` throws for a text that is no JSON.
    public static func json(_ text: String) -> RequestRule { RequestRule(json: text) { $0.body = .json($1) } }

    /// The same, but objects of the body may have further members.
    public static func json(subset text: String) -> RequestRule {
        RequestRule(json: text) { $0.body = .jsonSubset($1) }
    }

    /// The body is a form of `application/x-www-form-urlencoded` with these values under this name, in order and no
    /// others; other names may be there.
    public static func form(_ name: String, _ values: String...) -> RequestRule {
        RequestRule { $0.addForm(name, .values(values)) }
    }

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
