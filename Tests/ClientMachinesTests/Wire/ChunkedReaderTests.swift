import NIOCore
import TestSupport
import Testing

@testable import ClientMachines

/// BEHAVIOUR 2.I24, 2.I25, 2.I26, 2.I27, 2.I28, 2.I29, 2.I30.
@Suite struct ChunkedReaderTests {
    private static let head = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
    private static let headLine = "1.1 200 OK [Transfer-Encoding=chunked], unknown length"

    private func check(_ chunks: String, _ expected: String) {
        WireSample(chunks, Self.head + chunks, "\(Self.headLine) | \(expected)").check()
    }

    @Test(arguments: [
        ("0\r\n\r\n", "end"),
        ("5\r\nhello\r\n0\r\n\r\n", "body hello | end"),
        ("1\r\na\r\n002\r\nbc\r\n000\r\n\r\n", "body abc | end"),
        (
            "9\r\n012345678\r\nF\r\n9abcdefghijklmn\r\nf\r\nopqrstuvwxyzABC\r\n0\r\n\r\n",
            "body 0123456789abcdefghijklmnopqrstuvwxyzABC | end"
        ),
        ("a\r\n0123456789\r\nA\r\n0123456789\r\n0\r\n\r\n", "body 01234567890123456789 | end"),
        // I25
        ("2\nhi\n0\n\n", "body hi | end"),
        // I26
        ("2;name=value\r\nhi\r\n0;\r\n\r\n", "body hi | end"),
        ("2 ; name=\"a;b\"\r\nhi\r\n0\r\n\r\n", "body hi | end"),
        ("2 \t\r\nhi\r\n0\r\n\r\n", "body hi | end"),
        // I27
        ("\r\n2\r\nhi\r\n\r\n\r\n0\r\n\r\n", "body hi | end"),
        ("0000000000000002\r\nhi\r\n0\r\n\r\n", "body hi | end"),
        // I30
        ("2\r\nhi\r\n0\r\nDigest: x\r\nnonsense\r\n folded\r\n\r\n", "body hi | end"),
    ])
    func `chunks are joined`(chunks: String, expected: String) { check(chunks, expected) }

    @Test(arguments: [
        // I24
        ("x\r\n", "failed badChunkSize"), (";\r\n", "failed badChunkSize"), ("-1\r\n", "failed badChunkSize"),
        ("/\r\n", "failed badChunkSize"), (":\r\n", "failed badChunkSize"), ("@\r\n", "failed badChunkSize"),
        ("G\r\n", "failed badChunkSize"), ("`\r\n", "failed badChunkSize"), ("g\r\n", "failed badChunkSize"),
        ("0x2\r\n", "failed badChunkSize"), ("2\rx", "failed badChunkSize"), ("2,\r\n", "failed badChunkSize"),
        ("2\r\r\n", "failed badChunkSize"), ("2\r;x\r\n", "failed badChunkSize"),
        // I27
        (" 2\r\n", "failed badChunkSize"), ("\rx", "failed badChunkSize"),
        // I28
        ("8000000000000000\r\n", "failed badChunkSize"), ("ffffffffffffffff\r\n", "failed badChunkSize"),
        ("00000000000000002\r\n", "failed badChunkSize"), ("11111111111111111\r\n", "failed badChunkSize"),
        ("2\r\nhiX", "body hi | failed badChunkEnd"), ("2\r\nhi\rX", "body hi | failed badChunkEnd"),
        ("2\r\nhi0\r\n", "body hi | failed badChunkEnd"), ("2\r\nhi\r\r\n", "body hi | failed badChunkEnd"),
    ])
    func `what cannot be a chunk fails`(chunks: String, expected: String) { check(chunks, expected) }

    @Test func `the largest size is one`() {
        let sample = WireSample(
            "Int64.max", Self.head + "7fffffffffffffff\r\nabc", closes: true,
            "\(Self.headLine) | body abc | failed connectionLostInBody")
        sample.check()
    }

    @Test(arguments: [(9, "body hi | end"), (8, "failed chunkLineTooLong")])
    func `a size line has a limit (I26)`(limit: Int, expected: String) {
        checkLimited("2;abcde\r\nhi\r\n0\r\n\r\n", expected) { $0.chunkLineBytes = limit }
    }

    @Test(arguments: [(9, "body hihi | end"), (8, "body hi | failed chunkLineTooLong")])
    func `every size line has the whole limit (I26)`(limit: Int, expected: String) {
        checkLimited("2;abcd\r\nhi\r\n2;abcde\r\nhi\r\n0\r\n\r\n", expected) { $0.chunkLineBytes = limit }
    }

    @Test func `the line end behind a chunk counts against no size line`() {
        checkLimited("2\nhi\r\n0\n\n", "body hi | end") { $0.chunkLineBytes = 2 }
    }

    @Test func `empty lines before a size count against the limit of its line`() {
        checkLimited(String(repeating: "\r\n", count: 20), "failed chunkLineTooLong") { $0.chunkLineBytes = 30 }
    }

    @Test(arguments: [(8, "end"), (7, "failed trailersTooLarge")])
    func `trailers have a limit (I30)`(limit: Int, expected: String) {
        checkLimited("0\r\nA: 1\r\n\r\n", expected) { $0.trailerBytes = limit }
    }

    private func checkLimited(_ chunks: String, _ expected: String, _ limit: (inout WireLimits) -> Void) {
        var limits = WireLimits()
        limit(&limits)
        SplitFeeder.feed(ByteBuffer(string: Self.head + chunks), trailing: ByteBuffer()) { feeding in
            var transcript = ResponseTranscript(limits: limits)
            transcript.feed(feeding.pieces)
            #expect(transcript.text == "\(Self.headLine) | \(expected)", "\(feeding)")
        }
    }
}
