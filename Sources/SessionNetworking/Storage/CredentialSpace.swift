#if !canImport(Darwin)
import Foundation
import HTTPBasics

/// What a `URLProtectionSpace` says, as a key. A subclass is asked once, when this is made, and under no lock.
struct CredentialSpace: Hashable, Sendable {
    let host: String
    let port: Int
    /// `http` for `NSURLProtectionSpaceHTTP` as well, which is what it says on Apple's platforms.
    let scheme: String?
    let proxyType: String?
    let realm: String?
    let method: String

    init(_ space: URLProtectionSpace) {
        host = space.host.lowercased()
        port = space.port
        scheme = space.protocol.map(Self.name)
        proxyType = space.proxyType
        realm = space.realm
        method = space.authenticationMethod
    }

    init(_ record: CredentialRecord) {
        (host, port, scheme) = (record.host, record.port, record.scheme)
        (proxyType, realm, method) = (record.proxyType, record.realm, record.method)
    }

    private static func name(_ text: String) -> String {
        switch text {
        case NSURLProtectionSpaceHTTP: "http"
        case NSURLProtectionSpaceHTTPS: "https"
        default: text.lowercased()
        }
    }

    /// Where its credentials go along unasked: as a proxy is named there, if it is one.
    var origin: Origin? {
        let name = isOfProxy ? "http" : scheme
        return name.map { Origin(scheme: $0, host: host, port: port) }
    }

    /// Of one that HTTP is spoken with.
    var isOfProxy: Bool { proxyType == NSURLProtectionSpaceHTTPProxy || proxyType == NSURLProtectionSpaceHTTPSProxy }
}
#endif
