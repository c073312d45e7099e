import Testing

@testable import Digests

@Suite struct HashFunctionTests {
    // RFC 1321 A.5; FIPS 180-4, examples.
    @Test(arguments: [
        (HashFunction.md5, "", "d41d8cd98f00b204e9800998ecf8427e"),
        (.md5, "abc", "900150983cd24fb0d6963f7d28e17f72"),
        (.sha256, "abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
        (.sha512t256, "abc", "53048e2681941ef99b2e29b76b4c7dabe4c2d0c634fc6d46e0e2f13107e7af23"),
    ]) func `hashes are those of the standards`(function: HashFunction, text: String, wanted: String) {
        #expect(function.hash(text)?.hexadecimal == wanted)
    }

    @Test(arguments: HashFunction.allCases) func `a hash is the same in pieces`(function: HashFunction) throws {
        let bytes = (0...200).map { UInt8($0) }
        let running = try #require(RunningHash(function))
        for byte in bytes { withUnsafeBytes(of: byte) { running.update($0) } }
        #expect(running.finish() == function.hash(bytes))
    }
}
