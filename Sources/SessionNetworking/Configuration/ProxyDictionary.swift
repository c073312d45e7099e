#if !canImport(Darwin)
import ClientMachines
import Foundation
import HTTPBasics

/// Reads `connectionProxyDictionary`. What it does not know it passes over (BEHAVIOUR 2.E1); a proxy that it cannot
/// read is one that nobody can use (BEHAVIOUR 2.E10-slip).
struct ProxyDictionary {
    private var values: [String: Any] = [:]

    init(_ dictionary: [AnyHashable: Any]) {
        for (key, value) in dictionary {
            if let name = key.base as? String ?? (key.base as? NSString).map({ String($0) }) { values[name] = value }
        }
    }

    var settings: ProxySettings {
        let credential = text("kCFProxyUsernameKey").map {
            Credential(user: $0, password: text("kCFProxyPasswordKey") ?? "")
        }
        let isVersion4 = text("kCFStreamPropertySOCKSVersion") == "kCFStreamSocketSOCKSVersion4"
        let socks = proxy(
            isVersion4 ? .socks4 : .socks5, "SOCKS", legacy: "kCFStreamPropertySOCKSProxy", port: 1080, credential)
        var exceptions = ProxyExceptions(list("ExceptionsList"))
        exceptions.includesSimpleNames = number("ExcludeSimpleHostnames").map { $0 != 0 } ?? false
        return ProxySettings(
            http: proxy(.http, "HTTP", legacy: "HTTPProxy", port: 80, credential),
            https: proxy(.http, "HTTPS", legacy: "HTTPSProxy", port: 443, credential), fallback: socks,
            exceptions: exceptions)
    }

    /// - Parameter legacy: What the older keys of streams begin with, which have no switch.
    private func proxy(
        _ kind: Proxy.Kind, _ name: String, legacy: String, port: Int, _ credential: Credential?
    ) -> Proxy? {
        let isOn = number("\(name)Enable")
        if isOn == 0 { return nil }
        let hosts = ["\(name)Proxy", "\(legacy)Host"], ports = ["\(name)Port", "\(legacy)Port"]
        guard let host = hosts.lazy.compactMap(text).first, !host.isEmpty else {
            // What is switched on, or is no text, was meant to be one.
            let isMeant = isOn != nil || hosts.contains { values[$0] != nil && text($0) == nil }
            return isMeant ? .unreadable : nil
        }
        let given = ports.first { values[$0] != nil }
        guard let port = given.map(number) ?? port, 1...65535 ~= port else { return .unreadable }
        // A literal may come in its brackets.
        let bare = host.hasPrefix("[") && host.hasSuffix("]") ? String(host.dropFirst().dropLast()) : host
        return Proxy(kind, host: bare, port: port, credential: credential)
    }

    private func text(_ name: String) -> String? {
        switch values[name] {
        case let text as String: text
        case let text as NSString: String(text)
        default: nil
        }
    }

    private func number(_ name: String) -> Int? {
        switch values[name] {
        case let number as Int: number
        case let truth as Bool: truth ? 1 : 0
        case let number as any BinaryInteger: Int(exactly: number)
        case let number as NSNumber: Int(exactly: number.doubleValue.rounded(.towardZero))
        case let text as String: Int(text)
        default: nil
        }
    }

    private func list(_ name: String) -> [String] {
        let items = values[name] as? [Any] ?? (values[name] as? NSArray).map { Array($0) } ?? []
        return items.compactMap { $0 as? String ?? ($0 as? NSString).map { String($0) } }
    }
}

// Keys of `URLSessionConfiguration.connectionProxyDictionary`, with Apple's names and values. Those for FTP, RTSP,
// Gopher and proxy auto-configuration mean nothing here and are not declared.

/// Whether `http` URLs take a proxy: a number; not needed where there is a host, and 0 for no.
public var kCFNetworkProxiesHTTPEnable: CFString { "HTTPEnable" }
/// The proxy for `http` URLs: its name or address.
public var kCFNetworkProxiesHTTPProxy: CFString { "HTTPProxy" }
/// The port of the proxy for `http` URLs: a number; 80.
public var kCFNetworkProxiesHTTPPort: CFString { "HTTPPort" }
/// Whether `https` URLs take a proxy: a number; not needed where there is a host, and 0 for no.
public var kCFNetworkProxiesHTTPSEnable: CFString { "HTTPSEnable" }
/// The proxy for `https` URLs, which is asked for a tunnel: its name or address.
public var kCFNetworkProxiesHTTPSProxy: CFString { "HTTPSProxy" }
/// The port of the proxy for `https` URLs: a number; 443.
public var kCFNetworkProxiesHTTPSPort: CFString { "HTTPSPort" }
/// Whether what has no other proxy takes a SOCKS proxy: a number; not needed where there is a host, and 0 for no.
public var kCFNetworkProxiesSOCKSEnable: CFString { "SOCKSEnable" }
/// The SOCKS proxy: its name or address.
public var kCFNetworkProxiesSOCKSProxy: CFString { "SOCKSProxy" }
/// The port of the SOCKS proxy: a number; 1080.
public var kCFNetworkProxiesSOCKSPort: CFString { "SOCKSPort" }
/// Hosts that are asked directly: a list of names, names with `*` in place of a label, names that begin with a dot,
/// addresses and networks such as `10.0.0.0/8`.
public var kCFNetworkProxiesExceptionsList: CFString { "ExceptionsList" }
/// Whether hosts without a dot in their name are asked directly: a number.
public var kCFNetworkProxiesExcludeSimpleHostnames: CFString { "ExcludeSimpleHostnames" }
/// What proxies are told who ask for a user: the name.
public var kCFProxyUsernameKey: CFString { "kCFProxyUsernameKey" }
/// The password that belongs to `kCFProxyUsernameKey`.
public var kCFProxyPasswordKey: CFString { "kCFProxyPasswordKey" }
/// In the `userInfo` of an error about TLS to a proxy: the proxy's name or address, a `String`. An error about a server
/// has no such key.
public var kCFProxyHostNameKey: CFString { "kCFProxyHostNameKey" }
/// Beside `kCFProxyHostNameKey`: the proxy's port, an `Int`.
public var kCFProxyPortNumberKey: CFString { "kCFProxyPortNumberKey" }
/// The version of SOCKS that is spoken: one of the two values below; version 5.
public var kCFStreamPropertySOCKSVersion: CFString { "kCFStreamPropertySOCKSVersion" }
/// SOCKS 4, with names as version 4a has them.
public var kCFStreamSocketSOCKSVersion4: CFString { "kCFStreamSocketSOCKSVersion4" }
/// SOCKS 5.
public var kCFStreamSocketSOCKSVersion5: CFString { "kCFStreamSocketSOCKSVersion5" }
#endif
