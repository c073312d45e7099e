import HTTPBasics
import NIOCore
import TestSupport
import Testing

@testable import ClientMachines

/// One response as bytes and what a reader makes of it.
struct WireSample: Sendable, CustomStringConvertible {
    var row: String
    var bytes: String
    var method = "GET"
    /// The peer closes after the bytes; without it the transcript must be complete while the connection is open.
    var closes = false
    var expected: String

    var description: String { row }

    init(_ row: String, _ bytes: String, method: String = "GET", closes: Bool = false, _ expected: String) {
        self.row = row
        self.bytes = bytes
        self.method = method
        self.closes = closes
        self.expected = expected
    }

    /// Plays the sample in every split; what follows a complete response must only show as surplus.
    func check() {
        let trailing = ByteBuffer(string: closes ? "" : "HTTP/1.1 200 OK\r\n\r\n")
        SplitFeeder.feed(ByteBuffer(string: bytes), trailing: trailing) { feeding in
            var transcript = ResponseTranscript(method: method)
            transcript.feed(feeding.pieces)
            if closes { transcript.close() }
            if feeding.trailingBytes > 0, expected.hasSuffix("| end") {
                #expect([expected, expected + " surplusBytes"].contains(transcript.text), "\(feeding)")
                #expect(transcript.reader.bufferedByteCount == feeding.trailingBytes, "\(feeding)")
            } else {
                #expect(transcript.text == expected, "\(feeding)")
            }
        }
    }
}

/// BEHAVIOUR 2.I, row by row.
@Suite struct ResponseReaderTests {
    static let heads: [WireSample] = [
        WireSample(
            "I1 informational",
            "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\nHTTP/1.1 204 Done\r\n\r\n",
            "informational 1.1 100 Continue | informational 1.1 103 Early Hints [Link=</a>] "
                + "| 1.1 204 Done, unknown length | end"),
        WireSample(
            "I1 informational with a body length",
            "HTTP/1.1 100 Continue\r\nContent-Length: 5\r\n\r\nHTTP/1.1 204 Done\r\n\r\n",
            "informational 1.1 100 Continue [Content-Length=5] | 1.1 204 Done, unknown length | end"),
        WireSample("I2 HTTP/0.9", "<html>hello</html>", "failed notHTTP"),
        WireSample("I2 empty line first", "\r\nHTTP/1.1 200 OK\r\n\r\n", "failed notHTTP"),
        WireSample(
            "I3 bare LF", "HTTP/1.1 200 OK\nA: 1\nContent-Length: 2\n\nhi",
            "1.1 200 OK [A=1; Content-Length=2], 2 bytes | body hi | end"),
        WireSample(
            "I4 LF inside a value", "HTTP/1.1 204 OK\r\nA: 1\n2\r\nB: 3\r\n\r\n",
            "1.1 204 OK [A=1; B=3], unknown length | end"),
        WireSample(
            "I5 bare CR inside a value", "HTTP/1.1 204 A\rB\r\nA: 1\r2\r\nB: \r3 \r\r\nC: 4\r\n\r\n",
            "1.1 204 A B [A=1 2; B=3; C=4], unknown length | end"),
        WireSample(
            "I6 no colon", "HTTP/1.1 204 OK\r\nnonsense\r\n continued\r\nA: 1\r\n: empty\r\nB C: 2\r\n\r\n",
            "1.1 204 OK [A=1], unknown length | end"),
        WireSample("I7 NUL in a value", "HTTP/1.1 204 OK\r\nA: 1\02\r\n\r\n", "failed nulInHead"),
        WireSample("I7 NUL in the reason", "HTTP/1.1 204 O\0K\r\n\r\n", "failed nulInHead"),
        WireSample(
            "I8 obs-fold",
            "HTTP/1.1 204 OK\r\nA: BAR  \r\n \t BAZ\r\n\tQUX\r\nB:\r\n 1\r\nC: x\r\n  \r\nD: a  b\r\n\r\n",
            "1.1 204 OK [A=BAR BAZ QUX; B=1; C=x; D=a  b], unknown length | end"),
        WireSample(
            "I8 folded Content-Length", "HTTP/1.1 200 OK\nContent-Length:\n 2\n\nhi",
            "1.1 200 OK [Content-Length=2], 2 bytes | body hi | end"),
        WireSample("I9 fold first", "HTTP/1.1 204 OK\r\n A: 1\r\n\r\n", "failed foldWithoutField"),
        WireSample(
            "I10 blanks around the value", "HTTP/1.1 204 OK\r\nA:1\r\nB: \t 2 \t\r\nC:\r\nD:   \r\n\r\n",
            "1.1 204 OK [A=1; B=2; C=; D=], unknown length | end"),
        WireSample(
            "I11 blanks before the colon", "HTTP/1.1 204 OK\r\nA \t: 1\r\n\r\n",
            "1.1 204 OK [A=1], unknown length | end"),
        WireSample("I12 no reason", "HTTP/1.1 204\r\n\r\n", "1.1 204, unknown length | end"),
        WireSample("I12 blank reason", "HTTP/1.1 204 \r\n\r\n", "1.1 204, unknown length | end"),
        WireSample(
            "I13 status 999", "HTTP/1.1 999 Odd\r\nContent-Length: 0\r\n\r\n",
            "1.1 999 Odd [Content-Length=0], 0 bytes | end"),
        WireSample("I14 status 20", "HTTP/1.1 20 OK\r\n\r\n", "failed badStatusLine"),
        WireSample("I14 status 2000", "HTTP/1.1 2000 OK\r\n\r\n", "failed badStatusLine"),
        WireSample("I14 no status", "HTTP/1.1\r\n\r\n", "failed badStatusLine"),
        WireSample("I14 only blanks", "HTTP/1.1   \r\n\r\n", "failed badStatusLine"),
        WireSample("I14 status 099", "HTTP/1.1 099 OK\r\n\r\n", "failed badStatusLine"),
        WireSample("I14 letters", "HTTP/1.1 2x0 OK\r\n\r\n", "failed badStatusLine"),
        WireSample("I14 a colon for a digit", "HTTP/1.1 20: OK\r\n\r\n", "failed badStatusLine"),
        WireSample("I14 glued reason", "HTTP/1.1 200OK\r\n\r\n", "failed badStatusLine"),
        WireSample(
            "I20 blanks around Content-Length", "HTTP/1.1 200 OK\r\nContent-Length:\t 2 \r\n\r\nhi",
            "1.1 200 OK [Content-Length=2], 2 bytes | body hi | end"),
        WireSample(
            "I37 UTF-8", "HTTP/1.1 204 Gr\u{fc}n\r\nN\u{e4}me: \u{fc}\r\n\r\n",
            "1.1 204 Gr\u{fc}n [N\u{e4}me=\u{fc}], unknown length | end"),
        WireSample("I40 HTTP/1.2", "HTTP/1.2 204 OK\r\n\r\n", "1.2 204 OK, unknown length | end"),
        WireSample("I40 HTTP/3.0", "HTTP/3.0 204 OK\r\n\r\n", "failed unsupportedVersion"),
        WireSample("I40 HTTP/1.", "HTTP/1.\r\n\r\n", "failed unsupportedVersion"),
        WireSample("I40 HTTP/1.:", "HTTP/1.: 204 OK\r\n\r\n", "failed unsupportedVersion"),
        WireSample("I40 HTTP/1.10", "HTTP/1.10 204 OK\r\n\r\n", "failed badStatusLine"),
        WireSample("I40 http/1.1", "http/1.1 204 OK\r\n\r\n", "failed notHTTP"),
        WireSample("I42 HTTP/2 SETTINGS", "\0\0\u{12}\u{4}\0\0\0\0\0", "failed notHTTP"),
        WireSample(
            "I39 redirect without Location", "HTTP/1.1 308\r\nContent-Length: 0\r\n\r\n",
            "1.1 308 [Content-Length=0], 0 bytes | end"),
    ]

