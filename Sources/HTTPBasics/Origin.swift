/// Scheme, host and port: what decides which connections a request may share (RFC 9110 4.3.1).
package struct Origin: Hashable, Sendable, CustomStringConvertible {
    package let scheme: String
    package let host: String
    package let port: Int

    /// `scheme` and `host` are stored in lower case.
    package init(scheme: String, host: String, port: Int) {
        self.scheme = ASCII.lowercased(scheme)
        self.host = ASCII.lowercased(host)
        self.port = port
    }

    package static func defaultPort(of scheme: String) -> Int? {
        switch ASCII.lowercased(scheme) {
        case "http": 80
        case "https": 443
        default: nil
        }
    }

    /// The value of a Host field: the port only when it is not the scheme's own (BEHAVIOUR 2.F2-host).
    package var authority: String {
        var text = ""
        appendAuthority(to: &text)
        return text
    }

    private func appendAuthority(to text: inout String) {
        text += host.utf8.contains(ASCII.colon) ? "[\(host)]" : host
        guard port != Origin.defaultPort(of: scheme) else { return }
        text += ":"
        text += String(port)
    }

    /// TLS lies below HTTP.
    package var isSecure: Bool { scheme == "https" }

    package var description: String {
        var text = ""
        append(to: &text)
        return text
    }

    package func append(to text: inout String) {
        text += scheme
        text += "://"
        appendAuthority(to: &text)
    }
}
