#if !canImport(Darwin)
import Foundation

/// The domain of errors with which tasks fail whose proxy does not let them through. Errors of all other kinds are
/// `URLError`s.
public var kCFErrorDomainCFNetwork: CFString { "kCFErrorDomainCFNetwork" }

/// Codes of `kCFErrorDomainCFNetwork`: those that a task can fail with, with Apple's names and numbers.
///
/// The `userInfo` has the keys that it has in a `URLError`.
public enum CFNetworkErrors: Int32, Sendable {
    /// 101: what was to be a SOCKS proxy speaks another version, or something else.
    case cfsocksErrorUnsupportedServerVersion = 101
    /// 110: a SOCKS 4 proxy has refused, or failed; or has ended the connection.
    case cfsocks4ErrorRequestFailed = 110
    /// 111: a SOCKS 4 proxy cannot ask who its client's user is.
    case cfsocks4ErrorIdentdFailed = 111
    /// 112: a SOCKS 4 proxy was told of another user.
    case cfsocks4ErrorIdConflict = 112
    /// 113: a SOCKS 4 proxy has answered with a code that nobody knows.
    case cfsocks4ErrorUnknownStatusCode = 113
    /// 120: a SOCKS 5 proxy has refused or failed to connect, for one of the reasons of RFC 1928; or has ended the
    /// connection.
    case cfsocks5ErrorBadState = 120
    /// 121: a SOCKS 5 proxy cannot be told of the host, or has answered with an address of no known type.
    case cfsocks5ErrorBadResponseAddr = 121
    /// 122: a SOCKS 5 proxy refuses user name or password.
    case cfsocks5ErrorBadCredentials = 122
    /// 123: a SOCKS 5 proxy wants a method that it was not offered.
    case cfsocks5UnsupportedNegotiationMethod = 123
    /// 124: a SOCKS 5 proxy takes none of the methods that it was offered: it wants a password, and there is none.
    case cfsocks5NoAcceptableMethod = 124
    /// 306: an HTTP proxy that was to send the request on cannot be reached.
    case cfErrorHTTPProxyConnectionFailure = 306
    /// 310: an HTTP proxy that was to open a tunnel cannot be reached, or refuses.
    case cfErrorHTTPSProxyConnectionFailure = 310
    /// 311: what was to be an HTTP proxy has answered something else.
    case cfStreamErrorHTTPSProxyFailureUnexpectedResponseToCONNECTMethod = 311
}
#endif
