import Foundation
import Judge
import ScenarioFormat

/// The proxies of a scenario's session, as its program names them.
struct LaneProxy {
    private let proxy: SessionProxy
    private let origins: OriginTable

    init(_ proxy: SessionProxy, _ origins: OriginTable) {
        self.proxy = proxy
        self.origins = origins
    }

    /// Nil leaves it to the environment.
    var dictionary: [AnyHashable: Any]? {
        switch proxy.form {
        case .environment, .capitals: return nil
        case .emptyDictionary: return [:]
        case .dictionary, .legacy, .disabled: break
        }
        var values: [AnyHashable: Any] = [:]
        for (name, host) in [("HTTP", proxy.http), ("HTTPS", proxy.https), ("SOCKS", proxy.socks)] {
            guard let (host, port, _) = place(of: host) else { continue }
            if proxy.form == .legacy {
                let key = name == "SOCKS" ? "kCFStreamPropertySOCKSProxy" : "\(name)Proxy"
                (values["\(key)Host"], values["\(key)Port"]) = (host, port)
            } else {
                (values["\(name)Proxy"], values["\(name)Port"]) = (host, port)
                values["\(name)Enable"] = proxy.form == .disabled ? 0 : 1
            }
        }
        if proxy.socksVersion == 4 { values["kCFStreamPropertySOCKSVersion"] = "kCFStreamSocketSOCKSVersion4" }
        if let credentials = proxy.credentials {
            values["kCFProxyUsernameKey"] = credentials.user
            values["kCFProxyPasswordKey"] = credentials.password
        }
        if !proxy.exceptions.isEmpty { values["ExceptionsList"] = proxy.exceptions }
        if proxy.excludesSimpleNames { values["ExcludeSimpleHostnames"] = true }
        return values
    }

    /// Variables that say the same.
    var environment: [String: String] {
        switch proxy.form {
        case .dictionary, .legacy, .disabled: return [:]
        case .environment, .capitals, .emptyDictionary: break
        }
        var variables: [String: String] = [:]
        let socks = proxy.socksVersion == 4 ? "socks4a" : "socks5h"
        let wanted = [
            ("http_proxy", "http", proxy.http), ("https_proxy", "http", proxy.https),
            ("all_proxy", socks, proxy.socks),
        ]
        for (name, scheme, host) in wanted {
            guard let (host, port, isSecure) = place(of: host) else { continue }
            let credentials = name == "https_proxy" ? proxy.secureCredentials ?? proxy.credentials : proxy.credentials
            let user = credentials.map { "\(Self.escaped($0.user)):\(Self.escaped($0.password))@" } ?? ""
            variables[name] = "\(isSecure ? "https" : scheme)://\(user)\(host):\(port)"
        }
        if !proxy.exceptions.isEmpty { variables["no_proxy"] = proxy.exceptions.joined(separator: ",") }
        guard proxy.form == .capitals else { return variables }
        return Dictionary(variables.map { ($0.key.uppercased(), $0.value) }, uniquingKeysWith: { first, _ in first })
    }

    func isProxy(_ host: String, _ port: Int) -> Bool {
        [proxy.http, proxy.https, proxy.socks].contains { name in
            place(of: name).map { $0.host == host && $0.port == port } ?? false
        }
    }

    /// Whether it speaks TLS, where it is.
    func isSecure(_ host: String, _ port: Int) -> Bool {
        [proxy.http, proxy.https].contains { name in
            place(of: name).map { $0.host == host && $0.port == port && $0.isSecure } ?? false
        }
    }

    private func place(of name: String?) -> (host: String, port: Int, isSecure: Bool)? {
        guard let name, let origin = origins.origin(of: name), let url = URL(string: origin), let host = url.host else {
            return nil
        }
        return (host, url.nominalPort, url.scheme == "https")
    }

    private static func escaped(_ text: String) -> String {
        text.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? text
    }
}

extension ClientLanePlayer {
    /// Variables of the environment that its session is to see.
    var environment: [String: String] {
        scenarioCase.session.proxy.map { LaneProxy($0, origins).environment } ?? [:]
    }

    /// Who asks, and for what (BEHAVIOUR 2.A15, 2.A39).
    func checkProxy(_ challenge: URLAuthenticationChallenge, of task: URLSessionTask) {
        let space = challenge.protectionSpace
        let proxies = scenarioCase.session.proxy.map { LaneProxy($0, origins) }
        let isKnown = proxies?.isProxy(space.host, space.port) ?? false
        check(.requests, isKnown, "a challenge is of a proxy that the session does not have")
        let isSecure =
            task.currentRequest?.url?.scheme?.lowercased() == "https"
            || proxies?.isSecure(space.host, space.port) ?? false
        let type = isSecure ? NSURLProtectionSpaceHTTPSProxy : NSURLProtectionSpaceHTTPProxy
        check(.requests, space.proxyType == type && space.protocol == nil, "a proxy's space is of another type")
        let status = (challenge.failureResponse as? HTTPURLResponse)?.statusCode
        check(
            .responses, status == (Self.isOfConnection(space) ? nil : 407),
            "a proxy's challenge has another response than a 407")
    }
}
