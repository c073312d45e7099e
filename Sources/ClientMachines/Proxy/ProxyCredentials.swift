import HTTPBasics

/// What the proxies of a session were told that let it through: it goes along unasked from then on
/// (BEHAVIOUR 2.A41-unasked).
///
/// One for all tasks of a client machine, and confined to it.
final class ProxyCredentials {
    private var known: [Origin: Authorization] = [:]

    subscript(proxy: Proxy) -> Authorization? { known[proxy.place] }

    func admitted(_ authorization: Authorization, by proxy: Proxy) {
        if authorization.isKept { known[proxy.place] = authorization }
    }

    func refused(_ authorization: Authorization, by proxy: Proxy) {
        if known[proxy.place] == authorization { known[proxy.place] = nil }
    }

    func forgetAll() { known = [:] }
}
