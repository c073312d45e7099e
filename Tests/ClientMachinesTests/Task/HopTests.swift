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

    /// Given for this request, its realm, whom it names; failures.
    @Test(arguments: [
        (true, "vault", "bob", 1), (false, "vault", "bob", 1), (false, "cellar", "bob", 0),
        // A realm that is another one with every answer must not let a caller try for ever.
        (true, "cellar", "bob", 1),
    ])
    func `a refused credential counts if it was meant for this`(
        wasAuthorized: Bool, realm: String, user: String, failures: Int
    ) throws {
        var hop = Hop()
        hop.wasAuthorized = wasAuthorized
        hop.refused(
            try Self.authorization(user, realm), by: .init(method: .basic, realm: "vault"))
        #expect(hop.failedCredentials == failures)
        #expect(hop.refused.users == [user])
    }
}
