import HTTPBasics

/// What a server demands before it answers: one protection space of a 401.
package struct Challenge: Hashable, Sendable {
    package enum Method: Hashable, Sendable {
        case basic
        indirect case digest(DigestChallenge)
    }

    package var origin: Origin
    package var realm: String
    package var method: Method
    /// From the URL's user information, not tried yet (BEHAVIOUR 2.A19).
    package var proposed: Credential?
    /// Those that this task has tried for this request, and that were refused.
    package var tried: [Credential]
    /// Failed attempts of this task before this one.
    package var previousFailures: Int
    package var response: Response
    /// Set if a proxy asks, which is what `origin` names then: whether it is one for `https` URLs.
    package var proxy: ProxyUse?

    package enum ProxyUse: Hashable, Sendable { case http, https }

    /// A proxy asks.
    ///
    /// - Parameter isForSecure: To let a connection through, and not to send a request on.
    init(
        of proxy: Proxy, _ offer: ChallengeSelection.Offer, _ login: ProxyLogin, _ response: Response, isForSecure: Bool
    ) {
        let own = proxy.credential.flatMap { login.tried.contains($0) ? nil : $0 }
        self.init(
            origin: proxy.place, realm: offer.realm, method: offer.method, proposed: own, tried: login.tried,
            previousFailures: login.failures, response: response)
        self.proxy = isForSecure ? .https : .http
    }

    package init(
        origin: Origin, realm: String, method: Method, proposed: Credential?, tried: [Credential] = [],
        previousFailures: Int, response: Response
    ) {
        self.origin = origin
        self.realm = realm
        self.method = method
        self.proposed = proposed
        self.tried = tried
        self.previousFailures = previousFailures
        self.response = response
    }
}

/// A user name with its password. Never printed: a description shows the name only.
package struct Credential: Hashable, Sendable, CustomStringConvertible, CustomDebugStringConvertible {
    package var user: String
    package var password: String

    package init(user: String, password: String) {
        self.user = user
        self.password = password
    }

    package var description: String { "\(user):(secret)" }
    package var debugDescription: String { description }
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
