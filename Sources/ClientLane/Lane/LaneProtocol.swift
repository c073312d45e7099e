import Foundation
import HTTPBasics
import Judge
import Locks
import ScenarioFormat

/// The protocol class of a case: answers what `session: {protocol: ...}` says, and leaves the rest to the session.
///
/// A class is asked about requests without a word whose they are, so that rules are found by method and URL, the latest
/// first: a property of the request would be lost with clients that do not keep it.
final class LaneProtocol: URLProtocol {
    /// Known to the class for as long as the case holds them.
    final class Rules: Sendable {
        let rules: [ProtocolRule]
        let origins: OriginTable
        /// How often objects were started and stopped: in the end, each of them once (BEHAVIOUR 2.H18).
        let starts = Lock(0)
        /// Once the case has begun.
        let clock = Lock<(any LaneClock)?>(nil)

        init(_ rules: [ProtocolRule], _ origins: OriginTable) {
            (self.rules, self.origins) = (rules, origins)
            let known = Known(rules: self)
            LaneProtocol.known.withLock { all in
                all.removeAll { $0.rules == nil }
                all.append(known)
            }
        }

        func after(_ span: Duration, _ job: @escaping @Sendable () -> Void) {
            clock.withLock(\.self)?.schedule(after: span, job)
        }

        func rule(for request: URLRequest, isCanonical: Bool = false) -> ProtocolRule? {
            rules.first { rule in
                let target = isCanonical ? rule.canonicalTarget ?? rule.target : rule.target
                return rule.method == request.httpMethod
                    && origins.absolute(target, host: nil) == request.url?.absoluteString
            }
        }
    }

    private struct Known: Sendable {
        weak let rules: Rules?
    }

    private static let known = Lock<[Known]>([])

    /// The object's challenge must not be answered any more.
    private var isWithdrawn = false

    /// The property of what the class leaves to others.
    private static let mark = "understudy.is-passed-over"

    private static func rules(for request: URLRequest, isCanonical: Bool = false) -> Rules? {
        guard property(forKey: mark, in: request) == nil else { return nil }
        let all = known.withLock { $0.compactMap(\.rules) }
        return all.last { $0.rule(for: request, isCanonical: isCanonical) != nil }
    }

    override class func canInit(with request: URLRequest) -> Bool { rules(for: request) != nil }

    override class func canonicalRequest(for request: URLRequest) -> URLRequest {
        guard let rules = rules(for: request), let target = rules.rule(for: request)?.canonicalTarget else {
            return request
        }
        var canonical = request
        canonical.url = rules.origins.absolute(target, host: nil).flatMap { URL(string: $0) }
        return canonical
    }

    override func startLoading() {
        guard let rules = Self.rules(for: request, isCanonical: true), let url = request.url,
            let rule = rules.rule(for: request, isCanonical: true)
        else {
            client?.urlProtocol(self, didFailWithError: URLError(.resourceUnavailable))
            return
        }
        rules.starts.withLock { $0 += 1 }
        guard rule.has.list.allSatisfy({ request.value(forHTTPHeaderField: $0.name) == $0.value }),
            rule.absent.allSatisfy({ request.value(forHTTPHeaderField: $0) == nil })
        else {
            client?.urlProtocol(self, didFailWithError: URLError(.badURL))
            return
        }
        switch rule.answer {
        case .failure(let name):
            client?.urlProtocol(self, didFailWithError: ErrorName.error(named: name))
        case .redirect(let status, let next):
            if let response = Self.response(url, status, Fields()) {
                let request = following(next, rules.origins)
                client?.urlProtocol(self, wasRedirectedTo: request, redirectResponse: response)
            }
        case .response:
            if let realm = rule.realm { ask(realm, rule, url, rules) } else { answer(rule, url) }
        }
    }

    override func stopLoading() {
        Self.rules(for: request, isCanonical: true)?.starts.withLock { $0 -= 1 }
        babble()
    }

    private func following(_ redirect: ProtocolRule.Redirect, _ origins: OriginTable) -> URLRequest {
        var next = request
        next.httpMethod = redirect.method
        next.url = origins.absolute(redirect.target, host: nil).flatMap { URL(string: $0) }
        guard redirect.isMarked, let marked = (next as NSURLRequest).mutableCopy() as? NSMutableURLRequest else {
            return next
        }
        URLProtocol.setProperty(true, forKey: Self.mark, in: marked)
        return marked as URLRequest
    }

    private func answer(_ rule: ProtocolRule, _ url: URL) {
        guard case .response(let status, let fields, let body, let end) = rule.answer else { return }
        var usual: [ProtocolRule.Call] = body == nil ? [.response] : [.response, .data]
        var error: String?
        switch end {
        case .finish: usual.append(.finish)
        case .stall: break
        case .failure(let name):
            usual.append(.error)
            error = name
        }
        let response = Self.response(url, status, fields), data = body.map(LaneRequest.data)
        let calls = cachedResponse.flatMap { _ in rule.kept } ?? rule.calls ?? usual
        for word in calls { call(word, response, data ?? Data(), error ?? "unknown", keep: rule.keep) }
        if calls.last == .finish { babble() }
    }

