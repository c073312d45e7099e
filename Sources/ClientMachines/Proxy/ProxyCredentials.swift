import HTTPBasics

/// What the proxies of a session were told that let it through: it goes along unasked from then on
/// (BEHAVIOUR 2.A41-unasked).
///
/// One for all tasks of a client machine, and confined to it.
final class ProxyCredentials {
    private var known: [Origin: Authorization] = [:]

    subscript(proxy: Proxy) -> Authorization? { known[proxy.place] }

    /// The answer to what went along with it, which is no 407. One above 400 may be the proxy's own, so it proves
    /// nothing. What a proxy was named with is kept for it without a storage of credentials, too.
    func heard(_ head: ResponseHead, about sent: SentAuthorization, from proxy: Proxy, _ settings: ClientSettings) {
        let authorization = sent.authorization
        let isProved = authorization.heard(
            AuthenticateHeader.info(head.fields.values("Proxy-Authentication-Info")), about: sent)
        let mayKeep = settings.keepsCredentials || authorization.credential == proxy.credential
        if isProved, head.status < 400, authorization.isKept, mayKeep { known[proxy.place] = authorization }
    }

    func refused(_ authorization: Authorization, by proxy: Proxy) {
        if known[proxy.place] == authorization { known[proxy.place] = nil }
    }

    func forgetAll() { known = [:] }
}
