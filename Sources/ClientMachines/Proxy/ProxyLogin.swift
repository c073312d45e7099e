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

    /// What goes along now. What its user was asked for and cannot be said has failed like what is refused: it is not
    /// proposed again.
    ///
    /// - Parameter isInherited: The session has it from another task.
    mutating func send(_ authorization: Authorization?, isInherited: Bool, as signed: SentAuthorization?) {
        sent = signed
        sent?.isInherited = isInherited
        guard let authorization, signed == nil, !isInherited else { return }
        failures += 1
        note(authorization)
    }

    /// A credential went along, and the proxy asks for one: it has failed, unless the session had it from another task.
    mutating func refused() {
        guard let sent else { return }
        if !sent.isInherited { failures += 1 }
        // Of Digest an inherited answer may be to a nonce that the proxy has forgotten, without a word about that.
        if !sent.isInherited || sent.use == nil { note(sent.authorization) }
    }

    private mutating func note(_ authorization: Authorization) {
        tried.add(authorization.credential, realm: authorization.realm, authorization.method)
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
