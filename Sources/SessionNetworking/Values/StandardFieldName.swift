#if !canImport(Darwin)
import HTTPBasics

/// How field names are spelt in the dictionaries that a user sees.
enum StandardFieldName {
    /// A name for a request: well-known names get their usual spelling, all others stay as the caller wrote them.
    ///
    /// Apple has kept the case of unknown names since iOS 5, because servers exist that insist on it.
    static func inRequest(_ name: String) -> String { wellKnown[name.lowercased()] ?? name }

    /// A name in `allHeaderFields`: each part capitalised, `X-…` left alone (BEHAVIOUR 2.F22).
    static func inResponse(_ name: String) -> String {
        if name.prefix(2).equalsIgnoringCase("x-") { return name }
        if name.equalsIgnoringCase("www-authenticate") { return "WWW-Authenticate" }
        var atStart = true
        var bytes: [UInt8] = []
        bytes.reserveCapacity(name.utf8.count)
        for byte in name.utf8 {
            let lower = ASCII.lowercased(byte)
            bytes.append(atStart && lower &- 97 < 26 ? lower & 0xDF : lower)
            atStart = byte == UInt8(ascii: "-")
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static let wellKnown: [String: String] = {
        let names = [
            "Accept", "Accept-Charset", "Accept-Encoding", "Accept-Language", "Accept-Ranges", "Age", "Allow",
            "Authorization", "Cache-Control", "Connection", "Content-Disposition", "Content-Encoding",
            "Content-Language", "Content-Length", "Content-Location", "Content-Range", "Content-Type", "Cookie",
            "Date", "ETag", "Expect", "Expires", "From", "Host", "If-Match", "If-Modified-Since", "If-None-Match",
            "If-Range", "If-Unmodified-Since", "Last-Modified", "Location", "Max-Forwards", "Origin", "Pragma",
            "Proxy-Authenticate", "Proxy-Authorization", "Range", "Referer", "Retry-After", "Server", "Set-Cookie",
            "TE", "Trailer", "Transfer-Encoding", "Upgrade", "User-Agent", "Vary", "Via", "Warning",
            "WWW-Authenticate",
        ]
        return Dictionary(uniqueKeysWithValues: names.map { ($0.lowercased(), $0) })
    }()
}
#endif
