import Testing

@testable import Digests

@Suite struct AuthenticationCodeTests {
    // RFC 2202 2
    @Test(
        arguments: [
            (Array(repeating: 0x0B, count: 16), "Hi There", "9294727a3638bb1c13f48ef8158bfc9d"),
            (Array("Jefe".utf8), "what do ya want for nothing?", "750c783e6ab0b503eaa86e310a5db738"),
            (
                Array(repeating: 0xAA, count: 80), "Test Using Larger Than Block-Size Key - Hash Key First",
                "6b1ab7fe4bd7bf8f0b62e6ce61b9d0cd"
            ),
        ] as [([UInt8], String, String)])
    func `a code is that of the standard's example`(key: [UInt8], text: String, wanted: String) {
        #expect(HashFunction.md5.authenticationCode(key: key, Array(text.utf8))?.hexadecimal == wanted)
    }
}
