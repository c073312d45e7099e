import Foundation
import HTTPBasics
import Inflate
import NIOCore
import TestSupport
import Testing

@testable import ClientMachines

/// BEHAVIOUR 2.F25, 2.F28, 2.F29, 2.I31.
@Suite struct ContentDecoderTests {
    private static let text = "the quick brown fox"
    private static let gzip = "H4sIAAAAAAACAyvJSFUoLM1MzlZIKsovz1NIy68AAMoCwZETAAAA"
    private static let zlib = "eJwryUhVKCzNTM5WSCrKL89TSMuvAABHjgc0"
    private static let rawDeflate = "K8lIVSgszUzOVkgqyi/PU0jLrwAA"
    private static let gzipOfZlib = "H4sIAAAAAAACA6uYo33SI1RD56zPuTAPrVP654M9Tq9nYHDvYzcBAFsTDOQbAAAA"
    /// 16 MiB of zeros, compressed twice.
    private static let bomb =
        "H4sIAAAAAAACA+3arQ3CYBSG0f4gGgTgEXQMDIKQIFCYasIQOEQTJIYVSKhmBZiCsANBoAmlH0MgmnPUq698ckf7LAqS9HGN42aUh8/5mXUj"
        + "AAAAoOXK+y4NMSDK69t8WQAAAABtt+73Or8o8F4Np84BAAAArVdNxnloAYNXvZklHiUAAADgDy7F4rg9NSP+Ag5zyLbIPwAA"

    private static func bytes(_ base64: String) -> ByteBuffer {
        ByteBuffer(bytes: Data(base64Encoded: base64) ?? Data())
    }

    private func makeDecoder(
        _ content: String?, transfer: String? = nil, status: Int = 200, method: String = "GET"
    ) -> ContentDecoder? {
        var fields = Fields()
        if let content { fields.append("content-encoding", content) }
        if let transfer { fields.append("Transfer-Encoding", transfer) }
        return ContentDecoder(for: ResponseHead(status: status, fields), method: method)
    }

    private func decode(_ decoder: ContentDecoder, _ pieces: [ByteBuffer], maxBytes: Int = 7) -> (String, InflateError?)
    {
        var output = ByteBuffer()
        do {
            for piece in pieces {
                decoder.feed(piece)
                while let bytes = try decoder.next(maxBytes: maxBytes) {
                    #expect(1...maxBytes ~= bytes.readableBytes)
                    output.writeImmutableBuffer(bytes)
                }
            }
            return (String(buffer: output), decoder.finish())
        } catch {
            return (String(buffer: output), error)
        }
    }

    @Test(
        arguments: [
            ("gzip", nil, gzip), ("GZIP", nil, gzip), ("x-gzip", nil, gzip), ("identity, gzip", nil, gzip),
            ("deflate", nil, zlib), ("deflate", nil, rawDeflate), ("deflate, gzip", nil, gzipOfZlib),
            ("deflate ,, gzip", nil, gzipOfZlib), (nil, "gzip, chunked", gzip),
            ("deflate", "gzip, chunked", gzipOfZlib),
            (nil, "deflate, gzip", gzipOfZlib),
        ] as [(String?, String?, String)])
    func `codings are undone from the end of the list`(content: String?, transfer: String?, body: String) throws {
        SplitFeeder.feed(Self.bytes(body)) { feeding in
            guard let decoder = makeDecoder(content, transfer: transfer) else {
                Issue.record("no decoder")
                return
            }
            #expect(decode(decoder, feeding.pieces) == (Self.text, nil), "\(feeding)")
        }
    }

    @Test func `nothing is lost by asking for one byte at a time`() throws {
        let decoder = try #require(makeDecoder("deflate, gzip"))
        #expect(decode(decoder, [Self.bytes(Self.gzipOfZlib)], maxBytes: 1) == (Self.text, nil))
    }

    @Test(arguments: [
        nil, "", "identity", "br", "gzip, br", "br, gzip", "zstd", "gzip, gzip, gzip", "gzipped", ";gzip",
    ])
    func `without a coding, or with one that is not known, the body passes as it is`(content: String?) {
        #expect(makeDecoder(content) == nil)
        #expect(makeDecoder(content, transfer: "chunked") == nil)
    }

    // BEHAVIOUR 2.F28-system
    @Test(
        arguments: [
            ("br", .brotli, true), ("BR", .brotli, true), ("br", .zstd, false), ("zstd", .zstd, true),
            ("zstd", .brotli, false), ("gzip, br", .brotli, true), ("gzip, br", [], false), ("br, zstd", .all, true),
            ("br, zstd", .zstd, false), ("gzip", [], true),
        ] as [(String, KnownCodings, Bool)])
    func `what the world has no library for is unknown`(content: String, known: KnownCodings, isUndone: Bool) {
        let head = ResponseHead(status: 200, Fields([Fields.Field("Content-Encoding", content)]))
        #expect((ContentDecoder(for: head, method: "GET", known) != nil) == isUndone)
        let transfer = ResponseHead(status: 200, Fields([Fields.Field("Transfer-Encoding", content)]))
        #expect((ContentDecoder(for: transfer, method: "GET", known) != nil) == (content == "gzip"))
    }

