import HTTPBasics
import Testing

@testable import ClientMachines

@Suite struct ChallengeSelectionTests {
    private static let request = ClientRequest(url: URLReference("http://h/a") ?? URLReference())

    // BEHAVIOUR 2.A21, 2.A23
    @Test func `Negotiate comes before NTLM, Digest and Basic, with or without a message`() {
        for ntlm in ["NTLM", "ntlm TlRMTVNTUAAC", "NTLM realm=\"x\""] {
            let head = ResponseHead(
                status: 401,
                Fields([
                    Fields.Field("WWW-Authenticate", "Basic realm=b, Digest realm=d, nonce=n, Negotiate"),
                    Fields.Field("WWW-Authenticate", ntlm),
                ]))
            let offers = ChallengeSelection.challenges(in: head, to: Self.request)
            #expect(offers.map(\.method.scheme) == [.negotiate, .ntlm, .digest, .basic])
            #expect(offers.map(\.realm) == ["", "", "d", "b"])
        }
    }

    @Test(arguments: [
        (["Basic realm=\"box\""], ["box"]), (["bASIC realm=box"], ["box"]), (["Basic"], [""]),
        (["Basic realm=\"a \\\"b\\\" \\\\c\""], ["a \"b\" \\c"]),
        (["Basic realm=a, Basic realm=b"], ["a", "b"]), (["Basic realm=a", "Basic realm=b"], ["a", "b"]),
        (["Basic realm=a", "Basic realm=\"a\""], ["a"]),
        (["Unknown", "Digest realm=\"d\", nonce=\"x,y\", algorithm=new, Basic realm=b"], ["b"]),
        (["Bearer realm=x", "Digest realm=d, nonce=n, qop=other"], []),
        (["Newauth realm=x, title=\"Basic realm=y\""], []),
        ([""], []), ([], []),
    ])
    func `Known schemes are offered, others are skipped`(values: [String], realms: [String]) {
        let head = ResponseHead(status: 401, Fields(values.map { Fields.Field("WWW-Authenticate", $0) }))
        let expected = realms.map { ChallengeSelection.Offer(method: .basic, realm: $0) }
        #expect(ChallengeSelection.challenges(in: head, to: Self.request) == expected)
    }

    @Test(arguments: [200, 302, 400, 403, 407])
    func `Only a 401 is a challenge`(status: Int) {
        let head = ResponseHead(status: status, Fields([Fields.Field("WWW-Authenticate", "Basic realm=a")]))
        #expect(ChallengeSelection.challenges(in: head, to: Self.request).isEmpty)
    }

    @Test func `A proxy's challenge is not the server's`() {
        let head = ResponseHead(status: 401, Fields([Fields.Field("Proxy-Authenticate", "Basic realm=a")]))
        #expect(ChallengeSelection.challenges(in: head, to: Self.request).isEmpty)
    }

    // BEHAVIOUR 2.A37-size
    @Test(arguments: [(1, true), (65_536, true), (65_537, false), (0, false)])
    func `A token of more than 64 KiB is none`(count: Int, isOne: Bool) {
        let token = [UInt8](repeating: 7, count: count)
        let field = Fields.Field("WWW-Authenticate", "Negotiate " + Base64.encode(token))
        let head = ResponseHead(status: 401, Fields([field]))
        #expect(ChallengeSelection.token(of: .negotiate, in: head) == (isOne ? token : nil))
    }

    /// BEHAVIOUR 2.A37-forwarded
    @Test(
        arguments: [
            ([], false), (["Session-Based-Authentication"], true), (["session-based-authentication"], true),
            (["a, Session-Based-Authentication ,b"], true), (["a", "Session-Based-Authentication"], true),
            (["Session-Based-Authentications"], false), ([""], false), ([",,"], false),
        ] as [([String], Bool)])
    func `a proxy says that it keeps its clients apart`(_ values: [String], _ says: Bool) {
        let head = ResponseHead(status: 401, Fields(values.map { Fields.Field("Proxy-Support", $0) }))
        #expect(ChallengeSelection.keepsSessionsApart(head) == says)
    }

    /// BEHAVIOUR 2.A37-proof
    @Test func `a proxy's proof stands in either of two fields`() {
        for name in ["Proxy-Authenticate", "Proxy-Authentication-Info"] {
            let head = ResponseHead(status: 200, Fields([Fields.Field(name, "Negotiate cHJvb2Y=")]))
            #expect(ChallengeSelection.proof(ofProxy: head) == Array("proof".utf8))
        }
        #expect(ChallengeSelection.proof(ofProxy: ResponseHead(status: 200, Fields([]))) == nil)
    }
}
