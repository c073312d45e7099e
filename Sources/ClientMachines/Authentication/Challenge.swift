import HTTPBasics

/// What a server demands before it answers: one protection space of a 401.
package struct Challenge: Hashable, Sendable {
    package enum Method: Hashable, Sendable {
        case basic
        /// Of the connection, not of a realm.
        case ntlm
        /// Likewise.
        case negotiate
        indirect case digest(DigestChallenge)

        package var scheme: AuthenticationScheme {
            switch self {
            case .basic: .basic
            case .ntlm: .ntlm
            case .negotiate: .negotiate
            case .digest: .digest
            }
        }
    }

    package var origin: Origin
    package var realm: String
    package var method: Method
    /// From the URL's user information (BEHAVIOUR 2.A19), or what a session was given for its proxy.
    private let named: Credential?
    /// Where it was a redirect that named it, not the caller: the storage's is tried first (BEHAVIOUR 2.A19-redirect).
    package var isProposedByRedirect: Bool
    /// What this task has tried for this request.
    package var refused: RefusedCredentials
    /// Failed attempts of this task before this one.
    package var previousFailures: Int
    package var response: Response
    /// Set if a proxy asks, which is what `origin` names then: whether it is one for `https` URLs.
    package var proxy: ProxyUse?

    package enum ProxyUse: Hashable, Sendable { case http, https }

    /// A proxy asks.
    ///
    /// - Parameter isForSecure: To let a connection through, and not to send a request on. One over TLS is the same
    ///   proxy for both (BEHAVIOUR 2.E11-asks).
    init(
        of proxy: Proxy, _ offer: ChallengeSelection.Offer, _ login: ProxyLogin, _ response: Response, isForSecure: Bool
    ) {
        self.init(
            origin: proxy.place, realm: offer.realm, method: offer.method, proposed: proxy.credential,
            refused: login.tried, previousFailures: login.failures, response: response)
        self.proxy = isForSecure || proxy.isSecure ? .https : .http
    }

    /// The space that the same answer offers behind this one.
    func next(of offers: [ChallengeSelection.Offer]) -> Challenge? {
        guard let offer = offers.drop(while: { $0 != .init(method: method, realm: realm) }).dropFirst().first else {
            return nil
        }
        var other = self
        (other.method, other.realm) = (offer.method, offer.realm)
        return other
    }

    /// - Parameter proposed: Whether it was tried or not.
    package init(
        origin: Origin, realm: String, method: Method, proposed: Credential?, isProposedByRedirect: Bool = false,
        refused: RefusedCredentials = RefusedCredentials(), previousFailures: Int, response: Response
    ) {
        self.origin = origin
        self.realm = realm
        self.method = method
        named = proposed
        self.isProposedByRedirect = isProposedByRedirect
        self.refused = refused
        self.previousFailures = previousFailures
        self.response = response
    }

    /// What is named for it and was not tried yet.
    package var proposed: Credential? { named.flatMap { rulesOut($0) ? nil : $0 } }

    /// Somebody is named, and is not to be another one.
    var isOfSomebody: Bool { named != nil }

    /// Whether it is of no use to try this credential.
    package func rulesOut(_ credential: Credential) -> Bool {
        refused.rulesOut(credential, realm: realm, method.scheme)
    }
}

/// A user name with its password. Never printed: a description shows the name only, and so does a dump.
package struct Credential: Hashable, Sendable, CustomStringConvertible, CustomDebugStringConvertible,
    CustomReflectable
{
    package var user: String
    package var password: String

    package init(user: String, password: String) {
        self.user = user
        self.password = password
    }

    package var description: String { "\(user):(secret)" }
    package var debugDescription: String { description }
    package var customMirror: Mirror { Mirror(self, children: ["user": user]) }
}

extension URLReference {
    /// Its user information, as something to answer a challenge with (BEHAVIOUR 2.A19).
    var credential: Credential? { credentials.map { Credential(user: $0.user, password: $0.password) } }
}

/// The four dispositions of `URLSession.AuthChallengeDisposition`.
package enum ChallengeAnswer: Hashable, Sendable {
    /// Send the request again with it; nil goes on without and delivers the 401.
    ///
    /// - Parameter isKept: Other tasks of the session may use it too where it let one in.
    case use(Credential?, isKept: Bool = false)
    case performDefaultHandling
    case cancel
    case rejectProtectionSpace
}
