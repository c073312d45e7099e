import HTTPBasics

/// One cookie, as a jar keeps it (RFC 6265bis 5.7).
package struct Cookie: Hashable, Sendable {
    /// What makes it another cookie (BEHAVIOUR 2.C12).
    package struct Mark: Hashable, Sendable {
        package let name: String
        package let domain: String
        package let isHostOnly: Bool
        package let path: String

        /// Byte by byte: text that Unicode takes for equal may be another name.
        package static func == (one: Mark, other: Mark) -> Bool {
            one.isHostOnly == other.isHostOnly && one.name.utf8.elementsEqual(other.name.utf8)
                && one.path.utf8.elementsEqual(other.path.utf8) && one.domain.utf8.elementsEqual(other.domain.utf8)
        }

        package func hash(into hasher: inout Hasher) {
            hasher.combine(isHostOnly)
            for var text in [name, domain, path] {
                hasher.combine(text.utf8.count)
                text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
            }
        }
    }

    /// What RFC 2109 and RFC 2965 had, and only a program still gives: kept for it, and never sent.
    package struct Legacy: Hashable, Sendable {
        package var version = 0
        package var comment: String?
        package var commentURL: String?
        package var ports: [Int]?

        package init() {}
    }

    package var name: String
    package var value: String
    /// In small letters, without a dot in front.
    package var domain: String
    /// For that host alone, and not for those below it.
    package var isHostOnly: Bool
    package var path: String
    /// Nil: for as long as the process lives, and never on a disk (BEHAVIOUR 2.C14).
    package var expires: CookieTime?
    package var isSecure = false
    package var isHTTPOnly = false
    /// "strict", "lax" or "none"; data for the caller, who knows what a site is (BEHAVIOUR 2.C15).
    package var sameSite: String?
    package var legacy: Legacy?

    package init(
        name: String, value: String, domain: String, isHostOnly: Bool = true, path: String = "/",
        expires: CookieTime? = nil
    ) {
        self.name = name
        self.value = value
        self.domain = domain
        self.isHostOnly = isHostOnly
        self.path = path
        self.expires = expires
    }

    package var key: Mark { Mark(name: name, domain: domain, isHostOnly: isHostOnly, path: path) }

    /// Byte by byte, as far as it goes to a server.
    package static func == (one: Cookie, other: Cookie) -> Bool {
        one.key == other.key && one.value.utf8.elementsEqual(other.value.utf8) && one.expires == other.expires
            && one.isSecure == other.isSecure && one.isHTTPOnly == other.isHTTPOnly && one.sameSite == other.sameSite
            && one.legacy == other.legacy
    }

    package func hash(into hasher: inout Hasher) { hasher.combine(key) }

    package func isExpired(at now: CookieTime) -> Bool { expires.map { $0 <= now } ?? false }

    /// Whether it goes along to that place, whose host is in small letters.
    package func matches(host: String, path: String, isSecure: Bool) -> Bool {
        if self.isSecure, !isSecure { return false }
        guard isHostOnly ? host == domain : CookieDomain.matches(host, domain) else { return false }
        return CookiePath.matches(path, self.path)
    }
}

/// Its value is a secret: no text of a cookie has it.
extension Cookie: CustomStringConvertible, CustomReflectable {
    package var description: String { "cookie \(name) of \(domain)\(path)" }

    package var customMirror: Mirror { Mirror(self, children: []) }
}
