import HTTPBasics

/// Hosts and domains as cookies compare them (RFC 6265bis 5.1.2, 5.1.3).
package enum CookieDomain {
    /// The DNS has no longer names.
    static let mostBytes = 255

    /// The host of a URL, in small letters; nil if it can have no cookies. A dot in front of it is one that says in a
    /// cookie's domain that all hosts below it are meant, so that a host that begins with it has none.
    package static func host(of url: URLReference) -> String? {
        guard let host = url.host, let first = host.utf8.first, first != dot, host.utf8.count <= mostBytes else {
            return nil
        }
        return ASCII.lowercased(host)
    }

    /// Both in small letters: the same, or a host below the domain.
    package static func matches(_ host: String, _ domain: String) -> Bool {
        if host == domain { return true }
        let bytes = host.utf8, rest = bytes.count - domain.utf8.count
        guard rest > 1, !domain.isEmpty, bytes.suffix(domain.utf8.count).elementsEqual(domain.utf8),
            bytes[bytes.index(bytes.startIndex, offsetBy: rest - 1)] == dot
        else { return false }
        return !isAddress(host)
    }

    /// An address has no hosts below it.
    package static func isAddress(_ host: String) -> Bool {
        let bytes = host.utf8
        if bytes.contains(ASCII.colon) { return true }
        let labels = bytes.split(separator: dot)
        return labels.last?.allSatisfy(ASCII.isDigit) ?? false
    }

    /// What all domains have in common of which one may lie below another: the last two labels. A domain of one label
    /// alone is that of its own host.
    static func area(of domain: String) -> String {
        let bytes = domain.utf8
        guard let last = bytes.lastIndex(of: dot), let second = bytes[..<last].lastIndex(of: dot), !isAddress(domain)
        else { return domain }
        return String(Substring(bytes[bytes.index(after: second)...]))
    }

    private static let dot = UInt8(ascii: ".")
}
