import HTTPBasics

/// The protection spaces of a 401 that a delegate can be asked about, the preferred one first.
package enum ChallengeSelection {
    /// One way to authenticate that the server offers and that we know.
    package struct Offer: Hashable, Sendable {
        package var method: Challenge.Method
        package var realm: String

        package init(method: Challenge.Method, realm: String) {
            self.method = method
            self.realm = realm
        }
    }

    /// Empty when the response is no challenge: another status, or no WWW-Authenticate field (BEHAVIOUR 2.A6).
    ///
    /// A second offer of the same space is dropped: rejecting a space must lead to another one.
    package static func challenges(in head: ResponseHead) -> [Offer] {
        guard head.status == 401 else { return [] }
        let challenges = AuthenticateHeader.parse(head.fields.values("WWW-Authenticate"))
        var offers: [Offer] = []
        for (scheme, method) in preference {
            for challenge in challenges where challenge.scheme.equalsIgnoringCase(scheme) {
                // RFC 7617 demands a realm; without one there is still something to ask.
                let offer = Offer(method: method, realm: challenge["realm"] ?? "")
                if !offers.contains(offer) { offers.append(offer) }
            }
        }
        return offers
    }

    /// Best first, in Apple's order: Negotiate, NTLM, Digest, Basic (BEHAVIOUR 2.A21). Schemes that are not listed are
    /// skipped (BEHAVIOUR 2.A23).
    private static let preference: [(scheme: String, method: Challenge.Method)] = [("Basic", .basic)]
}
