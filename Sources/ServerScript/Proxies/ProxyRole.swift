/// What a host of a script is besides an origin: a way to the script's other hosts.
package enum ProxyRole: Hashable, Sendable {
    /// Answers requests in absolute form as the host that they name does, and tunnels by CONNECT (RFC 9110 9.3.6).
    case http
    case socks(SocksRule)
}
