import HTTPBasics
import NIOCore
import TestSupport
import Testing

@testable import ClientMachines

/// Where a body ends, and whether its connection may be used again: RFC 9112 6.3.
///
/// BEHAVIOUR 2.I15, 2.I16, 2.I17, 2.I18, 2.I19, 2.I23, 2.I31, 2.I32.
@Suite struct BodyFramingTests {
    private static func ok(_ fields: String, _ body: String = "") -> String {
        "HTTP/1.1 200 OK\r\n\(fields)\r\n\(body)"
    }

    static let lengths: [WireSample] = [
        WireSample("0", ok("Content-Length: 0\r\n"), "1.1 200 OK [Content-Length=0], 0 bytes | end"),
        WireSample(
            "I15 equal list", ok("Content-Length: 2, 2\r\n", "hi"),
            "1.1 200 OK [Content-Length=2, 2], 2 bytes | body hi | end"),
        WireSample(
            "I15 equal fields", ok("content-length: 2\r\nCONTENT-LENGTH: 02\r\n", "hi"),
            "1.1 200 OK [content-length=2; CONTENT-LENGTH=02], 2 bytes | body hi | end"),
        WireSample("I16 different list", ok("Content-Length: 2, 3\r\n"), "failed conflictingLengths"),
        WireSample(
            "I16 different fields", ok("Content-Length: 2\r\nContent-Length: 3\r\n"), "failed conflictingLengths"),
        WireSample(
            "I16 does not matter without a body", ok("Content-Length: 2, 3\r\n"), method: "HEAD",
            "1.1 200 OK [Content-Length=2, 3], unknown length | end"),
        WireSample("I19 empty", ok("Content-Length:\r\n"), "1.1 200 OK [Content-Length=], 0 bytes | end"),
        WireSample(
            "I32 HEAD", ok("Content-Length: 12\r\n"), method: "HEAD",
            "1.1 200 OK [Content-Length=12], 12 bytes | end"),
        WireSample(
            "I32 HEAD chunked", ok("Content-Length: 12\r\nTransfer-Encoding: chunked\r\n"), method: "HEAD",
            "1.1 200 OK [Content-Length=12; Transfer-Encoding=chunked], unknown length | end"),
        WireSample(
            "I32 HEAD with an unknown coding", ok("Transfer-Encoding: br\r\n"), method: "HEAD",
            "1.1 200 OK [Transfer-Encoding=br], unknown length | end"),
        WireSample(
            "I32 204", "HTTP/1.1 204 No\r\nTransfer-Encoding: chunked\r\n\r\n",
            "1.1 204 No [Transfer-Encoding=chunked], unknown length | end"),
        WireSample(
            "I32 304", "HTTP/1.1 304 Same\r\nContent-Length: 5\r\n\r\n",
            "1.1 304 Same [Content-Length=5], 5 bytes | end"),
        WireSample(
            "101", "HTTP/1.1 101 Switch\r\nContent-Length: 5\r\n\r\n",
            "1.1 101 Switch [Content-Length=5], unknown length | end protocolSwitched"),
        WireSample(
            "CONNECT", ok("Content-Length: 5\r\n"), method: "CONNECT",
            "1.1 200 OK [Content-Length=5], unknown length | end tunnelOpened"),
        WireSample(
            "CONNECT refused", "HTTP/1.1 407 No\r\nContent-Length: 2\r\n\r\nno", method: "CONNECT",
            "1.1 407 No [Content-Length=2], 2 bytes | body no | end"),
        WireSample(
            "CONNECT answered beyond 2xx", "HTTP/1.1 300 Many\r\nContent-Length: 2\r\n\r\nno", method: "CONNECT",
            "1.1 300 Many [Content-Length=2], 2 bytes | body no | end"),
    ]

    @Test(arguments: lengths)
    func `Content-Length rules`(sample: WireSample) { sample.check() }

    private static let unusable = [
        "cat", "-5", "+5", "5 5", "0x5", "5.0", "5, cat", "cat, 5", "5, 6, cat", "9223372036854775808",
        "99999999999999999999999999",
    ]

    // BEHAVIOUR 2.I17, 2.I17-kept, 2.I18
    @Test(arguments: unusable, ["", "Connection: close\r\n"])
    func `a length that is no number fails, whatever becomes of the connection`(value: String, connection: String) {
        WireSample(
            value, Self.ok("\(connection)Content-Length: \(value)\r\n", "12345678"), closes: !connection.isEmpty,
            "failed unusableLength"
        ).check()
        WireSample(
            "\(value), HTTP/1.0", "HTTP/1.0 200 OK\r\n\(connection)Content-Length: \(value)\r\n\r\n12345678",
            closes: true,
            "failed unusableLength"
        ).check()
    }

    @Test func `the largest length is one`() {
        WireSample(
            "Int64.max", Self.ok("Content-Length: 9223372036854775807\r\n", "x"), closes: true,
            "1.1 200 OK [Content-Length=9223372036854775807], 9223372036854775807 bytes | body x "
                + "| failed connectionLostInBody"
        ).check()
    }

