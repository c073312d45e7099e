#if !canImport(Darwin)
/// The method that the protocol uses when none is named.
public let NSURLAuthenticationMethodDefault: String = "NSURLAuthenticationMethodDefault"
/// HTTP Basic (RFC 7617).
public let NSURLAuthenticationMethodHTTPBasic: String = "NSURLAuthenticationMethodHTTPBasic"
/// HTTP Digest (RFC 7616).
public let NSURLAuthenticationMethodHTTPDigest: String = "NSURLAuthenticationMethodHTTPDigest"
/// A form in a page. Names a protection space; tasks never ask for it.
public let NSURLAuthenticationMethodHTMLForm: String = "NSURLAuthenticationMethodHTMLForm"
/// NTLM, in its second version: a connection is signed in with a user, a password and perhaps a domain, as
/// `DOMAIN\user`. Its space has no realm, and the session-level method of a delegate is asked first.
public let NSURLAuthenticationMethodNTLM: String = "NSURLAuthenticationMethodNTLM"
/// Negotiate (RFC 4559), by Kerberos: where MIT Kerberos is installed, a connection is signed in with the tickets of
/// the process, and nobody is asked. Without a ticket that is good a delegate is asked, at the session level first, for
/// a user as `user@REALM` with a password; an empty user with an empty password means the tickets once more. What
/// Kerberos cannot make a ticket of counts as `.rejectProtectionSpace`. Its space has no realm.
public let NSURLAuthenticationMethodNegotiate: String = "NSURLAuthenticationMethodNegotiate"
/// Is the server the right one? Asked with each new connection that is secured, before anything is sent.
public let NSURLAuthenticationMethodServerTrust: String = "NSURLAuthenticationMethodServerTrust"
/// The server wants a certificate of ours. Asked with each new connection to such a server.
public let NSURLAuthenticationMethodClientCertificate: String = "NSURLAuthenticationMethodClientCertificate"

/// The protocol of a protection space: plain HTTP.
public let NSURLProtectionSpaceHTTP: String = "NSURLProtectionSpaceHTTP"
/// The protocol of a protection space: HTTP over TLS.
public let NSURLProtectionSpaceHTTPS: String = "NSURLProtectionSpaceHTTPS"
/// The protocol of a protection space: FTP, which is never loaded.
@available(*, deprecated, message: "FTP is deprecated")
public let NSURLProtectionSpaceFTP: String = "NSURLProtectionSpaceFTP"
/// The type of a proxy's protection space: a proxy for http.
public let NSURLProtectionSpaceHTTPProxy: String = "NSURLProtectionSpaceHTTPProxy"
/// The type of a proxy's protection space: a proxy for https.
public let NSURLProtectionSpaceHTTPSProxy: String = "NSURLProtectionSpaceHTTPSProxy"
/// The type of a proxy's protection space: a proxy for FTP.
@available(*, deprecated, message: "FTP is deprecated")
public let NSURLProtectionSpaceFTPProxy: String = "NSURLProtectionSpaceFTPProxy"
/// The type of a proxy's protection space: a SOCKS proxy.
public let NSURLProtectionSpaceSOCKSProxy: String = "NSURLProtectionSpaceSOCKSProxy"
#endif
