#if !canImport(Darwin)
import ClientMachines
import Foundation
import HTTPBasics
import TLSBasics
import TLSEngine

/// Challenges between the machines' form and the caller's form.
package enum ChallengeBridge {
    /// What must be opened (BEHAVIOUR 2.A2-space).
    package static func space(of challenge: Challenge) -> URLProtectionSpace {
        // NTLM and Negotiate know no realms.
        let realm = challenge.isOfSession ? nil : challenge.realm
        if let use = challenge.proxy {
            // BEHAVIOUR 2.A15.
            return URLProtectionSpace(
                proxyHost: challenge.origin.host, port: challenge.origin.port,
                type: use == .https ? NSURLProtectionSpaceHTTPSProxy : NSURLProtectionSpaceHTTPProxy,
                realm: realm, authenticationMethod: method(challenge.method))
        }
        return URLProtectionSpace(
            host: challenge.origin.host, port: challenge.origin.port, protocol: challenge.origin.scheme,
            realm: realm, authenticationMethod: method(challenge.method))
    }

    /// What a delegate is asked. `failureResponse` is the 401 (BEHAVIOUR 2.A2-response).
    package static func urlChallenge(
        _ challenge: Challenge, _ space: URLProtectionSpace, _ proposed: URLCredential?
    ) -> URLAuthenticationChallenge {
        URLAuthenticationChallenge(
            space: space, proposed: proposed, previousFailures: challenge.previousFailures,
            response: HTTPURLResponse(challenge.response))
    }

    /// What a delegate evaluates: the certificates of the server, or of the proxy, by the rules and the date of this
    /// world.
    static func trust(
        for challenge: ConnectionChallenge, store: TrustStore, clock: WorldClock
    ) -> SecTrust? {
        guard case .serverTrust(let peer) = challenge.kind else { return nil }
        return SecTrust(peer, host: challenge.origin.host, store: store, date: clock.moment().date)
    }

    /// What a delegate is asked about a connection.
    static func urlChallenge(_ challenge: ConnectionChallenge, _ trust: SecTrust?) -> URLAuthenticationChallenge {
        var issuers: [Data]?
        if case .clientCertificate(let names) = challenge.kind { issuers = names.map { Data($0) } }
        let space = URLProtectionSpace(
            host: challenge.origin.host, port: challenge.origin.port,
            scheme: challenge.isOfProxy ? nil : challenge.origin.scheme,
            proxyType: challenge.isOfProxy ? NSURLProtectionSpaceHTTPSProxy : nil, trust: trust, issuers: issuers)
        return URLAuthenticationChallenge(space: space, proposed: nil, previousFailures: 0, response: nil)
    }

    /// What a delegate answered to that (BEHAVIOUR 2.A3-trust, 2.A3-identity).
    static func answer(
        _ disposition: URLSession.AuthChallengeDisposition, _ credential: URLCredential?,
        to challenge: ConnectionChallenge, about trust: SecTrust?
    ) -> ConnectionAnswer {
        switch disposition {
        case .cancelAuthenticationChallenge: return .cancel
        case .performDefaultHandling, .rejectProtectionSpace: return .performDefaultHandling
        case .useCredential: break
        }
        switch challenge.kind {
        case .serverTrust:
            guard let trust, credential?.trust === trust else { return .performDefaultHandling }
            return .trust
        case .clientCertificate: return credential?.tlsIdentity.map { .present($0) } ?? .performDefaultHandling
        }
    }

    /// What a delegate answered; the credential counts only with `useCredential`.
    package static func answer(
        _ disposition: URLSession.AuthChallengeDisposition, _ credential: URLCredential?
    ) -> ChallengeAnswer {
        switch disposition {
        case .useCredential:
            .use(credential.flatMap(\.credential), isKept: credential.map { $0.persistence != .none } ?? false)
        case .performDefaultHandling: .performDefaultHandling
        case .cancelAuthenticationChallenge: .cancel
        case .rejectProtectionSpace: .rejectProtectionSpace
        }
    }

    private static func method(_ method: Challenge.Method) -> String {
        switch method {
        case .basic: return NSURLAuthenticationMethodHTTPBasic
        case .digest: return NSURLAuthenticationMethodHTTPDigest
        case .ntlm: return NSURLAuthenticationMethodNTLM
        case .negotiate: return NSURLAuthenticationMethodNegotiate
        }
    }
}

extension Challenge {
    /// Of a connection, and no realm's: a matter of the whole session (BEHAVIOUR 2.A1-ntlm).
    var isOfSession: Bool { method == .ntlm || method == .negotiate }
}
#endif
