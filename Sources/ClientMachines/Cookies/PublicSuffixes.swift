/// Which domains belong to no one alone, so that no cookie is set for all that lies below them (RFC 6265bis 5.7).
package protocol PublicSuffixes: Sendable {
    /// - Parameter domain: In small letters.
    func isPublic(_ domain: String) -> Bool
}

/// Where the list of publicsuffix.org is not at hand: every top-level domain, and those names right below a country's
/// that most countries use in this way (BEHAVIOUR 2.C22-suffix).
package struct UsualSuffixes: PublicSuffixes {
    private static let names: Set<Substring> = [
        "ac", "co", "com", "edu", "gob", "gov", "gv", "mil", "ne", "net", "nom", "or", "org", "sch",
    ]

    package init() {}

    package func isPublic(_ domain: String) -> Bool {
        let labels = domain.utf8.split(separator: UInt8(ascii: "."), maxSplits: 2, omittingEmptySubsequences: false)
        switch labels.count {
        case 1: return true
        case 2: return labels[1].count == 2 && Self.names.contains(Substring(labels[0]))
        default: return false
        }
    }
}

extension PublicSuffixes {
    /// The same for a domain with dots behind it, by which a host may be written too: no list has these.
    func isPublicSuffix(_ domain: Substring) -> Bool {
        var name = domain.utf8
        while name.last == UInt8(ascii: ".") { name.removeLast() }
        return isPublic(String(decoding: name, as: UTF8.self))
    }

    /// The domain that belongs to somebody, of which this host is one; the host itself if there is none.
    package func site(of host: String) -> Substring {
        var site = host[...]
        if CookieDomain.isAddress(host) { return site }
        while let dot = site.utf8.firstIndex(of: UInt8(ascii: ".")) {
            let parent = Substring(site.utf8[dot...].dropFirst())
            if isPublicSuffix(parent) { return site }
            site = parent
        }
        return host[...]
    }
}
