import HTTPBasics
import Testing

@testable import ClientMachines

/// BEHAVIOUR 2.A2-failures, 2.A2-proposed
@Suite struct HopTests {
    private static let request = ClientRequest(url: URLReference("http://ann:s3cret@h/a") ?? URLReference())

    private static func authorization(_ user: String, _ realm: String) throws -> SentAuthorization {
        let origin = try #require(request.url.origin)
        let response = Response(head: ResponseHead(status: 401, Fields()), url: request.url, expectedLength: 0)
        let challenge = Challenge(
            origin: origin, realm: realm, method: .basic, proposed: nil, previousFailures: 0, response: response)
        return SentAuthorization(
            Authorization(Credential(user: user, password: "s3cret"), for: challenge, isKept: true), "Basic", nil)
    }

    /// Given for this request, its realm, whom it names; failures, whether the URL's credential was tried.
    @Test(arguments: [
        (true, "vault", "bob", 1, false), (false, "vault", "bob", 1, false), (false, "cellar", "bob", 0, false),
        // A realm that is another one with every answer must not let a caller try for ever.
        (true, "cellar", "bob", 1, false), (true, "vault", "ann", 1, true), (false, "cellar", "ann", 0, true),
    ])
    func `a refused credential counts if it was meant for this`(
        wasAuthorized: Bool, realm: String, user: String, failures: Int, triedURLCredentials: Bool
    ) throws {
        var hop = Hop()
        hop.wasAuthorized = wasAuthorized
        hop.refused(
            try Self.authorization(user, realm), by: .init(method: .basic, realm: "vault"), for: Self.request)
        #expect(hop.failedCredentials == failures)
        #expect(hop.triedURLCredentials == triedURLCredentials)
    }
}
