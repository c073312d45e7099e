/// Paths as cookies compare them (RFC 6265bis 5.1.4), byte by byte.
package enum CookiePath {
    private static let slash = UInt8(ascii: "/")

    /// The directory of the request, for a cookie that names no path.
    package static func standard(for path: String) -> String {
        let bytes = path.utf8
        guard bytes.first == slash, let last = bytes.lastIndex(of: slash), last != bytes.startIndex else { return "/" }
        return String(Substring(bytes[..<last]))
    }

    package static func matches(_ path: String, _ cookiePath: String) -> Bool {
        let path = path.isEmpty ? "/".utf8 : path.utf8, cookie = cookiePath.utf8
        guard path.starts(with: cookie) else { return false }
        if path.count == cookie.count || cookie.last == slash { return true }
        return path[path.index(path.startIndex, offsetBy: cookie.count)] == slash
    }
}
