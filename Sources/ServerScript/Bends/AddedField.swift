/// A field that means something to a client and that the server did not send.
package enum AddedField: String, Hashable, Sendable, CaseIterable {
    case contentLength = "content-length"
    case contentRange = "content-range"
    case tailRange = "tail-range"
    case chunked
    case gzip
    case deflate
    case close
    case keepAlive = "keep-alive"
    case location
    case port
    case challenge
    case uploadOffset = "upload-offset"
    case uploadLimit = "upload-limit"
    case uploadComplete = "upload-complete"
    case uploadVersion = "upload-version"
    case retryAfter = "retry-after"
    case age
    case date
    case lastModified = "last-modified"
    case entityTag = "etag"
    case acceptRanges = "accept-ranges"
    case charset
    case fileName = "file-name"

    /// The line, with a number in each place that has one.
    package func line(_ edge: NumberEdge) -> String {
        let number = edge.text(of: "7")
        switch self {
        case .contentLength: return "Content-Length: \(number)"
        case .contentRange: return "Content-Range: bytes 0-\(number)/\(number)"
        case .tailRange: return "Content-Range: bytes \(number)-\(number)/*"
        case .chunked: return "Transfer-Encoding: chunked"
        case .gzip: return "Content-Encoding: gzip"
        case .deflate: return "Content-Encoding: deflate"
        case .close: return "Connection: close"
        case .keepAlive: return "Keep-Alive: timeout=\(number), max=\(number)"
        case .location: return "Location: /\(number)"
        case .port: return "Location: http://a.test:\(number)/"
        case .challenge: return "WWW-Authenticate: Basic realm=\"\(number)\""
        case .uploadOffset: return "Upload-Offset: \(number)"
        case .uploadLimit: return "Upload-Limit: max-size=\(number), min-size=\(number), max-age=\(number)"
        case .uploadComplete: return "Upload-Complete: ?\(number)"
        case .uploadVersion: return "Upload-Draft-Interop-Version: \(number)"
        case .retryAfter: return "Retry-After: \(number)"
        case .age: return "Age: \(number)"
        case .date: return "Date: Thu, 01 Jan \(number) 00:00:00 GMT"
        case .lastModified: return "Last-Modified: Thu, \(number) Jan 2026 00:00:00 GMT"
        case .entityTag: return "ETag: \"\(number)\""
        case .acceptRanges: return "Accept-Ranges: bytes"
        case .charset: return "Content-Type: text/plain; charset=\(number)"
        case .fileName: return "Content-Disposition: attachment; filename*\(number)=UTF-8''%\(number)"
        }
    }

    /// Lines that are the same with every number are added once.
    package var hasNumber: Bool { line(.zero) != line(.one) }
}
