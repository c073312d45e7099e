#if !canImport(Darwin)
import Foundation

/// What a credential opens: a realm of a server or proxy, with the way in which it asks.
///
/// Immutable; may be used from any thread. Equal by value, and so usable as a key. (In FoundationNetworking two
/// spaces that say the same are different.)
open class URLProtectionSpace: NSObject, NSCopying, @unchecked Sendable {
    // Safety of the unchecked conformance: `facts` never changes.
    private final let facts: Facts

    private struct Facts: Hashable, Sendable {
        var host: String
        var port: Int
        var scheme: String?
        var proxyType: String?
        var realm: String?
        var method: String
        var trust: SecTrust?
        var issuers: [Data]?
    }

    /// A space of a server.
    ///
    /// - Parameters:
    ///   - host: The server's name.
    ///   - port: The server's port; not checked.
    ///   - protocol: A scheme such as `http`, or one of the `NSURLProtectionSpace…` constants.
    ///   - realm: What the server calls the space.
    ///   - authenticationMethod: One of the `NSURLAuthenticationMethod…` constants; nil is the default method.
    public init(host: String, port: Int, protocol: String?, realm: String?, authenticationMethod: String?) {
        facts = Facts(
            host: host, port: port, scheme: `protocol`, proxyType: nil, realm: realm,
            method: authenticationMethod ?? NSURLAuthenticationMethodDefault)
        super.init()
    }

    /// A space of a proxy.
    ///
    /// - Parameters:
    ///   - host: The proxy's name.
    ///   - port: The proxy's port; not checked.
    ///   - type: One of the `NSURLProtectionSpace…Proxy` constants.
    ///   - realm: What the proxy calls the space.
    ///   - authenticationMethod: One of the `NSURLAuthenticationMethod…` constants; nil is the default method.
    public init(proxyHost host: String, port: Int, type: String?, realm: String?, authenticationMethod: String?) {
        facts = Facts(
            host: host, port: port, scheme: nil, proxyType: type, realm: realm,
            method: authenticationMethod ?? NSURLAuthenticationMethodDefault)
        super.init()
    }

    /// What a connection asks for a server, or for a proxy (BEHAVIOUR 2.E11-asks): with a trust whether it is the right
    /// one, else for a certificate by one of the issuers.
    init(host: String, port: Int, scheme: String?, proxyType: String?, trust: SecTrust?, issuers: [Data]?) {
        facts = Facts(
            host: host, port: port, scheme: scheme, proxyType: proxyType, realm: nil,
            method: trust == nil ? NSURLAuthenticationMethodClientCertificate : NSURLAuthenticationMethodServerTrust,
            trust: trust, issuers: issuers)
        super.init()
    }

    /// This object itself: it cannot change.
    open override func copy() -> Any { copy(with: nil) }

    /// This object itself: it cannot change. `zone` is ignored.
    open func copy(with zone: NSZone? = nil) -> Any { self }

    /// The server or proxy.
    open var host: String { facts.host }

    /// The port of the server or proxy.
    open var port: Int { facts.port }

    /// The protocol with which a server is reached; nil for a proxy.
    open var `protocol`: String? { facts.scheme }

    /// The type of proxy; nil for a server.
    open var proxyType: String? { facts.proxyType }

    /// What the server calls the space.
    open var realm: String? { facts.realm }

    /// One of the `NSURLAuthenticationMethod…` constants.
    open var authenticationMethod: String { facts.method }

    /// The certificates of the server, or of the proxy, with the rules to judge them by; nil unless the method is
    /// `NSURLAuthenticationMethodServerTrust`. The object is the challenge's own: what a delegate sets in it counts for
    /// its own evaluation, and for none that the session makes by itself.
    open var serverTrust: SecTrust? { facts.trust }

    /// The names of the authorities whose certificates the server takes, in DER, as it sent them: empty when it takes
    /// any; nil unless the method is `NSURLAuthenticationMethodClientCertificate`.
    open var distinguishedNames: [Data]? { facts.issuers }

    /// Whether this is a space of a proxy.
    open override func isProxy() -> Bool { facts.proxyType != nil }

    /// Whether a credential cannot be read on its way: the protocol is secure, or the method never sends the
    /// password itself (BEHAVIOUR 2.A16).
    open var receivesCredentialSecurely: Bool {
        switch facts.method {
        case NSURLAuthenticationMethodHTTPDigest, NSURLAuthenticationMethodNTLM, NSURLAuthenticationMethodNegotiate:
            return true
        default:
            let secure = [NSURLProtectionSpaceHTTPS, NSURLProtectionSpaceHTTPSProxy, "https"]
            return secure.contains { facts.scheme == $0 || facts.proxyType == $0 }
        }
    }

    /// Whether the other object is a space that says the same (BEHAVIOUR 2.A15).
    open override func isEqual(_ object: Any?) -> Bool { (object as? URLProtectionSpace)?.facts == facts }

    /// Equal for equal spaces.
    open override var hash: Int { facts.hashValue }

    /// The object's identity and everything that it says, in Foundation's form (BEHAVIOUR 2.A15-text).
    open override var description: String {
        let method = Self.printed.contains(facts.method) ? facts.method : NSURLAuthenticationMethodDefault
        return "<\(type(of: self)) \(Unmanaged.passUnretained(self).toOpaque())>: Host:\(facts.host), "
            + "Server:\(facts.scheme ?? "(null)"), Auth-Scheme:\(method), Realm:\(facts.realm ?? "(null)"), "
            + "Port:\(facts.port), Proxy:\(isProxy() ? "YES" : "NO"), "
            + "Proxy-Type:\(facts.proxyType.map { $0 + ", " } ?? "(null)")"
    }

    /// The methods that a description names; any other is printed as the default one.
    private static let printed: Set = [
        NSURLAuthenticationMethodHTTPBasic, NSURLAuthenticationMethodHTTPDigest, NSURLAuthenticationMethodHTMLForm,
        NSURLAuthenticationMethodNTLM, NSURLAuthenticationMethodNegotiate, NSURLAuthenticationMethodServerTrust,
        NSURLAuthenticationMethodClientCertificate,
    ]
}
#endif
