import HTTPBasics
import Testing

private typealias Challenge = AuthenticateHeader.Entry

private func challenge(_ scheme: String, token68: String? = nil, _ parameters: (String, String)...) -> Challenge {
    Challenge(scheme, token68: token68, parameters: parameters.map { Parameter($0.0, $0.1) })
}

@Suite struct AuthenticateHeaderTests {
    fileprivate static let table: [([String], [Challenge])] = [
        ([], []),
        (["Basic realm=\"box\""], [challenge("Basic", ("realm", "box"))]),
        (["Basic realm=box"], [challenge("Basic", ("realm", "box"))]),
        (["Negotiate"], [challenge("Negotiate")]),
        (["Negotiate", "NTLM"], [challenge("Negotiate"), challenge("NTLM")]),
        (["Negotiate, NTLM"], [challenge("Negotiate"), challenge("NTLM")]),
        (["Negotiate YWJj"], [challenge("Negotiate", token68: "YWJj")]),
        (["Negotiate YWI="], [challenge("Negotiate", token68: "YWI=")]),
        (
            ["Negotiate YQ== , Basic realm=x"],
            [challenge("Negotiate", token68: "YQ=="), challenge("Basic", ("realm", "x"))]
        ),
        (["NTLM a/+-._~b="], [challenge("NTLM", token68: "a/+-._~b=")]),
        // The example of RFC 9110 11.6.1.
        (
            ["Basic realm=\"simple\", Newauth realm=\"apps\", type=1, title=\"Login to \\\"apps\\\"\""],
            [
                challenge("Basic", ("realm", "simple")),
                challenge("Newauth", ("realm", "apps"), ("type", "1"), ("title", "Login to \"apps\"")),
            ]
        ),
        (
            ["Digest realm=\"a,b\", qop=\"auth,auth-int\", nonce=n==x, Basic realm=c"],
            [
                challenge("Digest", ("realm", "a,b"), ("qop", "auth,auth-int"), ("nonce", "n==x")),
                challenge("Basic", ("realm", "c")),
            ]
        ),
        (["Basic realm = \"a\" , charset\t=\tUTF-8"], [challenge("Basic", ("realm", "a"), ("charset", "UTF-8"))]),
        ([", ,Basic realm=a,,, charset=b,"], [challenge("Basic", ("realm", "a"), ("charset", "b"))]),
        (["Basic realm=a", "charset=b"], [challenge("Basic", ("realm", "a"), ("charset", "b"))]),
        (["Basic, realm=a"], [challenge("Basic", ("realm", "a"))]),
        (["Basic realm=\"\""], [challenge("Basic", ("realm", ""))]),
        (["Basic realm=\"open, Digest realm=x"], [challenge("Basic", ("realm", "open, Digest realm=x"))]),
        (["Basic realm=\"a\\"], [challenge("Basic", ("realm", "a\\"))]),
        (["Basic realm=My Box, charset=b"], [challenge("Basic", ("realm", "My"), ("charset", "b"))]),
        (["realm=orphan"], []), (["=, \"quoted, text\" ,(), Basic"], [challenge("Basic")]), ([""], []), ([",,"], []),
        (["Basic realm=ü"], [challenge("Basic", ("realm", "ü"))]),
    ]

    @Test(arguments: table)
    fileprivate func `Challenges are found in the order received`(values: [String], expected: [Challenge]) {
        #expect(AuthenticateHeader.parse(values) == expected)
    }

    @Test func `Parameter names are compared without case and the first one counts`() {
        let challenge = AuthenticateHeader.parse(["basic REALM=a, realm=b"]).first
        #expect(challenge?["Realm"] == "a")
        #expect(challenge?["nonce"] == nil)
    }

    @Test func `Challenges and parameters are bounded`() {
        let many = (0..<1000).map { "S\($0) p=1" }.joined(separator: ", ")
        #expect(AuthenticateHeader.parse([many, many]).count == 32)
        let beyond = (0..<32).map { "S\($0)" }.joined(separator: ", ")
        #expect(AuthenticateHeader.parse([beyond + ", X a=1, b=2"]).last == AuthenticateHeader.Entry("S31"))
        let long = "S " + (0..<1000).map { "p\($0)=1" }.joined(separator: ", ")
        #expect(AuthenticateHeader.parse([long]).first?.parameters.count == 32)
    }

    @Test func `No cut of a field traps`() {
        let text = "Digest realm=\"a\\\"b\", nonce=x==, Negotiate YWI=, Basic realm = c , ,=;\"\\"
        for end in text.indices {
            for start in text[..<end].indices { _ = AuthenticateHeader.parse([String(text[start..<end])]) }
        }
    }
}