    @Test(arguments: [
        ("chunked", "end"), ("Chunked", "end"), (" chunked ,", "end"), ("identity, chunked", "end"),
        ("gzip, chunked", "end"), ("x-gzip, deflate, chunked", "end"),
        ("chunked;q=1", "failed unknownTransferCoding"), ("gzip, chunked; a=b", "failed unknownTransferCoding"),
        ("chunked, chunked", "failed unknownTransferCoding"), ("chunked, gzip", "failed unknownTransferCoding"),
        ("br, chunked", "failed unknownTransferCoding"), ("xchunked", "failed unknownTransferCoding"),
        ("gzip, gzip, gzip, chunked", "failed unknownTransferCoding"),
        (String(repeating: "identity, ", count: 15) + "chunked", "end"),
        (String(repeating: "identity, ", count: 16) + "chunked", "failed unknownTransferCoding"),
        (String(repeating: ", ", count: 16) + "gzip, chunked", "failed unknownTransferCoding"),
    ])
    func `Transfer-Encoding rules (I31)`(value: String, ending: String) {
        let fields = "[Transfer-Encoding=\(value.trimmingWhitespace)]"
        let head = "1.1 200 OK \(fields), unknown length"
        WireSample(
            value, Self.ok("Transfer-Encoding: \(value)\r\n", "2\r\nhi\r\n0\r\n\r\n"),
            ending == "end" ? "\(head) | body hi | end" : ending
        ).check()
    }

    @Test func `a list of codings over two fields is one list`() {
        WireSample(
            "two fields", Self.ok("Transfer-Encoding: gzip\r\nTransfer-Encoding: chunked\r\n", "0\r\n\r\n"),
            "1.1 200 OK [Transfer-Encoding=gzip; Transfer-Encoding=chunked], unknown length | end"
        ).check()
    }

    @Test func `more than sixteen codings are refused over many fields as well`() {
        let fields = String(repeating: "Transfer-Encoding: identity\r\n", count: 15)
        WireSample(
            "fifteen and two", Self.ok(fields + "Transfer-Encoding: gzip, chunked\r\n", "0\r\n\r\n"),
            "failed unknownTransferCoding"
        ).check()
    }

    @Test func `gzip without chunked lasts until the connection closes`() {
        WireSample(
            "gzip", Self.ok("Transfer-Encoding: gzip\r\nContent-Length: 2\r\n", "1234"), closes: true,
            "1.1 200 OK [Transfer-Encoding=gzip; Content-Length=2], unknown length | body 1234 | end closeDelimited"
        ).check()
    }

    @Test(arguments: ["identity", ""])
    func `a transfer coding that changes nothing leaves Content-Length in force`(value: String) {
        WireSample(
            value, Self.ok("Transfer-Encoding: \(value)\r\nContent-Length: 2\r\n", "hi"),
            "1.1 200 OK [Transfer-Encoding=\(value); Content-Length=2], 2 bytes | body hi | end"
        ).check()
    }

    @Test(arguments: ["5", "1, 2", "cat"])
    func `chunked wins over any Content-Length, and the connection is not reused (I23)`(length: String) {
        WireSample(
            length, Self.ok("Content-Length: \(length)\r\nTransfer-Encoding: chunked\r\n", "2\r\nhi\r\n0\r\n\r\n"),
            "1.1 200 OK [Content-Length=\(length); Transfer-Encoding=chunked], unknown length | body hi "
                + "| end lengthBesideChunks"
        ).check()
    }

    @Test(arguments: [
        ("1", "", "end"), ("1", "keep-alive", "end"), ("1", "close", "end connectionClose"),
        ("1", "Foo, CLOSE", "end connectionClose"), ("1", "closed", "end"),
        ("1", "keep-alive, close", "end connectionClose"),
        ("0", "", "end oldVersion"), ("0", "Keep-Alive", "end"), ("0", "close", "end connectionClose"),
        ("0", "keep-alive, close", "end connectionClose"), ("2", "", "end"),
    ])
    func `Connection rules (RFC 9112 9.3)`(version: String, value: String, ending: String) {
        let bytes = "HTTP/1.\(version) 200 OK\r\nConnection: \(value)\r\nContent-Length: 2\r\n\r\nhi"
        let head = "1.\(version) 200 OK [Connection=\(value); Content-Length=2], 2 bytes"
        WireSample(value, bytes, "\(head) | body hi | \(ending)").check()
    }

    @Test func `a chunked HTTP/1.0 response is read but not trusted`() {
        WireSample(
            "1.0", "HTTP/1.0 200 OK\r\nConnection: keep-alive\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
            "1.0 200 OK [Connection=keep-alive; Transfer-Encoding=chunked], unknown length | end chunkedInOldVersion"
        ).check()
    }
}
