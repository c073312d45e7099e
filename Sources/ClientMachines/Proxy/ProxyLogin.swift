/// What a proxy was told of the user on one way to a server, or for one request, and what came of it.
package struct ProxyLogin: Sendable {
    private static let mostRenewals = 4

    /// What went along with what it was asked last.
    var sent: SentAuthorization?
    /// What goes along when the proxy is asked again on another connection.
    var next: Authorization?
    private(set) var failures = 0
    private(set) var tried = RefusedCredentials()
    private var renewals = 0

    package init() {}

    /// A credential went along, and the proxy asks for one: it has failed, unless the session had it from another task.
    mutating func refused() {
        guard let sent else { return }
        if !sent.isInherited { failures += 1 }
        tried.add(sent.authorization.credential, realm: sent.authorization.realm, sent.authorization.method)
    }

    /// The credential was right, and what it was said with is out of date (BEHAVIOUR 2.A6-stale).
    mutating func renewed(by offers: [ChallengeSelection.Offer]) -> Authorization? {
        guard let sent, renewals < Self.mostRenewals else { return nil }
        for offer in offers where sent.authorization.renew(for: offer) {
            renewals += 1
            return sent.authorization
        }
        return nil
    }
}
