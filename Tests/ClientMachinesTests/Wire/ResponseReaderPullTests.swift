import HTTPBasics
import NIOCore
import TestSupport
import Testing

@testable import ClientMachines

/// What a caller can rely on between the events: pulling, reuse, early ends, and bytes at the wrong time.
@Suite struct ResponseReaderPullTests {
    private func reader(_ text: String, method: String = "GET") -> ResponseReader {
        var reader = ResponseReader(limits: WireLimits())
        reader.begin(method: method)
        reader.feed(ByteBuffer(string: text))
        return reader
    }

    private static let hello = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello"

    @Test func `nothing is consumed past what is pulled`() {
        var reader = reader(Self.hello)
        #expect(reader.bufferedByteCount == Self.hello.utf8.count)
        let head = ResponseHead(status: 200, Fields([.init("Content-Length", "5")]))
        #expect(reader.next() == .head(ResponseHead(status: 200, reason: "OK", fields: head.fields), contentLength: 5))
        #expect(reader.bufferedByteCount == 5)
        reader.inputClosed()
        #expect(reader.next() == .body(ByteBuffer(string: "hello")))
        #expect(!reader.hasBufferedBytes)
        #expect(reader.next() == .end(.peerClosed))
        #expect(reader.next() == nil)
    }

    @Test func `body events share the storage of what was fed`() throws {
        var reader = ResponseReader(limits: WireLimits())
        reader.begin(method: "GET")
        let fed = ByteBuffer(string: Self.hello)
        reader.feed(fed)
        _ = reader.next()
        guard case .body(let body) = reader.next() else {
            Issue.record("no body")
            return
        }
        let fedAddress = fed.withUnsafeReadableBytes { UInt(bitPattern: $0.baseAddress) }
        let address = body.withUnsafeReadableBytes { UInt(bitPattern: $0.baseAddress) }
        #expect(address == fedAddress + UInt(Self.hello.utf8.count - 5))
    }

    @Test func `a head does not keep a large receive buffer alive`() {
        var large = ByteBufferAllocator().buffer(capacity: 64 * 1024)
        large.writeString(Self.hello)
        var reader = ResponseReader(limits: WireLimits())
        reader.begin(method: "GET")
        reader.feed(large)
        withExtendedLifetime(reader.next()) {
            _ = reader.next()
            _ = reader.next()
            let before = large.withUnsafeReadableBytes { UInt(bitPattern: $0.baseAddress) }
            reader = ResponseReader(limits: WireLimits())
            // Writing to storage that nobody else holds does not move it.
            large.setInteger(0, at: 0, as: UInt8.self)
            #expect(large.withUnsafeReadableBytes { UInt(bitPattern: $0.baseAddress) } == before)
        }
    }

    @Test func `one reader serves one response after the other`() {
        var reader = ResponseReader(limits: WireLimits())
        #expect(reader.next() == nil)
        for round in 0..<3 {
            reader.begin(method: round == 1 ? "HEAD" : "GET")
            #expect(!reader.hasReceivedAnyByte)
            reader.feed(ByteBuffer(string: round == 1 ? String(Self.hello.dropLast(5)) : Self.hello))
            #expect(reader.hasReceivedAnyByte)
            var events: [ResponseReader.Event] = []
            while let event = reader.next() { events.append(event) }
            #expect(events.count == (round == 1 ? 2 : 3))
            #expect(events.last == .end(nil))
        }
    }

    @Test func `surplus bytes forbid reuse (I22, I32)`() {
        for (text, method) in [(Self.hello + "x", "GET"), (Self.hello, "HEAD"), ("HTTP/1.1 304 Same\r\n\r\nbody", "GET")] {
            var reader = reader(text, method: method)
            var last: ResponseReader.Event?
            while let event = reader.next() { last = event }
            #expect(last == .end(.surplusBytes), "\(text)")
        }
    }

