import Testing

@testable import ClientMachines

@Suite struct RefusedCredentialsTests {
    private let ann = Credential(user: "ann", password: "s3cret")

    // BEHAVIOUR 2.A5-tried
    @Test(arguments: [
        (AuthenticationScheme.digest, "vault", true), (.digest, "cellar", false), (.basic, "vault", true),
        (.basic, "cellar", true),
    ])
    func `a proof that was refused rules out its realm`(
        scheme: AuthenticationScheme, realm: String, isRuledOut: Bool
    ) {
        var refused = RefusedCredentials()
        refused.add(ann, realm: "vault", .digest)
        #expect(refused.rulesOut(ann, realm: realm, scheme) == isRuledOut)
        #expect(!refused.rulesOut(Credential(user: "ann", password: "other"), realm: realm, scheme))
    }

    @Test func `Basic that was refused says nothing of a proof`() {
        var refused = RefusedCredentials()
        refused.add(ann, realm: "vault", .basic)
        #expect(refused.rulesOut(ann, realm: "cellar", .basic))
        #expect(!refused.rulesOut(ann, realm: "vault", .digest))
    }

    // BEHAVIOUR 2.A5-most
    @Test func `after eight nothing more is tried`() {
        var refused = RefusedCredentials()
        for number in 1...RefusedCredentials.most {
            #expect(!refused.rulesOut(ann, realm: "vault", .basic))
            refused.add(Credential(user: "\(number)", password: ""), realm: "vault", .basic)
        }
        #expect(refused.rulesOut(ann, realm: "vault", .basic))
        refused.add(ann, realm: "vault", .basic)
        #expect(refused.users.count == RefusedCredentials.most && refused.users.last == "ann")
    }
}
