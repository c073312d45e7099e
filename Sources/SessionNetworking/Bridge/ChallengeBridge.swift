#if !canImport(Darwin)
import ClientMachines
import Foundation
import HTTPBasics

/// Challenges between the machines' form and the caller's form.
package enum ChallengeBridge {
    /// What a delegate is asked. `failureResponse` is the 401 (BEHAVIOUR 2, A.2).
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

    /// What a delegate answered: the raw value of a `URLSession.AuthChallengeDisposition`, whose numbers are Apple's,
    /// and the credential beside it, which counts only with `useCredential`.
    package static func answer(dispositionRawValue: Int, credential: URLCredential?) -> ChallengeAnswer {
        switch dispositionRawValue {
        case 0: return .use(credential?.credential)
        case 2: return .cancel
        case 3: return .rejectProtectionSpace
        default: return .performDefaultHandling
        }
    }

    private static func method(_ method: Challenge.Method) -> String {
        switch method {
        case .basic: return NSURLAuthenticationMethodHTTPBasic
        }
    }
}
#endif
