import Foundation
import SessionNetworking

/// A session whose delegate knows some credentials, as the usual libraries have it.
final class SigningClient: Sendable {
    private let session: URLSession
    private let challenges: Challenges

    init(
        _ credentials: [URLCredential], identity: URLCredential? = nil, from oldest: tls_protocol_version_t = .TLSv12
    ) {
        challenges = Challenges(credentials, identity)
        let configuration = URLSessionConfiguration.ephemeral
        configuration.tlsMinimumSupportedProtocolVersion = oldest
        session = URLSession(configuration: configuration, delegate: challenges, delegateQueue: nil)
    }

    /// A line: the answer's status, how often who was asked for by which method, the cookies for the page, the body.
    func get(_ url: URL) async throws -> String {
        let (data, response) = try await session.data(from: url)
        let status = (response as? HTTPURLResponse)?.statusCode ?? 0
        let asked = challenges.takeAsked().joined(separator: ",")
        let cookies = session.configuration.httpCookieStorage?.cookies(for: url) ?? []
        let named = cookies.map { "\($0.name)=\($0.value)" }.sorted().joined(separator: ";")
        return "\(status) asked=[\(asked)] cookies=[\(named)] \(String(decoding: data.prefix(60), as: UTF8.self))"
    }
}

/// Answers with one credential after another, until there is none left.
private final class Challenges: NSObject, URLSessionTaskDelegate, @unchecked Sendable {
    // Safety: `asked` is behind the lock.
    private let credentials: [URLCredential]
    private let identity: URLCredential?
    private let lock = NSLock()
    private var asked: [String] = []

    init(_ credentials: [URLCredential], _ identity: URLCredential?) {
        self.credentials = credentials
        self.identity = identity
    }

    /// What was asked since the last time.
    func takeAsked() -> [String] {
        lock.withLock {
            defer { asked = [] }
            return asked
        }
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        let space = challenge.protectionSpace, method = space.authenticationMethod
        // The rules of the system decide about servers.
        if method == NSURLAuthenticationMethodServerTrust { return completionHandler(.performDefaultHandling, nil) }
        let name = method.replacingOccurrences(of: "NSURLAuthenticationMethod", with: "")
        lock.withLock { asked.append(space.isProxy() ? "proxy \(name)" : name) }
        if method == NSURLAuthenticationMethodClientCertificate { return completionHandler(.useCredential, identity) }
        guard credentials.indices.contains(challenge.previousFailureCount) else {
            return completionHandler(.performDefaultHandling, nil)
        }
        completionHandler(.useCredential, credentials[challenge.previousFailureCount])
    }
}
