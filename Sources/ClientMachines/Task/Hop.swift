import HTTPBasics

/// What a task has found out about its present request, in however many exchanges: forgotten as a whole when a redirect
/// or the course of a resumable upload puts another one in its place.
struct Hop {
    /// The loaders were offered the request and left it to its server, which it is sent to as often as it takes
    /// (BEHAVIOUR 2.H18-once).
    var isDeclined = false
    /// The former connection was stale: the next must never have been used. Holds over suspensions and questions.
    var needsFreshConnection = false
    /// A credential was given for this very request.
    var wasAuthorized = false
    /// How often a credential was said anew because its server's nonce was out of date.
    var renewals = 0
    /// Whom its request is sent through: chosen when it asks for a connection.
    @Rare var proxy: Proxy?
    /// What its proxy was told.
    @Rare var proxyLogin: ProxyLogin?
    /// How often a connection was to be signed in.
    var handshakes = 0
    var negotiate = NegotiateProgress()
    /// The same, of its proxy.
    var proxyNegotiate: NegotiateProgress {
        get { proxyLogin?.negotiate ?? NegotiateProgress() }
        set {
            var login = proxyLogin ?? ProxyLogin()
            login.negotiate = newValue
            proxyLogin = login
        }
    }
    var cachePhase = CachePhase.unasked
    /// Nil until it is asked for.
    var cacheKey: CacheKey?
    /// The cache was asked before the task was started, and has nothing.
    var isNotKept = false
    /// The user has stopped its redirect, of which the cache has no body.
    var isRedirectStopped = false
    /// What of the cache might stand in for an answer that cannot be had.
    @Rare var standIn: KeptCandidate?
    private(set) var failedCredentials = 0
    private(set) var refused = RefusedCredentials()

    init(isDeclined: Bool = false) { self.isDeclined = isDeclined }

    init(after lookup: TaskPlan.CacheLookup) {
        switch lookup {
        case .notYet: break
        case .nothing: isNotKept = true
        case .answer(let kept): cachePhase = .answers(KeptCandidate(index: 0, response: kept), isConfirmed: false)
        }
    }

    /// A credential went along, and the server asks for one. It has failed if it was meant for this: one that goes on
    /// from an earlier hop may have been for another space (BEHAVIOUR 2.A2-failures), and one that the session had from
    /// another task was never this task's choice. Nor were the tickets of the process.
    mutating func refused(
        _ sent: SentAuthorization, by offer: ChallengeSelection.Offer
    ) {
        let isOwn = wasAuthorized || sent.authorization.realm == offer.realm && !sent.isInherited
        let isTicket = sent.authorization.method == .negotiate && sent.authorization.credential.isTicket
        if isOwn, !isTicket || !negotiate.isNobodysChoice { failedCredentials += 1 }
        if isTicket { negotiate.hasTriedTicket = true }
        refused.add(sent.authorization.credential, realm: sent.authorization.realm, sent.authorization.method)
    }

    subscript(negotiateOfProxy isOfProxy: Bool) -> NegotiateProgress {
        get { isOfProxy ? proxyNegotiate : negotiate }
        set { if isOfProxy { proxyNegotiate = newValue } else { negotiate = newValue } }
    }

    /// The system has no token for it.
    func gaveUp(_ authorization: Authorization) -> Bool {
        negotiate.isGivenUp && authorization.method == .negotiate
    }

    var mayRenew: Bool { renewals < 4 }
}
