import ClientMachines
import Foundation
import HTTPBasics
import Testing

@testable import SessionNetworking

@Suite struct ChallengeBridgeTests {
    private func challenge(proposed: Credential?, failures: Int) throws -> Challenge {
        let head = ResponseHead(status: 401, Fields([.init("WWW-Authenticate", "Basic realm=\"r\"")]))
        return Challenge(
            origin: Origin(scheme: "http", host: "h.example", port: 8080), realm: "r", method: .basic,
            proposed: proposed, previousFailures: failures,
            response: Response(
                head: head, url: try #require(URLReference("http://h.example:8080/x")), expectedLength: nil))
    }

    // BEHAVIOUR 2.A2-space, 2.A2-failures, 2.A2-response
    @Test func `a challenge says who asks for what`() throws {
        let asked = try challenge(proposed: nil, failures: 3)
        let shown = ChallengeBridge.urlChallenge(asked, ChallengeBridge.space(of: asked), nil)
        let space = URLProtectionSpace(
            host: "h.example", port: 8080, protocol: "http", realm: "r",
            authenticationMethod: NSURLAuthenticationMethodHTTPBasic)
        #expect(shown.protectionSpace == space)
        #expect(shown.previousFailureCount == 3)
        #expect(shown.proposedCredential == nil)
        #expect(shown.error == nil)
        #expect(shown.sender == nil)
        let response = try #require(shown.failureResponse as? HTTPURLResponse)
        #expect(response.statusCode == 401)
        #expect(response.url == URL(string: "http://h.example:8080/x"))
    }

    @Test func `each disposition becomes its answer`() {
        let credential = URLCredential(user: "amy", password: "pw", persistence: .forSession)
        typealias Disposition = URLSession.AuthChallengeDisposition
        let answer = { (said: Disposition, credential: URLCredential?) in ChallengeBridge.answer(said, credential) }
        #expect(answer(.useCredential, credential) == .use(Credential(user: "amy", password: "pw"), isKept: true))
        #expect(answer(.useCredential, nil) == .use(nil))
        #expect(answer(.performDefaultHandling, credential) == .performDefaultHandling)
        #expect(answer(.cancelAuthenticationChallenge, credential) == .cancel)
        #expect(answer(.rejectProtectionSpace, credential) == .rejectProtectionSpace)
    }

    // BEHAVIOUR 2.E11-asks
    @Test func `a proxy over TLS asks with a space of its own`() throws {
        let place = Origin(scheme: "https", host: "p.test", port: 443)
        let asked = ConnectionChallenge(
            of: .proxy(place, trustScope: nil), kind: .clientCertificate(issuers: [[48, 0]]))
        let space = ChallengeBridge.urlChallenge(asked, nil).protectionSpace
        #expect(space.isProxy() && space.host == "p.test" && space.port == 443 && space.protocol == nil)
        #expect(space.proxyType == NSURLProtectionSpaceHTTPSProxy && space.receivesCredentialSecurely)
        #expect(space.authenticationMethod == NSURLAuthenticationMethodClientCertificate)
        let server = ConnectionRoute(to: Origin(scheme: "https", host: "h.example", port: 443))
        let other = ConnectionChallenge(of: .server(server), kind: .clientCertificate(issuers: []))
        #expect(!ChallengeBridge.urlChallenge(other, nil).protectionSpace.isProxy())
    }
}
