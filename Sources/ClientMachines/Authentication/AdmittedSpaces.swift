import HTTPBasics

/// Where a session was let in: what is sent to these places takes the credential along before anybody asks for it
/// (BEHAVIOUR 2.A24).
///
/// One for all tasks of a client machine, and confined to it.
final class AdmittedSpaces {
    private struct Space {
        var authorization: Authorization
        /// Beginnings of paths; an empty one is that of all.
        var paths: [String]
    }

    /// Of a session that talks to ever more servers, those that it has talked to last stay.
    private static let mostSpaces = 64
    private static let mostPaths = 32

    let proxies = ProxyCredentials()
    /// The space that was used last is the last.
    private var spaces: [Space] = []
    /// Counts how often something was forgotten: what a task was given before does not come back (BEHAVIOUR
    /// 2.A24-reset).
    private(set) var generation = 0

    /// It was let in nowhere.
    var isEmpty: Bool { spaces.isEmpty }

    /// What goes along to this place: the space whose path is the longest.
    func authorization(for url: URLReference) -> Authorization? {
        guard !spaces.isEmpty, let origin = url.origin, !Self.hasDotSegments(url.path) else { return nil }
        var best: (length: Int, authorization: Authorization)?
        for space in spaces where space.authorization.origin == origin {
            for path in space.paths where url.path.utf8.starts(with: path.utf8) && path.utf8.count >= best?.length ?? 0
            {
                best = (path.utf8.count, space.authorization)
            }
        }
        return best?.authorization
    }

    /// A server may take such a path for one outside of the space that it seems to lie in.
    private static func hasDotSegments(_ path: String) -> Bool {
        path.split(separator: "/").contains { ["..", "."].contains(PercentEncoding.decoded($0)) }
    }

    /// - Returns: False if the session has forgotten credentials since the task has this one.
    @discardableResult
    func admitted(_ authorization: Authorization, at url: URLReference) -> Bool {
        guard authorization.generation == generation else { return false }
        let paths = authorization.paths(behind: url)
        var space = Space(authorization: authorization, paths: [])
        if let index = index(of: authorization) {
            let known = spaces.remove(at: index)
            if known.authorization == authorization { space.paths = known.paths }
        }
        for path in paths where !space.paths.contains(where: { path.utf8.starts(with: $0.utf8) }) {
            space.paths.removeAll { $0.utf8.starts(with: path.utf8) }
            space.paths.append(path)
        }
        space.paths = space.paths.suffix(Self.mostPaths)
        spaces.append(space)
        if spaces.count > Self.mostSpaces { spaces.removeFirst() }
        return true
    }

    /// The server lets it in no more.
    func refused(_ authorization: Authorization) {
        if let index = index(of: authorization), spaces[index].authorization == authorization {
            spaces.remove(at: index)
        }
    }

    /// A proxy's answer, which is no 407, to what went along with it. One of 400 or more may be the proxy's own, so it
    /// proves nothing; a 401 is a server's. What a proxy was named with is kept for it without a storage of
    /// credentials, too.
    ///
    /// - Returns: Whether it goes along unasked from now on.
    func heard(_ head: ResponseHead, about sent: SentAuthorization, from proxy: Proxy) -> Bool {
        let authorization = sent.authorization
        let isProved = authorization.heard(
            AuthenticateHeader.info(head.fields.values("Proxy-Authentication-Info")), about: sent)
        let isOwn = authorization.credential == proxy.credential
        guard isProved, head.status < 400 || head.status == 401,
            isOwn || authorization.isKept && authorization.generation == generation
        else { return false }
        proxies.letIn(authorization, by: proxy)
        return true
    }

    func forgetAll() {
        spaces = []
        proxies.forgetAll()
        generation += 1
    }

    /// A credential was taken out of the session's storage.
    func forget(_ forgotten: ForgottenCredential) {
        spaces.removeAll { forgotten.isSaid(by: $0.authorization) }
        proxies.forget(forgotten)
        generation += 1
    }

    private func index(of authorization: Authorization) -> Int? {
        spaces.firstIndex {
            $0.authorization.origin == authorization.origin && $0.authorization.realm == authorization.realm
        }
    }
}

/// What goes along with nothing any more.
package struct ForgottenCredential: Hashable, Sendable {
    package var credential: Credential
    package var origin: Origin
    package var isOfProxy: Bool
    package var realm: String

    package init(_ credential: Credential, origin: Origin, isOfProxy: Bool = false, realm: String) {
        self.credential = credential
        self.origin = origin
        self.isOfProxy = isOfProxy
        self.realm = realm
    }

    func isSaid(by authorization: Authorization) -> Bool {
        authorization.credential == credential && authorization.origin == origin
            && authorization.isOfProxy == isOfProxy && authorization.realm == realm
    }
}
