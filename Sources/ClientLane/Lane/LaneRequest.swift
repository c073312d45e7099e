import Foundation
import HTTPBasics
import Judge
import ScenarioFormat
import ServerScript

/// Turns a scenario's values into what the public API takes.
enum LaneRequest {
    /// Nil when the target is no URL at all.
    static func request(_ step: TaskStep, origins: OriginTable) -> URLRequest? {
        guard var text = origins.absolute(step.target, host: step.host) else { return nil }
        if let credentials = step.urlCredentials { text = inserting(credentials, into: text) }
        guard let url = URL(string: text) else { return nil }
        var request = URLRequest(url: url)
        request.httpMethod = step.method
        for field in step.fields.list {
            request.addValue(origins.resolved(field.value), forHTTPHeaderField: field.name)
        }
        if step.kind == .upload {
            request.httpBody = Data("The body that an upload's request has itself is not sent.".utf8)
        } else if let body = step.body {
            request.httpBody = data(body)
        }
        if let body = step.bodyStream {
            let data = data(body)
            request.httpBodyStream = step.producer.map { LaneSession.stream(data, from: $0) } ?? InputStream(data: data)
        }
        if let timeout = step.timeout { request.timeoutInterval = timeout / .seconds(1) }
        if let policy = step.cachePolicy { request.cachePolicy = policy.value }
        if let page = step.mainDocument.flatMap({ origins.absolute($0, host: step.host) }) {
            request.mainDocumentURL = URL(string: page)
        }
        for network in step.denies { LaneSession.deny(network, to: &request) }
        if !step.handlesCookies { request.httpShouldHandleCookies = false }
        return edited(request, step.edits, origins)
    }

    static func persistence(_ word: CredentialPersistence) -> URLCredential.Persistence {
        switch word {
        case .none: .none
        case .session: .forSession
        case .permanent: .permanent
        }
    }

    /// - Parameter credentials: The file of permanent ones.
    static func configuration(_ options: SessionOptions, origins: OriginTable, credentials: String?)
        -> URLSessionConfiguration
    {
        let configuration = URLSessionConfiguration.ephemeral
        if let timeout = options.timeoutIntervalForRequest {
            configuration.timeoutIntervalForRequest = timeout / .seconds(1)
        }
        if let timeout = options.timeoutIntervalForResource {
            configuration.timeoutIntervalForResource = timeout / .seconds(1)
        }
        if let policy = options.requestCachePolicy { configuration.requestCachePolicy = policy.value }
        if let limit = options.httpMaximumConnectionsPerHost { configuration.httpMaximumConnectionsPerHost = limit }
        if let limit = options.maximumBodyBytesInMemory { configuration.maximumBodyBytesInMemory = Int64(limit) }
        (configuration as PipeliningWish).httpShouldUsePipelining = options.httpShouldUsePipelining
        LaneSession.limitTLS(configuration, options)
        LaneSession.limitNetworks(configuration, options)
        if let version = options.resumableUploads { configuration.resumableUploadVersion = .init(rawValue: version) }
        if !options.httpAdditionalHeaders.isEmpty {
            // A number where an app would have one: the dictionary takes any value (BEHAVIOUR 1.A2-values).
            var fields: [AnyHashable: Any] = [:]
            for field in options.httpAdditionalHeaders.list {
                let value = origins.resolved(field.value)
                fields[field.name] = Int(value).flatMap { "\($0)" == value ? $0 : nil } ?? value
            }
            configuration.httpAdditionalHeaders = fields
        }
        if !options.protocolRules.isEmpty { configuration.protocolClasses = [LaneProtocol.self] }
        if let proxy = options.proxy { configuration.connectionProxyDictionary = LaneProxy(proxy, origins).dictionary }
        if !options.hasCredentialStorage { configuration.urlCredentialStorage = nil }
        if let credentials { configuration.urlCredentialStorage = LaneSession.credentialStorage(in: credentials) }
        for stored in options.credentials {
            keep(stored, options.proxy, in: configuration.urlCredentialStorage, origins)
        }
        return configuration
    }

    /// In the space that an app would name; of a proxy in both, for requests and for tunnels.
    private static func keep(
        _ stored: StoredCredential, _ proxy: SessionProxy?, in storage: URLCredentialStorage?, _ origins: OriginTable
    ) {
        guard let text = origins.absolute("/", host: stored.host), let url = URL(string: text) else { return }
        let host = url.host ?? "", port = url.nominalPort, method = name(of: stored.method)
        var spaces = [
            URLProtectionSpace(
                host: host, port: port, protocol: url.scheme, realm: stored.realm, authenticationMethod: method)
        ]
        if proxy.map({ LaneProxy($0, origins).isProxy(host, port) }) ?? false {
            spaces = [NSURLProtectionSpaceHTTPProxy, NSURLProtectionSpaceHTTPSProxy].map {
                URLProtectionSpace(
                    proxyHost: host, port: port, type: $0, realm: stored.realm, authenticationMethod: method)
            }
        }
        let credential = URLCredential(
            user: stored.credentials.user, password: stored.credentials.password, persistence: .forSession)
        for space in spaces { storage?.setDefaultCredential(credential, for: space) }
    }

    private static func name(of method: ChallengeMethod) -> String {
        switch method {
        case .digest: NSURLAuthenticationMethodHTTPDigest
        case .ntlm: "NSURLAuthenticationMethodNTLM"
        case .negotiate: "NSURLAuthenticationMethodNegotiate"
        default: NSURLAuthenticationMethodHTTPBasic
        }
    }

    static func data(_ content: Content) -> Data {
        let bytes = ContentBytes(content)
        return Data(bytes.bytes(0..<bytes.count))
    }

    private static func inserting(_ credentials: BasicCredentials, into text: String) -> String {
        guard let scheme = text.range(of: "://") else { return text }
        let allowed = CharacterSet.alphanumerics
        let encoded = [credentials.user, credentials.password].map {
            $0.addingPercentEncoding(withAllowedCharacters: allowed) ?? $0
        }
        return text[..<scheme.upperBound] + encoded.joined(separator: ":") + "@" + text[scheme.upperBound...]
    }
}

/// FoundationNetworking advises against the property, which scenarios may set all the same.
protocol PipeliningWish: AnyObject {
    var httpShouldUsePipelining: Bool { get set }
}

extension URLSessionConfiguration: PipeliningWish {}
