import Foundation
import HTTPBasics
import Judge
import ScenarioFormat

/// The protocol class of a case: answers what `session: {protocol: ...}` says, and leaves the rest to the session.
///
/// Its rules go with each request, as a property: a class has no other way to know whose request it is asked about.
final class LaneProtocol: URLProtocol {
    final class Rules: Sendable {
        let rules: [ProtocolRule]
        let origins: OriginTable

        init(_ rules: [ProtocolRule], _ origins: OriginTable) { (self.rules, self.origins) = (rules, origins) }

        func answer(to request: URLRequest) -> ProtocolRule.Answer? {
            rules.first { rule in
                rule.method == request.httpMethod
                    && origins.absolute(rule.target, host: nil) == request.url?.absoluteString
            }?.answer
        }
    }

    private static let key = "understudy.rules"

    static func giving(_ rules: Rules, to request: URLRequest) -> URLRequest {
        guard let mutable = (request as NSURLRequest).mutableCopy() as? NSMutableURLRequest else { return request }
        setProperty(rules, forKey: key, in: mutable)
        return mutable as URLRequest
    }

    private static func rules(of request: URLRequest) -> Rules? { property(forKey: key, in: request) as? Rules }

    override class func canInit(with request: URLRequest) -> Bool { rules(of: request)?.answer(to: request) != nil }

    override class func canonicalRequest(for request: URLRequest) -> URLRequest { request }

    override func startLoading() {
        guard let rules = Self.rules(of: request), let answer = rules.answer(to: request), let url = request.url else {
            return
        }
        switch answer {
        case .failure(let name):
            client?.urlProtocol(self, didFailWithError: ErrorName.error(named: name))
        case .redirect(let status, let method, let target):
            var next = request
            next.httpMethod = method
            next.url = rules.origins.absolute(target, host: nil).flatMap { URL(string: $0) }
            if let response = Self.response(url, status, Fields()) {
                client?.urlProtocol(self, wasRedirectedTo: next, redirectResponse: response)
            }
        case .response(let status, let fields, let body, let end):
            if let response = Self.response(url, status, fields) {
                client?.urlProtocol(self, didReceive: response, cacheStoragePolicy: .notAllowed)
            }
            if let body { client?.urlProtocol(self, didLoad: LaneRequest.data(body)) }
            switch end {
            case .finish: client?.urlProtocolDidFinishLoading(self)
            case .stall: break
            case .failure(let name): client?.urlProtocol(self, didFailWithError: ErrorName.error(named: name))
            }
        }
    }

    override func stopLoading() {}

    private static func response(_ url: URL, _ status: Int, _ fields: Fields) -> HTTPURLResponse? {
        let pairs = fields.list.map { ($0.name, $0.value) }
        return HTTPURLResponse(
            url: url, statusCode: status, httpVersion: nil, headerFields: Dictionary(pairs) { first, _ in first })
    }
}
