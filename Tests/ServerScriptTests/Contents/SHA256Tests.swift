import NIOCore
import Testing

@testable import ServerScript

@Suite struct SHA256Tests {
    private func digest(_ bytes: [UInt8], by size: Int = .max) -> String {
        var hash = SHA256(), rest = bytes[...]
        while !rest.isEmpty {
            hash.update(ByteBuffer(bytes: rest.prefix(size)))
            rest = rest.dropFirst(size)
        }
        return hash.digest()
    }

    // FIPS 180-4, examples; and those that sha256sum gives
    @Test(arguments: [
        ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
        ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
        (
            "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
        ),
        ("hello", "2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824"),
    ]) func `digests are those of the standard`(text: String, wanted: String) {
        #expect(digest(Array(text.utf8)) == wanted)
    }

    @Test func `a million bytes, however they come`() {
        let million = [UInt8](repeating: 97, count: 1_000_000)
        let wanted = "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"
        #expect(digest(million, by: 65_536) == wanted)
        #expect(digest(million, by: 997) == wanted)
    }

    @Test func `every length around a block is the same in pieces`() {
        for count in 0...130 {
            let bytes = (0..<count).map { UInt8($0) }
            #expect(digest(bytes) == digest(bytes, by: 1))
        }
    }
}
