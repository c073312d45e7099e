import HTTPBasics
import Testing

@testable import ServerScript

@Suite struct BasicVerificationTests {
    @Test(
        "The right credentials pass, others are told without a value",
        arguments: [
            (["Basic YW5uOnMzY3JldA=="], nil), (["basic YW5uOnMzY3JldA=="], nil),
            ([], "Authorization: wanted Basic credentials, got none"),
            (
                ["Basic YW5uOnMzY3JldB=="],
                "Authorization: wanted Basic credentials, got Basic without a valid base64 token"
            ),
            (["Basic YW5uOng="], "Authorization: wanted the credentials of the script, got other Basic credentials"),
            (["Bearer abc"], "Authorization: wanted Basic credentials, got scheme \"Bearer\""),
            (["topsecret"], "Authorization: wanted Basic credentials, got scheme \"unknown\""),
            (["Basic YQ==", "Basic YQ=="], "Authorization: wanted one field, got 2"),
        ] as [([String], String?)])
    func credentials(values: [String], wanted: String?) {
        let credentials = BasicCredentials(user: "ann", password: "s3cret")
        #expect(BasicVerification.difference(values, credentials) == wanted)
    }
}
