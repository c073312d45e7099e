import NIOCore
import Testing

@testable import ClientMachines

@Suite struct HeaderSectionReaderTests {
    /// Writing a head anew costs a copy of it.
    @Test(arguments: [
        ("HTTP/1.1 200 OK\r\nA: b\r\n\r\n", false), ("HTTP/1.1 200 OK\nA: b\n\n", false),
        ("HTTP/1.1 200 OK\r\nA: b\r\n c\r\n\r\n", true), ("HTTP/1.1 200 OK\r\nA: b\rc\r\n\r\n", true),
        ("HTTP/1.1 200 OK\r\nA: b\r\r\n\r\n", true), ("HTTP/1.1 200 OK\r\nA: b\rc\n\n", true),
    ])
    func `only a head with folds or bare returns is written anew`(head: String, isRewritten: Bool) {
        var reader = HeaderSectionReader()
        let outcome = ByteBuffer(string: head).withUnsafeReadableBytes { reader.read($0, limits: WireLimits()) }
        #expect(outcome == .complete(length: head.utf8.count))
        #expect(reader.needsRewriting == isRewritten)
    }
}
