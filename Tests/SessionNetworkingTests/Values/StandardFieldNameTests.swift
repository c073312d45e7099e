import Testing

@testable import SessionNetworking

@Suite struct StandardFieldNameTests {
    // BEHAVIOUR 2.F22
    @Test(arguments: [
        ("content-type", "Content-Type"), ("ETAG", "Etag"), ("content-MD5", "Content-Md5"), ("dnt", "Dnt"),
        ("x-foo-BAR", "x-foo-BAR"), ("X-Foo", "X-Foo"), ("wWw-AuthenticatE", "WWW-Authenticate"), ("", ""),
        ("a--b", "A--B"), ("9a-b", "9a-B"), ("é-a", "é-A"),
    ])
    func `in a response`(name: String, shown: String) { #expect(StandardFieldName.inResponse(name) == shown) }

    @Test(arguments: [
        ("content-type", "Content-Type"), ("etag", "ETag"), ("AUTHORIZATION", "Authorization"),
        ("SOAPAction", "SOAPAction"), ("x-custom-key", "x-custom-key"), ("", ""),
    ])
    func `in a request`(name: String, sent: String) { #expect(StandardFieldName.inRequest(name) == sent) }
}
