extension URLReference {
    /// The reference put together again, RFC 3986 5.3; parsing it gives an equal value.
    package var string: String {
        var text = ""
        if let scheme { text += scheme + ":" }
        if let host {
            text += "//"
            if let userInformation { text += userInformation + "@" }
            text += host.utf8.contains(ASCII.colon) ? "[\(host)]" : host
            if let port { text += ":\(port)" }
        }
        text += unmistakablePath
        if let query { text += "?" + query }
        if let fragment { text += "#" + fragment }
        return text
    }

    /// For logs and failures: without the user information, which is a secret.
    package var description: String { withoutUserInformation.string }

    /// What goes into the request line (origin-form, RFC 9112 3.2.1): never the user information (BEHAVIOUR 2.A20)
    /// and never the fragment. Bytes that would break the line are percent-encoded, all others stay as written.
    package var requestTarget: String {
        let path = PercentEncoding.safeInRequestLine(self.path)
        let rooted = path.utf8.first == UInt8(ascii: "/") ? path : "/" + path
        guard let query else { return rooted }
        return rooted + "?" + PercentEncoding.safeInRequestLine(query)
    }

    /// The path, guarded where its beginning would be read as something else (RFC 3986 3.3).
    private var unmistakablePath: String {
        let bytes = path.utf8
        let isRooted = bytes.first == UInt8(ascii: "/")
        if host != nil { return isRooted || bytes.isEmpty ? path : "/" + path }
        // "//" would begin an authority.
        if bytes.starts(with: "//".utf8) { return "/." + path }
        // "a:b" would begin with a scheme.
        if scheme == nil, !isRooted, URLReference(path)?.scheme != nil { return "./" + path }
        return path
    }
}