    @Test func `bytes on the idle connection show, and are never taken for an answer (I41)`() {
        var reader = reader(Self.hello)
        while reader.next() != nil {}
        reader.feed(ByteBuffer(string: "HTTP/1.1 408 Bored\r\nContent-Length: 0\r\n\r\n"))
        #expect(reader.hasBufferedBytes)
        #expect(reader.next() == nil)
        reader.begin(method: "GET")
        reader.feed(ByteBuffer(string: Self.hello))
        #expect(reader.next() == .failed(.unsolicitedBytes))
        #expect(!reader.hasReceivedAnyByte)
        #expect(reader.next() == nil)
    }

    @Test func `a reset is no end of a body, but cannot hurt a complete one`() {
        var delimited = ResponseTranscript()
        delimited.feed([ByteBuffer(string: "HTTP/1.1 200 OK\r\n\r\npart")])
        delimited.close(cleanly: false)
        #expect(delimited.lines.last == "failed connectionLostInBody")

        var complete = reader(Self.hello)
        complete.inputClosed(cleanly: false)
        _ = complete.next()
        _ = complete.next()
        #expect(complete.next() == .end(.peerClosed))
    }

    @Test func `a connection that is closed while idle gives an empty reply (I34)`() {
        var reader = ResponseReader(limits: WireLimits())
        reader.inputClosed()
        #expect(reader.next() == nil)
        reader.begin(method: "GET")
        #expect(reader.next() == .failed(.emptyReply))
        #expect(!reader.hasReceivedAnyByte)
    }

    @Test func `a failure is told once, and what comes later is not held`() {
        var reader = reader("garbage")
        #expect(reader.next() == .failed(.notHTTP))
        reader.feed(ByteBuffer(string: Self.hello))
        reader.begin(method: "GET")
        #expect(reader.next() == nil)
        #expect(reader.bufferedByteCount == 0)
    }

    @Test func `every failure and close reason explains itself`() {
        var text = "Why a response fails on the wire\n\n"
        for failure in WireFailure.allCases {
            text += "\(failure) -> \(failure.kind), blame: \(failure.blame)\n    \(failure.detail)\n"
        }
        text += "\nWhy a connection is not used again\n\n"
        for reason in CloseReason.allCases { text += "\(reason)\n    \(reason.detail)\n" }
        let difference = Goldens.difference(text, from: "wire-words.txt")
        #expect(difference == nil)
    }

    @Test func `random bytes never trap, always end, and give the same in one piece as in many`() {
        let parts = [
            "HTTP/1.1 ", "HTTP/1.0 ", "200 OK", "100 Continue", "204", "304 x", "\r\n", "\r\n", "\r\n\r\n", "\n", "\r", " ",
            "Content-Length: ", "Transfer-Encoding: chunked", "Connection: close", "5", "a", "0\r\n\r\n", "ffffffff", ";x",
            "\0", "\t", ":", "A: b", "hello", "\u{ff}", ",", "gzip", "-1", "9223372036854775807",
        ]
        for seed in 0..<3000 as Range<UInt64> {
            var generator = SeededGenerator(seed: seed)
            var sample = seed % 3 == 0 ? "" : "HTTP/1.1 200 OK\r\n"
            for _ in 0..<Int.random(in: 1...25, using: &generator) {
                sample += parts.randomElement(using: &generator) ?? ""
            }
            var bytes = ByteBuffer(string: sample)
            if seed % 5 == 0 { bytes = ByteBuffer(bytes: sample.utf8.map { $0 ^ (UInt8.random(in: 0...40, using: &generator) == 0 ? 0x80 : 0) }) }
            var expected: String?
            for size in [bytes.readableBytes, 1, 3] {
                var rest = bytes
                var pieces: [ByteBuffer] = []
                while let piece = rest.readSlice(length: min(max(1, size), rest.readableBytes)), piece.readableBytes > 0 {
                    pieces.append(piece)
                }
                var transcript = ResponseTranscript(method: ["GET", "HEAD", "CONNECT"][Int(seed % 3)])
                transcript.feed(pieces)
                transcript.close()
                #expect(transcript.events.count <= 3 * bytes.readableBytes + 3)
                // When surplus is seen depends on when it comes.
                let text = transcript.text.replacing(" surplusBytes", with: "").replacing(" peerClosed", with: "")
                #expect(expected == nil || text == expected, "seed \(seed), pieces of \(size)")
                expected = text
            }
        }
    }
}
