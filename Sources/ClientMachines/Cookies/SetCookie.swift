import HTTPBasics

/// One line of Set-Cookie, read by the algorithm of RFC 6265bis 5.6: what it says, whether or not it may say so.
///
/// It is an algorithm and not a grammar: every line without a control character that has a name and `=` is a cookie.
package struct SetCookie: Equatable, Sendable {
    package private(set) var name: String
    package private(set) var value: String
    package private(set) var expires: UnixTime?
    /// In seconds; wins over `expires`.
    package private(set) var maxAge: Int64?
    /// In small letters, without a dot in front.
    package private(set) var domain: String?
    /// Nil if there is none that begins with a slash.
    package private(set) var path: String?
    /// There is a Path, whatever it says.
    private var namesPath = false
    package private(set) var isSecure = false
    package private(set) var isHTTPOnly = false
    package private(set) var sameSite: String?

    /// Nil for a line that is ignored.
    package init?(_ line: some StringProtocol, _ limits: CookieLimits = CookieLimits()) {
        let line = Substring(line)
        guard !line.utf8.contains(where: Self.isControl) else { return nil }
        let (pair, attributes) = Self.split(line, at: ASCII.semicolon)
        // RFC 6265 ignores what has no name; bis would keep it as a value alone (BEHAVIOUR 2.C20-pair).
        guard case (let name, let value?) = Self.split(pair, at: ASCII.equals) else { return nil }
        self.name = String(name.trimmingWhitespace)
        self.value = String(value.trimmingWhitespace)
        guard !self.name.isEmpty, self.name.utf8.count + self.value.utf8.count <= limits.pairBytes else { return nil }
        var rest = attributes
        while let present = rest {
            let (attribute, further) = Self.split(present, at: ASCII.semicolon)
            rest = further
            let (name, value) = Self.split(attribute, at: ASCII.equals)
            let text = (value ?? "").trimmingWhitespace
            guard text.utf8.count <= limits.attributeBytes else { continue }
            take(name.trimmingWhitespace, text)
        }
    }

    /// Of several of the same name the last one counts.
    private mutating func take(_ name: Substring, _ value: Substring) {
        if name.equalsIgnoringCase("Expires") {
            if let date = CookieDate.parse(value) { expires = date }
        } else if name.equalsIgnoringCase("Max-Age") {
            if let age = Self.age(value) { maxAge = age }
        } else if name.equalsIgnoringCase("Domain") {
            let domain = value.utf8.first == UInt8(ascii: ".") ? Substring(value.utf8.dropFirst()) : value
            // An empty one says nothing (RFC 6265 5.2.3).
            if !domain.isEmpty { self.domain = ASCII.lowercased(domain) }
        } else if name.equalsIgnoringCase("Path") {
            namesPath = true
            path = value.utf8.first == UInt8(ascii: "/") ? String(value) : nil
        } else if name.equalsIgnoringCase("Secure") {
            isSecure = true
        } else if name.equalsIgnoringCase("HttpOnly") {
            isHTTPOnly = true
        } else if name.equalsIgnoringCase("SameSite") {
            sameSite = ["strict", "lax", "none"].first(where: value.equalsIgnoringCase)
        }
    }

    /// What a line has to say whose cookie's name begins with `__Host-`; the rest is seen of the cookie itself
    /// (BEHAVIOUR 2.C24-prefix).
    package var keepsHostPromise: Bool {
        !CookieAcceptance.hasPrefix(name, "__host-") || namesPath && domain == nil
    }

    /// The cookie that it makes at that place; nil where a place can have none.
    package func cookie(at url: URLReference, _ now: CookieTime, _ limits: CookieLimits = CookieLimits()) -> Cookie? {
        // A domain in other letters is none of the DNS (BEHAVIOUR 2.C22-domain).
        guard let host = CookieDomain.host(of: url), domain?.utf8.isASCII ?? true else { return nil }
        var cookie = Cookie(
            name: name, value: value, domain: domain ?? host, isHostOnly: domain == nil,
            path: path ?? CookiePath.standard(for: url.path), expires: expiry(now, limits))
        cookie.isSecure = isSecure
        cookie.isHTTPOnly = isHTTPOnly
        cookie.sameSite = sameSite
        return cookie
    }

    /// No server's word lasts for longer than 400 days (BEHAVIOUR 2.C21-age).
    private func expiry(_ now: CookieTime, _ limits: CookieLimits) -> CookieTime? {
        let latest = now.advanced(by: limits.lifetime)
        if let maxAge {
            return maxAge <= 0 ? .distantPast : min(now.advanced(by: maxAge), latest)
        }
        return expires.map { min(CookieTime($0), latest) }
    }

    /// Digits, perhaps behind a minus; of more than a number can hold the most that it holds.
    private static func age(_ text: Substring) -> Int64? {
        let isNegative = text.utf8.first == UInt8(ascii: "-")
        let digits = isNegative ? text.utf8.dropFirst() : text.utf8[...]
        guard !digits.isEmpty, digits.allSatisfy(ASCII.isDigit) else { return nil }
        return isNegative ? 0 : DecimalNumber.parse(digits) ?? .max
    }

    private static func isControl(_ byte: UInt8) -> Bool { byte < 0x20 && byte != ASCII.tab || byte == 0x7F }

    private static func split(_ text: Substring, at separator: UInt8) -> (Substring, Substring?) {
        guard let index = text.utf8.firstIndex(of: separator) else { return (text, nil) }
        return (Substring(text.utf8[..<index]), Substring(text.utf8[index...].dropFirst()))
    }
}

extension CookieTime {
    /// What has expired for sure.
    package static let distantPast = CookieTime(seconds: -63_114_076_800)
}

/// Like `Cookie`.
extension SetCookie: CustomStringConvertible, CustomReflectable {
    package var description: String { "cookie \(name)" }

    package var customMirror: Mirror { Mirror(self, children: []) }
}
