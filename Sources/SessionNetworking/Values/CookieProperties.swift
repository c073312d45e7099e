#if !canImport(Darwin)
import ClientMachines
import Foundation
import HTTPBasics

/// Cookies from and to the properties that a program gives and sees (BEHAVIOUR 2.C13).
enum CookieProperties {
    typealias Properties = [HTTPCookiePropertyKey: Any]

    static func cookie(_ properties: Properties, now: CookieTime) -> Cookie? {
        guard let name = properties[.name] as? String, let value = properties[.value] as? String, !name.isEmpty else {
            return nil
        }
        let origin = url(properties[.originURL])
        guard let domain = (properties[.domain] as? String ?? origin?.host).flatMap(ascii), !domain.isEmpty else {
            return nil
        }
        var cookie = Cookie(name: name, value: value, domain: ASCII.lowercased(domain))
        if cookie.domain.utf8.first == UInt8(ascii: ".") {
            (cookie.domain, cookie.isHostOnly) = (String(cookie.domain.dropFirst()), false)
        }
        cookie.path = path(properties, origin)
        let places = [cookie.domain, cookie.path], pair = [cookie.name, cookie.value]
        // A URL's host and path may have a semicolon (RFC 3986 3.2.2, 3.3), and never go out.
        guard !cookie.domain.isEmpty, !cookie.name.utf8.contains(ASCII.equals),
            !places.contains(where: { $0.utf8.contains(where: isControl) }),
            !pair.contains(where: { $0.utf8.contains(where: endsText) })
        else { return nil }
        cookie.isSecure = isSet(properties[.secure])
        cookie.isHTTPOnly = isSet(properties[.httpOnly])
        cookie.sameSite = sameSite(properties[.sameSitePolicy])
        let version = number(properties[.version]) == 1 ? 1 : 0
        cookie.expires = expiry(properties, version, now)
        if version == 1 { cookie.legacy = legacy(properties) }
        return cookie
    }

    /// What no line of Set-Cookie can have in a name or a value: in a Cookie field it would make other cookies, or a
    /// request that servers refuse.
    private static func endsText(_ byte: UInt8) -> Bool { byte == ASCII.semicolon || isControl(byte) }

    private static func isControl(_ byte: UInt8) -> Bool { byte < 0x20 && byte != ASCII.tab || byte == 0x7F }

    /// In letters of others as a URL has it, with A-labels; nil for what is no host.
    private static func ascii(_ domain: String) -> String? {
        if domain.utf8.isASCII { return domain }
        let dot = domain.hasPrefix(".") ? "." : ""
        let name = domain.dropFirst(dot.count)
        guard !name.utf8.contains(where: { " \t/?#@:%[]".utf8.contains($0) }), let url = URL(string: "http://\(name)/"),
            let host = URLReference(url.absoluteString).flatMap(CookieDomain.host),
            host.utf8.isASCII && !host.utf8.contains(UInt8(ascii: "%"))
        else { return nil }
        return dot + host
    }

    static func properties(of cookie: Cookie) -> Properties {
        var properties: Properties = [
            .name: cookie.name, .value: cookie.value, .path: cookie.path, .version: cookie.legacy?.version ?? 0,
            .domain: cookie.isHostOnly ? cookie.domain : "." + cookie.domain,
        ]
        if let expires = cookie.expires { properties[.expires] = Date(expires) } else { properties[.discard] = "TRUE" }
        if cookie.isSecure { properties[.secure] = "TRUE" }
        if cookie.isHTTPOnly { properties[.httpOnly] = "TRUE" }
        properties[.sameSitePolicy] = cookie.sameSite
        guard let legacy = cookie.legacy else { return properties }
        properties[.comment] = legacy.comment
        properties[.commentURL] = legacy.commentURL.flatMap { URL(string: $0) }
        properties[.port] = legacy.ports.map { $0.map(String.init).joined(separator: ",") }
        return properties
    }

    private static func path(_ properties: Properties, _ origin: URL?) -> String {
        if let path = properties[.path] as? String, path.utf8.first == UInt8(ascii: "/") { return path }
        let url = properties[.path] == nil ? origin.flatMap { URLReference($0.absoluteString) } : nil
        return url.map { CookiePath.standard(for: $0.path) } ?? "/"
    }

    /// Nil: it ends with the session.
    private static func expiry(_ properties: Properties, _ version: Int, _ now: CookieTime) -> CookieTime? {
        let isDiscarded = properties[.discard].map(isSet)
        if isDiscarded == true { return nil }
        // What `properties` gives of a cookie is a date whatever the version.
        let isAged = version == 1 && (isDiscarded != nil || properties[.maximumAge] != nil)
        if let date = properties[.expires] as? Date, !isAged {
            return CookieTime(date)
        }
        guard version == 1 else {
            return (properties[.expires] as? String).flatMap { CookieDate.parse($0) }.map { CookieTime($0) }
        }
        return number(properties[.maximumAge]).map { $0 <= 0 ? .distantPast : now.advanced(by: $0) }
    }

    private static func legacy(_ properties: Properties) -> Cookie.Legacy {
        var legacy = Cookie.Legacy()
        legacy.version = 1
        legacy.comment = properties[.comment] as? String
        legacy.commentURL = url(properties[.commentURL])?.absoluteString
        if let ports = properties[.port] as? String {
            legacy.ports = ports.split(separator: ",").compactMap { Int($0.trimmingWhitespace) }
        } else if let ports = properties[.port] as? [NSNumber] {
            legacy.ports = ports.map(\.intValue)
        }
        return legacy
    }

    private static func url(_ value: Any?) -> URL? { value as? URL ?? (value as? String).flatMap { URL(string: $0) } }

    private static func number(_ value: Any?) -> Int64? {
        if let text = value as? String { return Int64(text) }
        if let number = value as? NSNumber { return number.int64Value }
        return (value as? Int).map(Int64.init)
    }

    /// Of strings all that do not say no.
    private static func isSet(_ value: Any?) -> Bool {
        if let text = value as? String {
            return !["", "0", "false", "no"].contains(where: text.equalsIgnoringCase)
        }
        if let flag = value as? Bool { return flag }
        return number(value).map { $0 != 0 } ?? false
    }

    private static func sameSite(_ value: Any?) -> String? {
        let text = value as? String ?? (value as? HTTPCookieStringPolicy)?.rawValue ?? ""
        return ["strict", "lax", "none"].first(where: text.equalsIgnoringCase)
    }
}
#endif
