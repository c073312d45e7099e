import HTTPBasics

/// What the proxies of a session were told that let it through: it goes along unasked from then on
/// (BEHAVIOUR 2.A41-unasked).
///
/// One for all tasks of a client machine, and confined to it.
final class ProxyCredentials {
    /// Who a proxy was named with is another user of it than anybody else (BEHAVIOUR 2.A41-users).
    private var known: [Proxy: Authorization] = [:]

    subscript(proxy: Proxy) -> Authorization? { known[proxy] }

    func letIn(_ authorization: Authorization, by proxy: Proxy) { known[proxy] = authorization }

    func refused(_ authorization: Authorization, by proxy: Proxy) {
        if known[proxy] == authorization { known[proxy] = nil }
    }

    func forget(_ forgotten: ForgottenCredential) {
        known = known.filter { !forgotten.isSaid(by: $0.value) }
    }

    func forgetAll() { known = [:] }
}
