import NIOCore
import TestSupport
import Testing

@testable import ClientMachines

/// Nothing that a peer sends may trap, hang, or be read differently because of where the network split it.
@Suite struct ResponseReaderFuzzTests {
    private static let parts = [
        "HTTP/1.1 ", "HTTP/1.0 ", "200 OK", "100 Continue", "204", "304 x", "\r\n", "\r\n", "\r\n\r\n", "\n", "\r", " ",
        "Content-Length: ", "Transfer-Encoding: chunked", "Connection: close", "5", "a", "0\r\n\r\n", "ffffffff", ";x",
        "\0", "\t", ":", "A: b", "hello", "\u{ff}", ",", "gzip", "-1", "9223372036854775807",
    ]

    private func sample(_ generator: inout SeededGenerator) -> ByteBuffer {
        var text = Int.random(in: 0..<3, using: &generator) == 0 ? "" : "HTTP/1.1 200 OK\r\n"
        for _ in 0..<Int.random(in: 1...25, using: &generator) {
            text += Self.parts.randomElement(using: &generator) ?? ""
        }
        var bytes = Array(text.utf8)
        if !bytes.isEmpty && Int.random(in: 0..<5, using: &generator) == 0 {
            bytes[Int.random(in: 0..<bytes.count, using: &generator)] ^= UInt8.random(in: 1...255, using: &generator)
        }
        return ByteBuffer(bytes: bytes)
    }

    private func pieces(of bytes: ByteBuffer, size: Int) -> [ByteBuffer] {
        var rest = bytes
        var pieces: [ByteBuffer] = []
        while let piece = rest.readSlice(length: min(size, rest.readableBytes)), piece.readableBytes > 0 {
            pieces.append(piece)
        }
        return pieces
    }

    @Test func `responses made of fragments never trap, always end, and do not depend on the split`() {
        for seed in 0..<3000 as Range<UInt64> {
            var generator = SeededGenerator(seed: seed)
            let bytes = sample(&generator)
            var expected: String?
            for size in [max(1, bytes.readableBytes), 1, 3] {
                var transcript = ResponseTranscript(method: ["GET", "HEAD", "CONNECT"][Int(seed % 3)])
                transcript.feed(pieces(of: bytes, size: size))
                transcript.close()
                #expect(transcript.events.count <= 3 * bytes.readableBytes + 3, "seed \(seed)")
                // Whether surplus is seen in time depends on when it comes.
                let text = transcript.text.replacing(" surplusBytes", with: "").replacing(" peerClosed", with: "")
                #expect(expected == nil || text == expected, "seed \(seed), pieces of \(size)")
                expected = text
            }
        }
    }

    @Test func `pure noise never traps`() {
        var generator = SeededGenerator(seed: 11)
        for _ in 0..<2000 {
            let noise = (0..<Int.random(in: 0...60, using: &generator)).map { _ in
                UInt8.random(in: 0...255, using: &generator)
            }
            var chunked = ByteBuffer(string: "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")
            chunked.writeBytes(noise)
            for bytes in [ByteBuffer(bytes: noise), chunked] {
                var transcript = ResponseTranscript()
                transcript.feed([bytes])
                transcript.close()
                let last = transcript.lines.last ?? ""
                #expect(last.hasPrefix("failed") || last.hasPrefix("end"))
            }
        }
    }
}
