import Testing

@testable import ServerScript

/// RFC 7616 3.4, RFC 9110 11.6.2
@Suite struct DigestFieldsTests {
    @Test func `parameters are read by their names`() throws {
        let fields = try DigestFields(" username=\"a\\\"n\\\\n\", NC=00000001 ,qop=auth,\turi=\"/?a=b,c\", nonce=\"\"")
        #expect(fields["username"] == "a\"n\\n")
        #expect(fields["nc"] == "00000001" && fields["qop"] == "auth")
        #expect(fields["uri"] == "/?a=b,c" && fields["nonce"] == "" && fields["opaque"] == nil)
    }

    @Test(arguments: [
        ("username=ann", "username without quotes"), ("nc=\"00000001\"", "nc in quotes"),
        ("nc=1, nc=1", "nc twice"), ("nc=1; qop=auth", "no comma behind nc"),
        ("uri=\"/a", "a quoted value without an end"),
        ("uri=\"/a\\", "a quoted value without an end"), ("nc=", "no value of nc"),
        ("abc", "no parameter where one is due"),
        ("nc=1,,qop=auth", "no parameter where one is due"), ("nc = 1", "no parameter where one is due"),
    ])
    func `what breaks a rule is named`(text: String, wanted: String) {
        #expect(throws: Malformed(wanted)) { try DigestFields(text[...]) }
    }
}
