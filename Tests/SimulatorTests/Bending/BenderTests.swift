import Inflate
import NIOCore
import ServerScript
import Testing

@testable import Simulator

/// What the client gets in place of what the server has sent.
@Suite struct BenderTests {
    private static let head = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\nETag: \"a1b22\"\r\n\r\n"
    private static let chunked = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n1f;x\r\n"

    /// Feeds the answers in pieces of that size.
    private func bent(_ bends: [String], _ answers: String, pieces: Int = .max) throws -> String {
        String(buffer: try bytes(bends, answers, pieces: pieces))
    }

    private func bytes(_ bends: [String], _ answers: String, pieces: Int = .max) throws -> ByteBuffer {
        let bends = try bends.map { try #require(Bend($0)) }
        var bender = try #require(Bender(bends, connection: 0))
        bender.readFromClient(ByteBuffer(string: "GET / HTTP/1.1\r\nHost: a\r\n\r\nGET / HTTP/1.1\r\nHost: a\r\n\r\n"))
        var rest = ByteBuffer(string: answers), output = ByteBuffer()
        while let slice = rest.readSlice(length: min(pieces, rest.readableBytes)), slice.readableBytes > 0 {
            for piece in bender.readFromServer(slice) { output.writeImmutableBuffer(piece) }
        }
        for piece in bender.finish() { output.writeImmutableBuffer(piece) }
        return output
    }

    @Test(
        "A change is made where it is named, and nowhere else",
        arguments: [
            ("code=206", "HTTP/1.1 206 OK\r\nContent-Length: 5\r\nETag: \"a1b22\"\r\n\r\nhello"),
            ("status.1=0", "HTTP/1.0 200 OK\r\nContent-Length: 5\r\nETag: \"a1b22\"\r\n\r\nhello"),
            ("content-length.0=one-more", "HTTP/1.1 200 OK\r\nContent-Length: 6\r\nETag: \"a1b22\"\r\n\r\nhello"),
            ("etag.1=0", "HTTP/1.1 200 OK\r\nContent-Length: 5\r\nETag: \"a1b0\"\r\n\r\nhello"),
            ("etag~removed", "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello"),
            ("etag~emptied", "HTTP/1.1 200 OK\r\nContent-Length: 5\r\nETag: \r\n\r\nhello"),
            ("+age=0", "HTTP/1.1 200 OK\r\nContent-Length: 5\r\nETag: \"a1b22\"\r\nAge: 0\r\n\r\nhello"),
            ("flip=0.0", "ITTP/1.1 200 OK\r\nContent-Length: 5\r\nETag: \"a1b22\"\r\n\r\nhello"),
            ("swap=0.4", "/1.1HTTP 200 OK\r\nContent-Length: 5\r\nETag: \"a1b22\"\r\n\r\nhello"),
            ("swap=55.100", head + "hello"), ("etag.7=0", head + "hello"), ("none~doubled", head + "hello"),
            ("flip=1000.0", head + "hello"), ("chunk.0=0", head + "hello"),
        ])
    func changes(change: String, expected: String) throws {
        for pieces in [Int.max, 7, 1] {
            #expect(try bent(["0:0:\(change)"], Self.head + "hello", pieces: pieces) == expected)
        }
    }

    @Test("A field is doubled, and contradicts itself")
    func doubled() throws {
        #expect(
            try bent(["0:0:content-length~doubled"], Self.head).hasPrefix(
                "HTTP/1.1 200 OK\r\nContent-Length: 5\r\nContent-Length: 5\r\nETag"))
        #expect(
            try bent(["0:0:content-length~contradicted"], Self.head).hasPrefix(
                "HTTP/1.1 200 OK\r\nContent-Length: 5\r\nContent-Length: 6\r\nETag"))
        #expect(try bent(["0:0:etag~huge"], Self.head).utf8.count == Self.head.utf8.count + 65536)
    }

    @Test("The sizes of chunks are numbers, too")
    func chunks() throws {
        #expect(
            try bent(["0:0:chunk.1=2^63"], Self.chunked)
                == Self.chunked.replacing("1f;", with: "8000000000000000;"))
        #expect(try bent(["0:0:chunk.0=one-less"], Self.chunked) == Self.chunked.replacing("5\r\n", with: "4\r\n"))
    }

    @Test("Each answer has its own bends, and several come together")
    func answers() throws {
        let two = Self.head + "hello" + Self.head + "there"
        let bends = ["0:1:code=404", "0:1:content-length.0=one-less", "1:0:code=500"]
        #expect(
            try bent(bends, two)
                == Self.head + "hello" + Self.head.replacing("200", with: "404").replacing(": 5", with: ": 4")
                + "there")
    }

    @Test("What is bent everywhere is bent in every answer")
    func everywhere() throws {
        let two = Self.head + "hello" + Self.head + "there"
        #expect(
            try bent(["every:every:code=404"], two, pieces: 11) == two.replacing("200", with: "404"))
    }

    @Test("A bomb takes the place of what it replaces", arguments: Bomb.allCases)
    func bombs(bomb: Bomb) throws {
        let output = try bytes(["0:0:bomb=\(bomb.rawValue)"], Self.head + "hello")
        #expect(output.readableBytesView.suffix(5).elementsEqual("hello".utf8) == (bomb == .informational))
        if Self.unpacked[bomb] == nil { #expect(output.readableBytes >= 1 << 20) }
    }

    /// How many bytes come out of each coding; nil where it does not matter.
    private static let unpacked: [Bomb: [Int?]] = [
        .gzip: [16 << 20], .gzipInGzip: [nil, 64 << 20], .gzipOfNothing: [20 << 20, 0],
    ]

    @Test(
        "Bombs that are packed unpack into what they promise",
        arguments: unpacked.sorted { $0.key.rawValue < $1.key.rawValue })
    func packed(bomb: Bomb, sizes: [Int?]) throws {
        var output = try bytes(["0:0:bomb=\(bomb.rawValue)"], Self.head + "hello")
        let end = try #require(output.readableBytesView.firstRange(of: Array("\r\n\r\n".utf8)))
        output.moveReaderIndex(to: end.upperBound)
        #expect(output.readableBytes < 100_000)
        let layers = sizes.map { _ in Inflater(.gzip) }
        var counts = sizes.map { _ in 0 }
        func unpack(_ bytes: ByteBuffer, _ layer: Int) throws {
            guard layer < layers.count else { return }
            layers[layer].feed(bytes)
            while let piece = try layers[layer].next(maxBytes: 1 << 20) {
                counts[layer] += piece.readableBytes
                try unpack(piece, layer + 1)
            }
        }
        try unpack(output, 0)
        #expect(zip(counts, sizes).allSatisfy { $1 == nil || $0 == $1 }, "\(counts)")
        #expect(layers.allSatisfy { $0.finish() == nil })
    }

    @Test("What is not bent is not looked at")
    func others() { #expect(Bender([Bend(connection: 1, answer: 0, .code(200))], connection: 0) == nil) }

    @Test("An answer that cannot be read is bent at its offsets")
    func unreadable() throws {
        #expect(try bent(["0:0:flip=1.0", "0:0:code=204"], "no answer\r\n\r\nat all") == "nn answer\r\n\r\nat all")
        #expect(try bent(["0:0:swap=0.2"], "HTTP/1.1 200 OK\r\nDate") == "TPHT/1.1 200 OK\r\nDate")
    }
}