    @Test func `an unknown Content-Encoding does not hide a known Transfer-Encoding`() throws {
        let decoder = try #require(makeDecoder("br", transfer: "gzip, chunked"))
        #expect(decode(decoder, [Self.bytes(Self.gzip)]) == (Self.text, nil))
    }

    @Test(arguments: [(200, "HEAD"), (204, "GET"), (304, "GET")])
    func `a response without a body needs no decoding`(status: Int, method: String) {
        #expect(makeDecoder("gzip", status: status, method: method) == nil)
    }

    @Test(arguments: ["gzip", "deflate", "gzip, deflate"])
    func `an empty body is fine whatever its coding`(content: String) throws {
        let decoder = try #require(makeDecoder(content))
        #expect(decode(decoder, []) == ("", nil))
        #expect(decode(decoder, [ByteBuffer()]) == ("", nil))
    }

    @Test func `a body that is not what its head says is corrupt`() throws {
        let decoder = try #require(makeDecoder("gzip"))
        #expect(decode(decoder, [ByteBuffer(string: Self.text)]) == ("", .corrupt))
    }

    @Test func `a cut body is truncated, in either coding`() throws {
        let whole = Self.bytes(Self.gzipOfZlib)
        for length in 1..<whole.readableBytes {
            let decoder = try #require(makeDecoder("deflate, gzip"))
            let (text, error) = decode(decoder, [try #require(whole.getSlice(at: 0, length: length))])
            #expect(error == .truncated, "cut at \(length)")
            #expect(Self.text.hasPrefix(text), "cut at \(length)")
        }
    }

    @Test func `a bomb in two codings fills no memory`() throws {
        let decoder = try #require(makeDecoder("gzip, gzip"))
        decoder.feed(Self.bytes(Self.bomb))
        var total = 0
        while let output = try decoder.next(maxBytes: 32 * 1024) {
            #expect(output.capacity <= 64 * 1024)
            total += output.readableBytes
        }
        #expect(total == 16 * 1024 * 1024)
        #expect(decoder.finish() == nil)
    }

    // BEHAVIOUR 2.F28-turn
    @Test func `what comes to nothing uses a turn up as well`() throws {
        let emptyMember: [UInt8] = [0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255, 3, 0, 0, 0, 0, 0, 0, 0, 0, 0]
        let members = Array(repeatElement(emptyMember, count: 3000).joined())
        // A stored block of bare deflate (RFC 1951 3.2.4).
        let length = UInt16(members.count)
        let head = [0, UInt8(length & 255), UInt8(length >> 8), UInt8(~length & 255), UInt8(~length >> 8)]
        let decoder = try #require(makeDecoder("gzip, deflate"))
        for _ in 1...8 { decoder.feed(ByteBuffer(bytes: head + members)) }
        var turns = 0
        while true {
            var budget = TurnBudget()
            budget.goOn()
            #expect(try decoder.next(maxBytes: 65536, budget: &budget) == nil)
            guard budget.isUsedUp else { break }
            turns += 1
        }
        #expect((4...8).contains(turns), "\(turns) turns for 2 x 8 x 60,000 bytes that count eight times each")
    }

    @Test func `each error becomes the code of its kind of task (F29)`() {
        #expect(ContentDecoder.kind(of: .corrupt, isDownload: false) == .cannotDecodeRawData)
        #expect(ContentDecoder.kind(of: .truncated, isDownload: false) == .cannotDecodeRawData)
        #expect(ContentDecoder.kind(of: .corrupt, isDownload: true) == .downloadDecodingFailedMidStream)
        #expect(ContentDecoder.kind(of: .truncated, isDownload: true) == .downloadDecodingFailedToComplete)
    }

    // BEHAVIOUR 2.F28-part
    @Test func `of a part only the transfer codings are undone, unless it is the whole`() throws {
        func decoder(_ range: String?, _ transfer: String? = nil) -> ContentDecoder? {
            var fields = Fields([Fields.Field("Content-Encoding", "gzip")])
            if let range { fields.append("Content-Range", range) }
            if let transfer { fields.append("Transfer-Encoding", transfer) }
            return ContentDecoder(for: ResponseHead(status: 206, fields), method: "GET")
        }
        for range in [nil, "bytes 0-4/10", "bytes 5-9/10", "bytes 0-9/*", "pages 0-9/10"] {
            #expect(decoder(range) == nil)
        }
        #expect(try decode(#require(decoder("bytes 0-9/10")), [Self.bytes(Self.gzip)]) == (Self.text, nil))
        #expect(try decode(#require(decoder("bytes 5-9/10", "gzip")), [Self.bytes(Self.gzip)]) == (Self.text, nil))
    }
}
