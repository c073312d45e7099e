import HTTPBasics

/// The proxies that the process's environment names, as users of libcurl know them (BEHAVIOUR 2.E10).
package enum ProxyEnvironment {
    /// Settings by the variables that `value` gives.
    ///
    /// Small letters win over capitals, and an empty value counts as none. `HTTP_PROXY` in capitals does not count: to
    /// a CGI program it comes from its client, as the field Proxy of a request.
    package static func settings(_ value: (String) -> String?) -> ProxySettings {
        func proxy(_ names: [String]) -> Proxy? {
            names.compactMap(value).first { !$0.isEmpty }.map { self.proxy($0) }
        }
        var settings = ProxySettings(
            http: proxy(["http_proxy"]), https: proxy(["https_proxy", "HTTPS_PROXY"]),
            fallback: proxy(["all_proxy", "ALL_PROXY"]))
        guard settings != ProxySettings() else { return settings }
        let list = ["no_proxy", "NO_PROXY"].compactMap(value).first { !$0.isEmpty } ?? ""
        let entries = list.split { ", \t".contains($0) }.map { String($0) }
        settings.exceptions = ProxyExceptions(entries, .environment)
        return settings
    }

    /// `[scheme://][user:password@]host[:port][/]`. What cannot be read is a proxy that nobody can use, and not none:
    /// a slip in a password would send everything around it (BEHAVIOUR 2.E10-slip).
    package static func proxy(_ text: String) -> Proxy {
        let whole = text.trimmingWhitespace
        guard let url = URLReference(whole.contains("://") ? String(whole) : "http://\(whole)"),
            let scheme = url.scheme,
            let host = url.host, !host.isEmpty, host.utf8.allSatisfy({ $0 > ASCII.space && $0 != 127 })
        else { return .unreadable }
        // A password with a slash ends the host where it begins.
        if [url.path, url.query, url.fragment].contains(where: { $0?.contains("@") ?? false }) { return .unreadable }
        let kind: Proxy.Kind
        switch scheme.lowercased() {
        case "http", "https": kind = .http
        case "socks4", "socks4a": kind = .socks4
        case "socks", "socks5", "socks5h": kind = .socks5
        default: kind = .unusable
        }
        // As libcurl has it.
        let isSecure = scheme.lowercased() == "https"
        let port = url.port ?? (isSecure ? 443 : 1080)
        guard 1...65535 ~= port else { return .unreadable }
        return Proxy(kind, host: host, port: port, isSecure: isSecure, credential: url.credential)
    }
}
