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
        reader.inputClosed(cleanly: true)
        #expect(reader.next() == .body(ByteBuffer(string: "hello")))
        #expect(reader.bufferedByteCount == 0)
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

    @Test(arguments: [
        // what came, the body that is known after the head
        (hello, "hello"), (hello.replacing("hello", with: "hell"), nil), (hello + "x", nil),
        (hello.replacing("5\r\n\r\nhello", with: "0\r\n\r\n"), ""),
        ("HTTP/1.1 204 No Content\r\n\r\n", ""), ("HTTP/1.1 204 No Content\r\n\r\nx", nil),
        ("HTTP/1.1 200 OK\r\n\r\nhello", nil),
        ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", nil),
    ]) func `a body that came whole with its head is known ahead`(text: String, body: String?) {
        var reader = reader(text)
        #expect(reader.wholeRest == nil, "no head, no body")
        _ = reader.next()
        #expect(reader.wholeRest == body.map { ByteBuffer(string: $0) })
        if let body, !body.isEmpty { #expect(reader.next() == .body(ByteBuffer(string: body)), "nothing was consumed") }
    }

    @Test func `a body in two pieces is not known ahead`() {
        var reader = reader(String(Self.hello.dropLast(2)))
        reader.feed(ByteBuffer(string: "lo"))
        _ = reader.next()
        #expect(reader.wholeRest == nil)
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
        let samples = [
            (Self.hello + "x", "GET"), (Self.hello, "HEAD"), ("HTTP/1.1 304 Same\r\n\r\nbody", "GET"),
        ]
        for (text, method) in samples {
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
        #expect(reader.bufferedByteCount > 0)
        #expect(reader.next() == nil)
        reader.begin(method: "GET")
        reader.feed(ByteBuffer(string: Self.hello))
        #expect(reader.next() == .failed(.unsolicitedBytes))
        #expect(!reader.hasReceivedAnyByte)
        #expect(reader.next() == nil)
    }

    // BEHAVIOUR 2.I41
    @Test func `a single byte on the idle connection is one too many`() {
        var reader = reader(Self.hello)
        while reader.next() != nil {}
        reader.feed(ByteBuffer(string: "H"))
        reader.begin(method: "GET")
        #expect(reader.next() == .failed(.unsolicitedBytes))
    }

    // BEHAVIOUR 2.I2
    @Test func `the first byte is enough to tell that it is no HTTP`() {
        var reader = reader("h")
        #expect(reader.next() == .failed(.notHTTP))
    }

    // BEHAVIOUR 2.I1
    @Test func `informational answers are counted for each request by itself`() {
        var limits = WireLimits()
        limits.informationalResponses = 1
        var reader = ResponseReader(limits: limits)
        for _ in 0..<2 {
            reader.begin(method: "GET")
            reader.feed(ByteBuffer(string: "HTTP/1.1 103 Hints\r\n\r\n" + Self.hello))
            var last: ResponseReader.Event?
            while let event = reader.next() { last = event }
            #expect(last == .end(nil))
        }
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
        reader.inputClosed(cleanly: true)
        #expect(reader.next() == nil)
        reader.begin(method: "GET")
        #expect(reader.next() == .failed(.emptyReply))
        #expect(!reader.hasReceivedAnyByte)
    }

    @Test(arguments: [
        // what came, and what is sure to follow it once the head was pulled
        (hello, 0), (hello + "x", 0),
        (hello.replacing("hello", with: "he"), 3), (hello.replacing("hello", with: ""), 5),
        ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhe", 0), ("HTTP/1.1 200 OK\r\n\r\nhe", 0),
        ("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n", 0),
    ])
    func `only what a length promises is sure to come`(text: String, missing: Int) {
        var reader = reader(text)
        #expect(reader.missingBytes == 0)
        _ = reader.next()
        #expect(reader.missingBytes == missing)
        _ = reader.next()
        #expect(reader.missingBytes == missing)
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
}
