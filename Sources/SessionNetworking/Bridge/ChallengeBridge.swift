#if !canImport(Darwin)
import ClientMachines
import Foundation
import HTTPBasics

/// Challenges between the machines' form and the caller's form.
package enum ChallengeBridge {
    /// What a delegate is asked. `failureResponse` is the 401 (BEHAVIOUR 2.A2-response).
    package static func urlChallenge(_ challenge: Challenge) -> URLAuthenticationChallenge {
        let space = URLProtectionSpace(
            host: challenge.origin.host, port: challenge.origin.port, protocol: challenge.origin.scheme,
            realm: challenge.realm, authenticationMethod: method(challenge.method))
        let proposed = challenge.proposed.map {
            URLCredential(user: $0.user, password: $0.password, persistence: .none)
        }
        return URLAuthenticationChallenge(
            space: space, proposed: proposed, previousFailures: challenge.previousFailures,
            response: HTTPURLResponse(challenge.response))
    }

    /// What a delegate answered; the credential counts only with `useCredential`.
    package static func answer(
        _ disposition: URLSession.AuthChallengeDisposition, _ credential: URLCredential?
    ) -> ChallengeAnswer {
        switch disposition {
        case .useCredential: .use(credential?.credential)
        case .performDefaultHandling: .performDefaultHandling
        case .cancelAuthenticationChallenge: .cancel
        case .rejectProtectionSpace: .rejectProtectionSpace
        }
    }

    private static func method(_ method: Challenge.Method) -> String {
        switch method {
        case .basic: return NSURLAuthenticationMethodHTTPBasic
        }
    }
}
#endif
