import HTTPBasics
import Testing

@Suite struct Base64Tests {
    /// RFC 4648 section 10, and the two last letters of the alphabet.
    @Test(arguments: [
        ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="), ("fooba", "Zm9vYmE="),
        ("foobar", "Zm9vYmFy"), ("ann:s3cret", "YW5uOnMzY3JldA=="), ("\u{3F}\u{3E}~", "Pz5+"), ("???", "Pz8/"),
    ])
    func `Bytes and text correspond`(plain: String, encoded: String) {
        #expect(Base64.encode(Array(plain.utf8)) == encoded)
        #expect(Base64.decode(encoded) == Array(plain.utf8))
    }

    @Test(arguments: ["Zg", "Zg=", "Z", "Zg==Zg==", "Zh==", "Zm9=", "====", "A===", "Zm9v\n", " Zm9v", "Zm-_", "Zm9ü"])
    func `What no encoder writes is refused`(text: String) {
        #expect(Base64.decode(text) == nil)
    }

    @Test func `All bytes survive at every length`() {
        let bytes = (0...255).map { UInt8($0) }
        for count in 0...256 {
            #expect(Base64.decode(Base64.encode(bytes.prefix(count))) == Array(bytes.prefix(count)))
        }
    }
}
