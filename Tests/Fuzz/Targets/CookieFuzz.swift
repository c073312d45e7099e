import ClientMachines
import Foundation
import HTTPBasics
import NIOCore
import SessionNetworking

/// Lines of a session: `@URL` goes to another place, where a request takes its cookies along; any other is a Set-Cookie
/// line of the present place.
enum CookieFuzz {
    private static let start = CookieTime(UnixTime(seconds: 1_767_225_600))

    static func check(_ bytes: ByteBuffer) throws {
        var jar = CookieJar()
        var place = URLReference("http://www.example.com/a/b") ?? URLReference()
        var now = start
        for line in String(buffer: bytes).split(separator: "\n").prefix(200) {
            now = now.advanced(by: 1)
            if line.utf8.first == UInt8(ascii: "@") {
                guard let url = URLReference(String(line.dropFirst())) else { continue }
                place = url
                try checkField(&jar, place, now)
            } else {
                try checkReading(String(line), place)
                _ = jar.take([String(line)], from: place, at: now, UsualSuffixes())
            }
            try checkLimits(jar)
        }
        try checkField(&jar, place, now)
    }

    /// What goes along belongs there, by rules written once more.
    private static func checkField(_ jar: inout CookieJar, _ place: URLReference, _ now: CookieTime) throws {
        let cookies = jar.cookies(for: place, at: now)
        // Letters of others are no letters of the DNS, and have no small ones there.
        let small = (place.host ?? "").unicodeScalars.map { $0.isASCII ? String($0).lowercased() : String($0) }
        let host = small.joined(), isSecure = ["https", "wss"].contains(place.scheme?.lowercased())
        for cookie in cookies {
            let isHost = host == cookie.domain
            try demand(
                isHost || !cookie.isHostOnly && host.hasSuffix("." + cookie.domain), "\(cookie.domain) goes to \(host)")
            try demand(isSecure || !cookie.isSecure, "a Secure cookie goes to \(place)")
            try demand(cookie.expires.map { $0 > now } ?? true, "a cookie that has expired")
        }
        let lengths = cookies.map(\.path.utf8.count)
        try demand(lengths == lengths.sorted(by: >), "longer paths behind shorter ones")
        let field = jar.field(for: place, at: now)
        try demand((field?.utf8.count ?? 0) <= jar.limits.fieldBytes, "a field that is too long")
        let hasControls = field?.utf8.contains { $0 < 32 && $0 != 9 || $0 == 127 } ?? false
        try demand(!hasControls, "a control character in a field")
    }

    private static func checkLimits(_ jar: CookieJar) throws {
        let entries = jar.entries
        try demand(entries.count, equals: jar.count, "another count")
        try demand(Set(entries.map(\.cookie.key)).count, equals: jar.count, "two cookies with one key")
        let most = Dictionary(grouping: entries, by: \.cookie.domain).values.map(\.count).max() ?? 0
        try demand(most <= jar.limits.ofDomain && jar.count <= jar.limits.total, "too many cookies")
        for cookie in entries.map(\.cookie) where cookie.name.lowercased().hasPrefix("__host-") {
            try demand(cookie.isSecure && cookie.isHostOnly && cookie.path == "/", "a name promises too much")
        }
    }

    /// The public type reads the same, and is made anew of what it shows.
    private static func checkReading(_ line: String, _ place: URLReference) throws {
        let joined = SetCookieList.lines(of: line)
        try demand(
            joined.reduce(0) { $0 + $1.utf8.count } <= line.utf8.count, "the parts of a list are more than the whole")
        guard let url = URL(string: place.string), URLReference(url.absoluteString)?.host == place.host else { return }
        for cookie in HTTPCookie.cookies(withResponseHeaderFields: ["set-cookie": line], for: url) {
            guard let properties = cookie.properties, let copy = HTTPCookie(properties: properties) else {
                throw Violation(description: "no cookie of its own properties")
            }
            try demand(copy == cookie, "another cookie of the same properties: \(properties)")
        }
    }
}
