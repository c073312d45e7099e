#if !canImport(Darwin)
import Foundation

/// The name of a property that a cookie is made from; see `HTTPCookie.init(properties:)`.
public struct HTTPCookiePropertyKey: RawRepresentable, Hashable, Sendable {
    /// The name.
    public let rawValue: String

    /// A property of any name.
    public init(_ rawValue: String) { self.rawValue = rawValue }

    /// A property of any name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The name of the cookie, a string; required.
    public static let name = HTTPCookiePropertyKey("Name")
    /// The value, a string; required.
    public static let value = HTTPCookiePropertyKey("Value")
    /// Where the cookie comes from, a URL or a string: gives domain and path where they are not given.
    public static let originURL = HTTPCookiePropertyKey("OriginURL")
    /// 0 or 1, a number or a string; 0 if it is missing.
    public static let version = HTTPCookiePropertyKey("Version")
    /// A host; with a dot in front also all hosts below it. Required without `originURL`.
    public static let domain = HTTPCookiePropertyKey("Domain")
    /// The beginning of the paths that the cookie goes to; `/` where nothing else says it.
    public static let path = HTTPCookiePropertyKey("Path")
    /// Whether it goes over secure connections only: a string such as `TRUE`, a number or a `Bool`.
    public static let secure = HTTPCookiePropertyKey("Secure")
    /// A `Date`, or a string as in a Set-Cookie field; of version 0, and a `Date` also of version 1 without an age.
    public static let expires = HTTPCookiePropertyKey("Expires")
    /// A text for people, of version 1.
    public static let comment = HTTPCookiePropertyKey("Comment")
    /// The address of one, of version 1; a URL or a string.
    public static let commentURL = HTTPCookiePropertyKey("CommentURL")
    /// Whether the cookie ends with the session; of version 1 that is so without a `maximumAge`.
    public static let discard = HTTPCookiePropertyKey("Discard")
    /// How many seconds the cookie lives, a number or a string; of version 1.
    public static let maximumAge = HTTPCookiePropertyKey("Max-Age")
    /// Ports, as a string with commas; of version 1.
    public static let port = HTTPCookiePropertyKey("Port")
    /// An `HTTPCookieStringPolicy`, or a string.
    public static let sameSitePolicy = HTTPCookiePropertyKey("SameSite")

    /// Not named by Apple, which takes it as well.
    static let httpOnly = HTTPCookiePropertyKey("HttpOnly")
}

/// With which requests a cookie goes that come from another site: data for a program that knows what a site is. A
/// session knows none, and sends the cookie with each (BEHAVIOUR 2.C15).
public struct HTTPCookieStringPolicy: RawRepresentable, Hashable, Sendable {
    /// As Set-Cookie says it, in small letters.
    public let rawValue: String

    /// A policy of any name.
    public init(_ rawValue: String) { self.rawValue = rawValue }

    /// A policy of any name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// With those too by which a user goes to the cookie's site.
    public static let sameSiteLax = HTTPCookieStringPolicy("lax")
    /// With none.
    public static let sameSiteStrict = HTTPCookieStringPolicy("strict")
}
#endif