    static let endings: [WireSample] = [
        WireSample("I34 nothing", "", closes: true, "failed emptyReply"),
        WireSample("I35 inside the prefix", "HT", closes: true, "failed connectionLostInHead"),
        WireSample("I35 inside a field", "HTTP/1.1 200 OK\r\nA: 1", closes: true, "failed connectionLostInHead"),
        WireSample("I35 before the empty line", "HTTP/1.1 200 OK\r\n", closes: true, "failed connectionLostInHead"),
        WireSample(
            "I35 after an informational response", "HTTP/1.1 100 Continue\r\n\r\n", closes: true,
            "informational 1.1 100 Continue | failed connectionLostInHead"),
        WireSample(
            "I21 body shorter than Content-Length", "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\npart", closes: true,
            "1.1 200 OK [Content-Length=9], 9 bytes | body part | failed connectionLostInBody"),
        WireSample(
            "I29 no last chunk", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\npart\r\n", closes: true,
            "1.1 200 OK [Transfer-Encoding=chunked], unknown length | body part | failed connectionLostInBody"),
        WireSample(
            "I29 inside a chunk", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n9\r\npart", closes: true,
            "1.1 200 OK [Transfer-Encoding=chunked], unknown length | body part | failed connectionLostInBody"),
        WireSample(
            "I29 lone CRLF for the last chunk",
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\npart\r\n\r\n", closes: true,
            "1.1 200 OK [Transfer-Encoding=chunked], unknown length | body part | failed connectionLostInBody"),
        WireSample(
            "I29 inside the trailers", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\nA: 1\r\n",
            closes: true,
            "1.1 200 OK [Transfer-Encoding=chunked], unknown length | failed connectionLostInBody"),
        WireSample(
            "I33 close-delimited", "HTTP/1.1 200 OK\r\n\r\nall of it", closes: true,
            "1.1 200 OK, unknown length | body all of it | end closeDelimited"),
        WireSample(
            "I33 close-delimited and empty", "HTTP/1.1 200 OK\r\n\r\n", closes: true,
            "1.1 200 OK, unknown length | end closeDelimited"),
    ]

