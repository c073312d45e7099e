import HTTPBasics

/// What to do with a response that may be a redirect (BEHAVIOUR 1.C1 to 1.C5).
package enum RedirectDecision: Hashable, Sendable {
    /// It is the final response.
    case deliver
    /// Go on with this request, if the user agrees.
    indirect case follow(ClientRequest)
    /// The task fails; `url` is what its error names: the next target if there is one (BEHAVIOUR 1.C5).
    indirect case fail(Failure.Kind, detail: String, url: URLReference)

    /// So many redirects of one task are followed; one more fails it (BEHAVIOUR 1.C5).
    package static let limit = 20
    /// Far above what any server takes for a request line, far below what one hop may cost: of 200 KB each, twenty hops
    /// kept a loop busy for half a second (BEHAVIOUR 1.C4-long).
    static let longestTarget = 64 * 1024
    /// What a redirect may add to a URL that is longer than that itself, such as the name of another host.
    private static let growth = 4 * 1024

    /// `count` redirects of this task were followed before `request`, which `head` answers.
    package static func decide(request: ClientRequest, head: ResponseHead, count: Int) -> RedirectDecision {
        guard let change = MethodChange(status: head.status, method: request.method) else { return .deliver }
        // Only the first of several (BEHAVIOUR 2.I38); a comma is not taken for a separator, URLs may contain it.
        guard let location = head.fields.first("Location")?.trimmingWhitespace, !location.isEmpty else {
            return .deliver
        }
        guard let reference = URLReference(String(location)) else {
            return .fail(
                .redirectToNonExistentLocation, detail: "The Location of status \(head.status) is not a URL",
                url: request.url)
        }
        let target = self.target(of: reference, from: request.url)
        guard let scheme = target.scheme, Origin.defaultPort(of: scheme) != nil else {
            return .fail(
                .unsupportedURL, detail: "Redirect to the scheme \(target.scheme ?? "(none)")", url: target)
        }
        guard target.origin != nil else {
            return .fail(
                .redirectToNonExistentLocation, detail: "The Location of status \(head.status) names no host",
                url: target)
        }
        let present = request.url.string.utf8.count
        let longest = present > longestTarget ? present + growth : longestTarget
        guard target.string.utf8.count <= longest else {
            return .fail(
                .redirectToNonExistentLocation,
                detail: "The Location of status \(head.status) makes a URL of more than \(longest) bytes",
                url: request.url)
        }
        guard count < limit else {
            return .fail(.httpTooManyRedirects, detail: "More than \(limit) redirects", url: target)
        }
        return .follow(self.request(for: target, after: request, change))
    }

    /// Inherits the fragment where Location has none (RFC 9110 10.2.2). User information of the Location stays: it
    /// may serve as a credential (BEHAVIOUR 1.C3).
    private static func target(of reference: URLReference, from url: URLReference) -> URLReference {
        var target = reference.resolved(against: url)
        target.fragment = reference.fragment ?? url.fragment
        return target
    }

    private static func request(
        for target: URLReference, after request: ClientRequest, _ change: MethodChange
    ) -> ClientRequest {
        var next = request
        next.url = target
        next.fields.leaveTarget()
        if change == .toGET {
            next.method = "GET"
            next.body = nil
            for name in boundToBody { next.fields.remove(name) }
        }
        return next
    }

    /// RFC 9110 15.4: what describes a body goes with it. Expect too, because it promises one (10.1.1).
    static let boundToBody = [
        "Content-Type", "Content-Length", "Transfer-Encoding", "Content-Encoding", "Content-Language",
        "Content-Location", "Trailer", "Expect",
    ]
}

extension Fields {
    /// Takes away what was meant for one target and would be told to another.
    ///
    /// Of a request's own fields the credentials go even on the same host, as Apple does (BEHAVIOUR 1.C3, 2.A27). Its
    /// Host named the old target, and cookies are chosen anew for the new one. Everything else is kept.
    package mutating func leaveTarget() {
        for name in ["Authorization", "Proxy-Authorization", "Cookie", "Host"] { remove(name) }
    }
}

/// What a status that redirects does to the method; the body follows the method (BEHAVIOUR 1.C1, 1.C2).
private enum MethodChange {
    case none, toGET

    /// Nil for a status that is delivered whatever its Location says.
    init?(status: Int, method: String) {
        switch status {
        case 301, 302: self = method == "POST" ? .toGET : .none
        // HEAD becomes GET as well; browsers differ, Apple does it (BEHAVIOUR 1.C1).
        case 303: self = .toGET
        case 307, 308: self = .none
        // 300 leaves the choice to the user, 304 is an answer. 305 named a proxy to use: following a server's word for
        // that would hand the traffic to any host, and RFC 9110 15.4.6 deprecates it; 306 has no meaning (15.4.7).
        default: return nil
        }
    }
}
