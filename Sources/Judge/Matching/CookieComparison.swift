import HTTPBasics
import ScenarioFormat
import ServerScript

/// Compares the storage of a session with `cookies:`. Values are secrets: what is found says only that they differ.
enum CookieComparison {
    /// Nil when they are the same, in order of name, path and domain.
    static func difference(of expected: [CookieMatch], in seen: [SeenCookie], _ origins: OriginTable) -> String? {
        let seen = seen.sorted { ($0.name, $0.path, $0.domain) < ($1.name, $1.path, $1.domain) }
        guard expected.map(\.name) == seen.map(\.name) else {
            return "expected the cookies \(list(expected.map(\.name))), got \(list(seen.map(\.name)))"
        }
        for (wanted, cookie) in zip(expected, seen) {
            if let reason = difference(of: wanted, from: cookie, origins) { return "cookie \(cookie.name): \(reason)" }
        }
        return nil
    }

    private static func difference(of wanted: CookieMatch, from cookie: SeenCookie, _ origins: OriginTable) -> String? {
        if let value = wanted.value, origins.resolved(value) != cookie.value { return "another value" }
        if let path = wanted.path, path != cookie.path { return "expected path \(path), got \(cookie.path)" }
        let domain = wanted.host.map { origins.name(of: $0) } ?? wanted.domain
        if let domain, domain != cookie.domain {
            let isHost = cookie.domain.first != "."
            return wanted.host != nil && isHost ? "another host" : "expected another domain, got \(cookie.domain)"
        }
        if let flag = wanted.isSecure, flag != cookie.isSecure { return flag ? "not secure" : "secure" }
        if let flag = wanted.isHTTPOnly, flag != cookie.isHTTPOnly { return flag ? "not http-only" : "http-only" }
        if let word = wanted.sameSite, let seen = cookie.sameSite, word != seen {
            return "expected same-site \(word.isEmpty ? "none" : word), got \(seen.isEmpty ? "none" : seen)"
        }
        switch (wanted.expiry, cookie.left) {
        case (nil, _), (.session, nil): return nil
        case (.session, _?): return "expected no date of expiry"
        case (.within, nil): return "expected a date of expiry"
        case (.within(let range), let left?): return range.contains(left) ? nil : "another date of expiry"
        }
    }

    private static func list(_ names: [String]) -> String { names.isEmpty ? "(none)" : names.joined(separator: ", ") }
}

extension OriginTable {
    /// The host of a script as it stands in a URL, without its port.
    fileprivate func name(of host: String) -> String {
        guard let origin = origin(of: host), let url = URLReference(origin) else { return host }
        return url.host ?? host
    }
}
