import ClientMachines
import Testing

@Suite struct BasicAuthorizationTests {
    /// The first and the last but one are the examples of RFC 7617.
    @Test(arguments: [
        ("Aladdin", "open sesame", "Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ=="), ("", "", "Basic Og=="),
        ("ann", "", "Basic YW5uOg=="), ("test", "123\u{A3}", "Basic dGVzdDoxMjPCow=="), ("a", ":b", "Basic YTo6Yg=="),
    ])
    func `User and password are joined, in UTF-8`(user: String, password: String, value: String) {
        #expect(BasicAuthorization.fieldValue(Credential(user: user, password: password)) == value)
    }
}