    @Test(arguments: heads)
    func `a head is read as table I says`(sample: WireSample) { sample.check() }

    @Test(arguments: endings)
    func `a connection that ends is judged as table I says`(sample: WireSample) { sample.check() }

    // BEHAVIOUR 2.I37
    @Test func `bytes that are not UTF-8 are read as Latin-1 (I37)`() {
        var bytes = ByteBuffer(string: "HTTP/1.1 204 Gr")
        bytes.writeBytes([0xfc, 0x6e])
        bytes.writeString("\rX\r\nA: ")
        bytes.writeBytes([0xe9])
        bytes.writeString("\r\n\r\n")
        SplitFeeder.feed(bytes) { feeding in
            var transcript = ResponseTranscript()
            transcript.feed(feeding.pieces)
            #expect(transcript.text.hasPrefix("1.1 204 Gr\u{fc}n X [A=\u{e9}], unknown length | end"), "\(feeding)")
        }
    }

    // BEHAVIOUR 2.I1
    @Test(arguments: [0, 1, 3])
    func `informational responses are counted (I1)`(limit: Int) {
        var limits = WireLimits()
        limits.informationalResponses = limit
        let sample = String(repeating: "HTTP/1.1 102 Wait\r\n\r\n", count: limit + 1)
        SplitFeeder.feed(ByteBuffer(string: sample)) { feeding in
            var transcript = ResponseTranscript(limits: limits)
            transcript.feed(feeding.pieces)
            #expect(transcript.lines.count == limit + 1, "\(feeding)")
            #expect(transcript.lines.last == "failed tooManyInformationalResponses", "\(feeding)")
        }
    }

    // BEHAVIOUR 2.I36-interim
    @Test func `the heads of informational responses have a bound together`() {
        var limits = WireLimits()
        limits.headBytes = 100
        var reader = ResponseReader(limits: limits)
        reader.begin(method: "GET")
        let interim = "HTTP/1.1 103 Early Hints\r\nLink: </abcdefghi>\r\n\r\n"
        for _ in 1...2 {
            reader.feed(ByteBuffer(string: interim))
            #expect(reader.next()?.isInformational == true)
        }
        reader.feed(ByteBuffer(string: interim))
        #expect(reader.next() == .failed(.headTooLarge))
    }

    // BEHAVIOUR 2.I36
    @Test func `a head may be exactly as large as the limit (I36)`() {
        let head = "HTTP/1.1 204 OK\r\nA: 12345\r\n\r\n"
        for (limit, expected) in [
            (head.utf8.count, "1.1 204 OK [A=12345], unknown length | end"),
            (head.utf8.count - 1, "failed headTooLarge"), (20, "failed headTooLarge"), (0, "failed headTooLarge"),
        ] {
            var limits = WireLimits()
            limits.headBytes = limit
            SplitFeeder.feed(ByteBuffer(string: head), trailing: ByteBuffer()) { feeding in
                var transcript = ResponseTranscript(limits: limits)
                transcript.feed(feeding.pieces)
                #expect(transcript.text == expected, "limit \(limit), \(feeding)")
            }
        }
    }

    // BEHAVIOUR 2.I36
    @Test func `a head that never ends fails at the limit, not at the end of memory (I36)`() {
        var transcript = ResponseTranscript()
        let piece = ByteBuffer(string: String(repeating: "x", count: 1000))
        transcript.feed([ByteBuffer(string: "HTTP/1.1 200 ")])
        for _ in 0..<300 { transcript.feed([piece]) }
        #expect(transcript.text == "failed headTooLarge")
        #expect(transcript.reader.bufferedByteCount == 0)
    }

    // BEHAVIOUR 2.I36
    @Test func `fields are counted (I36)`() {
        #expect(WireLimits().headBytes == 256 * 1024)
        #expect(WireLimits().fieldCount == 5000)
        var limits = WireLimits()
        limits.fieldCount = 2
        for (count, isTooMany) in [(2, false), (3, true)] {
            let fields = String(repeating: "A: 1\r\nskipped\r\n", count: count)
            var transcript = ResponseTranscript(limits: limits)
            transcript.feed([ByteBuffer(string: "HTTP/1.1 204 OK\r\n\(fields)\r\n")])
            #expect((transcript.text == "failed tooManyFields") == isTooMany)
        }
    }
}

extension ResponseReader.Event {
    fileprivate var isInformational: Bool { if case .informational = self { true } else { false } }
}
