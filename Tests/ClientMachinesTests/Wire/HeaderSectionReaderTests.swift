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

    /// Else a head that comes byte by byte would cost the square of its length.
    @Test func `each byte is looked at once`() {
        var reader = HeaderSectionReader()
        func read(_ head: String) -> HeaderSectionReader.Outcome {
            ByteBuffer(string: head).withUnsafeReadableBytes { reader.read($0, limits: WireLimits()) }
        }
        #expect(read("HTTP/1.1 200 OK\r\nA: bbb") == .incomplete)
        // What was looked at changes now, against the agreement: only a second look could see it.
        #expect(read("HTTP/1.1 200 OK\r\nA: b\0bbb") == .incomplete)
    }

    // BEHAVIOUR 2.I36
    @Test(arguments: [
        ("HTTP/1.1 200 OK\r\n\r\n", HeaderSectionReader.Outcome.complete(length: 19)),
        ("HTTP/1.1 200 OK\r\nA:", .failed(.headTooLarge)), ("HTTP/1.1 200 OK\r\nA", .incomplete),
    ])
    func `a head that is as large as the limit is complete or fails`(
        head: String, expected: HeaderSectionReader.Outcome
    ) {
        var reader = HeaderSectionReader()
        var limits = WireLimits()
        limits.headBytes = 19
        #expect(ByteBuffer(string: head).withUnsafeReadableBytes { reader.read($0, limits: limits) } == expected)
    }

    // BEHAVIOUR 2.I6, 2.I37
    @Test func `a name has the characters of a token, and any byte beyond US-ASCII`() {
        let token = Set("!#$%&'*+-.^_`|~0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ".utf8)
        for byte in UInt8(33)...255 where byte != UInt8(ascii: ":") {
            var head = ByteBuffer(string: "HTTP/1.1 200 OK\r\nA")
            head.writeInteger(byte)
            head.writeString("B: c\r\n\r\n")
            var reader = HeaderSectionReader()
            _ = head.withUnsafeReadableBytes { reader.read($0, limits: WireLimits()) }
            #expect(reader.lines.count == (byte >= 128 || token.contains(byte) ? 1 : 0), "\(byte)")
        }
    }
}
