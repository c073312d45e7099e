import HTTPBasics
import NIOCore
import Testing

@testable import ClientMachines

/// RFC 9112: one exchange after another, its framing, and whose bytes the transport took.
@Suite struct HTTP1CodecTests {
    private static let task = TaskID(1), later = TaskID(2)
    /// Of a request with this body, whose length is 20.
    private static let streamed = {
        var request = ClientRequest(method: "PUT", url: TaskBuilder.url)
        request.body = .stream(.first)
        return request
    }()

    /// A codec whose world is this test.
    private final class Box {
        let codec = HTTP1Codec(for: ConnectionID(7), ClientSettings())
        private(set) var outputs: [ClientOutput] = []

        @discardableResult
        func begin(
            _ request: ClientRequest, first: String = "", isWhole: Bool = false, for task: TaskID = HTTP1CodecTests.task
        ) -> Int {
            let head = OutgoingHead(request: request, authorization: nil, cookies: nil, isAtHome: true)
            return codec.begin(
                task, head, BodyStart(bytes: ByteBuffer(string: first), isWhole: isWhole), into: &outputs)
        }

        func send(_ parts: BodyPart...) {
            for part in parts { codec.send(part, of: HTTP1CodecTests.task, into: &outputs) }
        }

        func takeText() -> String {
            defer { outputs = [] }
            return outputs.map { output in
                switch output {
                case .write(ConnectionID(7), let bytes), .writeHead(ConnectionID(7), let bytes): String(buffer: bytes)
                case .writeFile(ConnectionID(7), let task, let offset, let count):
                    "<\(task.value): \(count) at \(offset)>"
                default: "?"
                }
            }.joined()
        }

        func sent(_ wire: Int) -> SentBytes? {
            codec.took(wire)
            defer { #expect(codec.nextSent() == nil, "named once") }
            return codec.nextSent()?.sent
        }

        func events(_ text: String) -> [ResponseEvent] {
            codec.feed(ByteBuffer(string: text))
            var events: [ResponseEvent] = []
            while let event = codec.next(for: HTTP1CodecTests.task) { events.append(event) }
            return events
        }
    }

    private static let ok = "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"

    @Test func `the first part of a body stands in one write with the head, a head alone is not reported`() {
        let box = Box()
        let count = box.begin(ClientRequest(method: "POST", url: TaskBuilder.url), first: "abc", isWhole: true)
        guard case .write(_, let whole)? = box.outputs.first, box.outputs.count == 1 else {
            return #expect(Bool(false), "\(box.outputs)")
        }
        #expect(whole.readableBytes == count + 3)
        let alone = Box()
        alone.begin(ClientRequest(url: TaskBuilder.url), isWhole: true)
        guard case .writeHead? = alone.outputs.first, alone.outputs.count == 1 else {
            return #expect(Bool(false), "\(alone.outputs)")
        }
    }

    // BEHAVIOUR 1.I1-stream
    @Test func `chunks are framed as RFC 9112 7.1 says`() {
        let box = Box()
        box.begin(Self.streamed)
        _ = box.takeText()
        box.send(.bytes(ByteBuffer(string: "0123456789abcdef")))
        #expect(box.takeText() == "10\r\n0123456789abcdef")
        box.send(.bytes(ByteBuffer(string: "x")), .end)
        #expect(box.takeText() == "\r\n1\r\nx\r\n0\r\n\r\n")
        // The next body begins anew.
        box.begin(Self.streamed)
        _ = box.takeText()
        box.send(.end)
        #expect(box.takeText() == "0\r\n\r\n")
    }

    @Test func `a body whose length stands in the head has no framing`() {
        let box = Box()
        var request = Self.streamed
        request.fields.set("Content-Length", "20")
        box.begin(request)
        _ = box.takeText()
        box.send(.bytes(ByteBuffer(string: "abc")), .file(offset: 3, count: 17), .end)
        #expect(box.takeText() == "abc<1: 17 at 3>")
    }

