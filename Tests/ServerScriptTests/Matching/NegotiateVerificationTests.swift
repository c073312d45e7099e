import HTTPBasics
import Testing

@testable import ServerScript

@Suite struct NegotiateVerificationTests {
    private func difference(_ value: String?, round: Int = 1, behind: String? = nil) -> String? {
        var fields = [Fields.Field("Host", "a.test:80")]
        if let value { fields.append(Fields.Field("Authorization", value)) }
        let head = ReceivedHead(method: "GET", target: "/", fields: Fields(fields), negotiated: behind)
        return NegotiateVerification(NegotiateRule(user: "ann", round: round), head).difference()
    }

    private func field(_ token: String) -> String { "Negotiate \(Base64.encode(Array(token.utf8)))" }

    @Test func `the tokens of the script are taken`() {
        #expect(difference(field("user=ann; service=HTTP@a.test; round=1")) == nil)
        #expect(difference(field("user=ann; service=HTTP@a.test; round=2; after=x"), round: 2, behind: "x") == nil)
    }

    @Test(
        arguments: [
            (nil, "got none"), ("Basic YTpi", "got scheme"), ("Negotiate !", "something else"),
            ("Negotiate \(Base64.encode(Array("user=bob; service=HTTP@a.test; round=1".utf8)))", "another one"),
            ("Negotiate \(Base64.encode(Array("user=ann; service=HTTP@b.test; round=1".utf8)))", "for this host"),
            ("Negotiate \(Base64.encode(Array("user=ann; service=HTTP@a.test; round=2".utf8)))", "of round 1"),
        ] as [(String?, String)])
    func `everything else is told apart`(_ value: String?, _ words: String) {
        #expect(difference(value)?.contains(words) == true)
    }

    @Test func `a proxy is told the token of its own host`() {
        func head(_ host: String) -> ReceivedHead {
            let token = field("user=ann; service=HTTP@\(host); round=1")
            let fields = [Fields.Field("Host", "a.test:80"), Fields.Field("Proxy-Authorization", token)]
            return ReceivedHead(
                method: "CONNECT", target: "a.test:80", fields: Fields(fields), named: "$origin.a.test",
                proxy: "p.test")
        }
        let rule = NegotiateRule(user: "ann", round: 1)
        #expect(NegotiateVerification(rule, head("p.test")).difference() == nil)
        #expect(NegotiateVerification(rule, head("a.test")).difference()?.hasPrefix("Proxy-Authorization: ") == true)
    }

    @Test func `a token counts behind the server's own alone`() {
        let second = field("user=ann; service=HTTP@a.test; round=2; after=x")
        #expect(difference(second, round: 2, behind: "y") != nil)
        #expect(difference(second, round: 2) != nil)
    }
}