    private func call(
        _ word: ProtocolRule.Call, _ response: HTTPURLResponse?, _ data: Data = Data(), _ error: String = "",
        keep: ProtocolRule.Keeping = .never
    ) {
        switch word {
        case .response:
            guard let response else { return }
            client?.urlProtocol(self, didReceive: response, cacheStoragePolicy: keep.policy)
        case .data: client?.urlProtocol(self, didLoad: data)
        case .nothing: client?.urlProtocol(self, didLoad: Data())
        case .finish: client?.urlProtocolDidFinishLoading(self)
        case .error: client?.urlProtocol(self, didFailWithError: ErrorName.error(named: error))
        case .cached:
            guard let made = response.map({ CachedURLResponse(response: $0, data: data) }) else { return }
            client?.urlProtocol(self, cachedResponseIsValid: cachedResponse ?? made)
        }
    }

    /// Puts the challenge to the delegate; the answer comes to its sender (BEHAVIOUR 2.H19-challenge).
    private func ask(_ realm: String, _ rule: ProtocolRule, _ url: URL, _ rules: Rules) {
        let sender = ChallengeSender { [self, place = CallPlace.current] accepts in
            // A class may hold what its own queue guards alone; and a challenge that was taken back is not answered.
            guard LaneSession.watches.isEmpty || CallPlace.current == place, !isWithdrawn else {
                client?.urlProtocol(self, didFailWithError: URLError(.dataNotAllowed))
                return
            }
            if accepts { return answer(rule, url) }
            call(.response, Self.response(url, 401, Fields()))
            call(.finish, nil)
        }
        let space = URLProtectionSpace(
            host: url.host ?? "", port: url.port ?? 80, protocol: url.scheme, realm: realm,
            authenticationMethod: NSURLAuthenticationMethodHTTPBasic)
        let challenge = URLAuthenticationChallenge(
            protectionSpace: space, proposedCredential: nil, previousFailureCount: 0, failureResponse: nil, error: nil,
            sender: sender)
        client?.urlProtocol(self, didReceive: challenge)
        guard let span = rule.withdrawal else { return }
        let question = Question(object: self, challenge: challenge)
        rules.after(span) {
            question.takeBack()
            rules.after(span) { question.object.answer(rule, url) }
        }
    }

    /// A challenge that its object may take back.
    private struct Question: @unchecked Sendable {
        // Safety: the object is used on the lane alone, where the session starts and stops it.
        let object: LaneProtocol
        let challenge: URLAuthenticationChallenge

        func takeBack() {
            object.isWithdrawn = true
            object.client?.urlProtocol(object, didCancel: challenge)
        }
    }

    /// Any credentials are accepted.
    private final class ChallengeSender: NSObject, URLAuthenticationChallengeSender, @unchecked Sendable {
        // Safety: the object's own queue, where it was made, is where it is called (BEHAVIOUR 2.H19-challenge).
        private let decided: (Bool) -> Void

        init(_ decided: @escaping (Bool) -> Void) { self.decided = decided }

        func use(_ credential: URLCredential, for challenge: URLAuthenticationChallenge) {
            decided(credential.user?.isEmpty == false && credential.hasPassword)
        }

        func continueWithoutCredential(for challenge: URLAuthenticationChallenge) { decided(false) }
        func cancel(_ challenge: URLAuthenticationChallenge) { decided(false) }
        func performDefaultHandling(for challenge: URLAuthenticationChallenge) { decided(false) }
        func rejectProtectionSpaceAndContinue(with challenge: URLAuthenticationChallenge) { decided(false) }
    }

    /// Calls that are dropped (BEHAVIOUR 2.H18-late).
    private func babble() {
        guard LaneSession.watches.contains(.handlers) else { return }
        client?.urlProtocol(self, didLoad: Data("too late".utf8))
        client?.urlProtocol(self, didFailWithError: URLError(.unknown))
        client?.urlProtocolDidFinishLoading(self)
    }

    private static func response(_ url: URL, _ status: Int, _ fields: Fields) -> HTTPURLResponse? {
        let pairs = fields.list.map { ($0.name, $0.value) }
        return HTTPURLResponse(
            url: url, statusCode: status, httpVersion: nil, headerFields: Dictionary(pairs) { first, _ in first })
    }
}

extension ProtocolRule.Keeping {
    fileprivate var policy: URLCache.StoragePolicy {
        switch self {
        case .anywhere: .allowed
        case .inMemory: .allowedInMemoryOnly
        case .never: .notAllowed
        }
    }
}