    @Test(arguments: 1...40) func `sent bytes are those of the body, however the transport takes them`(step: Int) {
        let box = Box()
        let head = box.begin(Self.streamed)
        for text in ["0123456789", "abc", "d"] { box.send(.bytes(ByteBuffer(string: text))) }
        // Head and size line, chunk, line end and size line, chunk, and so on.
        let parts = [(head + 3, false), (10, true), (5, false), (3, true), (5, false), (1, true)]
        var wire = parts.flatMap { [Bool](repeating: $1, count: $0) }
        while !wire.isEmpty {
            let taken = wire.prefix(step)
            wire.removeFirst(taken.count)
            #expect(
                box.sent(taken.count)
                    == SentBytes(wire: taken.count, body: taken.count { $0 }, left: wire.count))
        }
    }

    /// The framing of "abc" has three bytes, that of "d" five.
    @Test(arguments: [
        ([0], [0], [3, 3, 5, 1], [0, 3, 0, 1]), ([3 + 2], [2], [1, 5, 1], [1, 0, 1]), ([3 + 3], [3], [5, 1], [0, 1]),
    ])
    func `a chunk that follows when part of the one before has left is counted behind it`(
        before: [Int], bodyBefore: [Int], after: [Int], bodyAfter: [Int]
    ) {
        let box = Box()
        let head = box.begin(Self.streamed)
        func take(_ bytes: Int) -> Int { box.sent(bytes)?.body ?? 0 }
        #expect(take(head) == 0)
        box.send(.bytes(ByteBuffer(string: "abc")))
        #expect(before.map(take) == bodyBefore)
        box.send(.bytes(ByteBuffer(string: "d")))
        #expect(after.map(take) == bodyAfter)
    }

    @Test func `what the transport still had of an earlier request is not the later one's`() {
        let box = Box()
        let head = box.begin(ClientRequest(method: "POST", url: TaskBuilder.url), first: "abc", isWhole: true)
        #expect(box.sent(head) == SentBytes(wire: head, body: 0, left: 3))
        #expect(box.events(Self.ok).last == .end)
        #expect(box.codec.end(Self.task))
        #expect(box.sent(1) == nil, "nobody's")
        let next = box.begin(
            ClientRequest(method: "POST", url: TaskBuilder.url), first: "d", isWhole: true, for: Self.later)
        #expect(box.sent(2) == nil)
        #expect(box.sent(next + 1) == SentBytes(wire: next + 1, body: 1, left: 0))
    }

    @Test func `an answer is its task's alone`() {
        let box = Box()
        box.begin(ClientRequest(url: TaskBuilder.url), isWhole: true)
        box.codec.feed(ByteBuffer(string: Self.ok))
        #expect(box.codec.nextHeard() == Self.task)
        #expect(box.codec.nextHeard() == nil, "named once")
        #expect(box.codec.next(for: Self.later) == nil)
        #expect(box.codec.received(by: Self.later) == nil)
        #expect(box.codec.wholeRest(for: Self.later) == nil)
        #expect(box.codec.next(for: Self.task) != nil)
        #expect(box.codec.received(by: Self.task)?.head == 38)
    }

    @Test(arguments: [
        (ok, true), (ok.replacing("\r\n\r\n", with: "\r\nConnection: close\r\n\r\n"), false), (ok + "x", false),
    ])
    func `a connection carries another exchange after an answer that ends well`(answer: String, isGood: Bool) {
        let box = Box()
        box.begin(ClientRequest(url: TaskBuilder.url), isWhole: true)
        #expect(box.events(answer).last == .end)
        #expect(box.codec.end(Self.task) == isGood)
    }

    @Test func `a connection whose exchange was given up carries no other`() {
        let box = Box()
        box.begin(ClientRequest(url: TaskBuilder.url), isWhole: true)
        #expect(!box.codec.abandon(Self.task))
    }

    @Test func `what came behind a switch of protocols is there for the next one, and nothing else is`() {
        let box = Box()
        box.begin(ClientRequest(url: TaskBuilder.url), isWhole: true)
        #expect(box.codec.takeUnread() == [], "an answer is not over")
        #expect(box.events("HTTP/1.1 101 Switching Protocols\r\n\r\n\u{1}frame").last == .end)
        #expect(!box.codec.end(Self.task))
        #expect(box.codec.takeUnread() == [ByteBuffer(string: "\u{1}frame")])
        #expect(box.codec.takeUnread() == [])
    }
}
