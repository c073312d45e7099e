#if !canImport(Darwin)
import ClientMachines
import Foundation
import HTTPBasics

/// A cookie: never changes, and may be used from any thread. Two are equal that say the same.
///
/// Its description does not show the value.
open class HTTPCookie: NSObject, @unchecked Sendable {
    // Safety of the unchecked conformance: nothing changes; subclasses have to keep to that.
    final let cookie: Cookie
    /// Where the answer to a task came from that has set it: a storage may keep it later, and judges it by that
    /// (BEHAVIOUR 2.C12-own).
    final let source: URLReference?

    /// Which cookies are taken.
    public enum AcceptPolicy: UInt, Sendable {
        /// All.
        case always = 0
        /// None.
        case never = 1
        /// Those of the site of the request's `mainDocumentURL`; without one, all (BEHAVIOUR 2.C2).
        case onlyFromMainDocumentDomain = 2
    }

    /// Makes a cookie of properties; nil where a required one is missing, a name, value, domain or path has `;` or a
    /// control other than a tab, or a name has `=`.
    ///
    /// Required are `name`, `value`, and `domain` or `originURL`. Version 0 heeds `expires`, version 1 `maximumAge`
    /// and `discard`, and without these an `expires` that is a `Date` (BEHAVIOUR 2.C13). A domain of one label, such as
    /// `.test`, reaches no host below it. `HttpOnly` is heeded under that name.
    public init?(properties: [HTTPCookiePropertyKey: Any]) {
        guard let cookie = CookieProperties.cookie(properties, now: CookieTime(Date())) else { return nil }
        self.cookie = cookie
        source = nil
        super.init()
    }

    init(_ cookie: Cookie, from source: URLReference? = nil) {
        self.cookie = cookie
        self.source = source
        super.init()
    }

    /// The cookies in the fields of a response from a URL, by the algorithm of RFC 6265bis.
    ///
    /// `Set-Cookie` may be written in any case, and hold several cookies with commas between them: a comma divides if a
    /// name without separators such as `[`, and `=`, follow it. Whether a storage
    /// takes them is not asked here. (FoundationNetworking knows the one spelling only, three forms of dates, and the
    /// path `/`.)
    open class func cookies(withResponseHeaderFields headerFields: [String: String], for URL: URL) -> [HTTPCookie] {
        guard let url = URLReference(URL.absoluteString) else { return [] }
        let now = CookieTime(Date())
        let values = headerFields.sorted { $0.key < $1.key }.filter { $0.key.equalsIgnoringCase("Set-Cookie") }
        return values.flatMap { SetCookieList.lines(of: $0.value) }.compactMap { line in
            SetCookie(line)?.cookie(at: url, now).map { HTTPCookie($0) }
        }
    }

    /// The Cookie field with which these cookies go out, in this order; empty without cookies.
    open class func requestHeaderFields(with cookies: [HTTPCookie]) -> [String: String] {
        guard let field = CookieJar.field(of: cookies.map(\.cookie)) else { return [:] }
        return ["Cookie": field]
    }

    /// What the cookie could be made from anew.
    open var properties: [HTTPCookiePropertyKey: Any]? { CookieProperties.properties(of: cookie) }

    /// 0 for every cookie that a server sets; 1 for those that a program made so.
    open var version: Int { cookie.legacy?.version ?? 0 }
    /// Its name.
    open var name: String { cookie.name }
    /// Its value: a secret.
    open var value: String { cookie.value }
    /// When it expires; nil for one that ends with the session.
    open var expiresDate: Date? { cookie.expires.map { Date($0) } }
    /// Whether it is kept in memory only.
    open var isSessionOnly: Bool { cookie.expires == nil }
    /// The host that it goes to, or `.domain` for all hosts of a domain.
    open var domain: String { cookie.isHostOnly ? cookie.domain : "." + cookie.domain }
    /// The beginning of the paths that it goes to.
    open var path: String { cookie.path }
    /// Whether it goes over secure connections only.
    open var isSecure: Bool { cookie.isSecure }
    /// Whether scripts of a page may not see it: data for a program that runs some.
    open var isHTTPOnly: Bool { cookie.isHTTPOnly }
    /// A text for people; nil for what a server sets.
    open var comment: String? { cookie.legacy?.comment }
    /// The address of one; nil for what a server sets.
    open var commentURL: URL? { cookie.legacy?.commentURL.flatMap { URL(string: $0) } }
    /// The ports that it was made for; nil for any. Not heeded.
    open var portList: [NSNumber]? { cookie.legacy?.ports?.map { NSNumber(value: $0) } }
    /// What a server said of requests from other sites; nil for nothing, and for `none`.
    open var sameSitePolicy: HTTPCookieStringPolicy? {
        cookie.sameSite.flatMap { $0 == "none" ? nil : HTTPCookieStringPolicy($0) }
    }

    /// Whether the other object is a cookie that says the same.
    open override func isEqual(_ object: Any?) -> Bool { (object as? HTTPCookie)?.cookie == cookie }

    /// Equal for equal cookies.
    open override var hash: Int { cookie.hashValue }

    /// Everything but the value.
    open override var description: String {
        var text = "<HTTPCookie version:\(version) name:\"\(name)\" domain:\"\(domain)\" path:\"\(path)\""
        text += " expiresDate:\(expiresDate.map { "\($0)" } ?? "(null)")"
        return text + " isSecure:\(isSecure ? "TRUE" : "FALSE")>"
    }

    /// The same as `description`.
    open override var debugDescription: String { description }
}

extension CookieTime {
    init(_ date: Date) { self.init(seconds: date.timeIntervalSinceReferenceDate) }
}

extension Date {
    init(_ time: CookieTime) { self.init(timeIntervalSinceReferenceDate: time.seconds) }
}
#endif
