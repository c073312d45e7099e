import HTTPBasics
import NIOCore
import Testing

@testable import ClientMachines

/// BEHAVIOUR 1.I1-stream, 1.I1-mismatch
@Suite struct OutgoingBodyTests {
    /// A body in a box, so that it can change inside an expectation.
    private final class Box {
        var body = OutgoingBody()

        init(length: String? = nil) {
            var request = ClientRequest(method: "PUT", url: TaskBuilder.url)
            request.body = .stream(.first)
            if let length { request.fields.set("Content-Length", length) }
            let start = body.begin(request)
            #expect(start == BodyStart(isWhole: false))
        }

        func wantsRead() -> Bool { body.wantsRead() }

        func feed(_ text: String) -> OutgoingBody.WrongLength? {
            #expect(wantsRead())
            return body.read(ByteBuffer(string: text))
        }

        func end() -> OutgoingBody.WrongLength? {
            #expect(wantsRead())
            return body.end()
        }

        func slices() -> String {
            var text = ""
            while let slice = body.nextPart() {
                switch slice {
                case .bytes(let bytes): text += String(buffer: bytes)
                case .file: text += "?"
                case .end: text += "|"
                }
            }
            return text
        }
    }

    @Test func `a stream without a length says its end`() {
        let box = Box()
        #expect(box.body.expected == nil)
        #expect(box.feed("abc") == nil)
        #expect(box.slices() == "abc")
        #expect(!box.body.isWritten)
        #expect(box.end() == nil)
        #expect(box.slices() == "|")
        #expect(box.body.isWritten)
        #expect(!box.body.isSent, "the end goes over the wire")
        box.body.took(SentBytes(wire: 100, body: 3))
        #expect(box.body.isSent)
        #expect(!box.wantsRead())
    }

    @Test func `one read at a time, and none ahead of the window`() {
        let box = Box()
        let piece = String(repeating: "x", count: OutgoingBody.partBytes)
        for _ in 0..<4 {
            #expect(box.feed(piece) == nil)
            #expect(!box.wantsRead(), "not before what was read has left")
            _ = box.slices()
        }
        #expect(!box.wantsRead(), "the window is full")
        box.body.took(.body(OutgoingBody.partBytes, left: 3 * OutgoingBody.partBytes))
        #expect(box.wantsRead())
        #expect(!box.wantsRead(), "one is under way")
    }

    @Test func `the last announced bytes wait for the end of the stream`() {
        let box = Box(length: "4")
        #expect(box.body.expected == 4)
        #expect(box.feed("abc") == nil)
        #expect(box.slices() == "abc")
        #expect(box.feed("d") == nil)
        #expect(box.slices() == "")
        #expect(box.end() == nil)
        #expect(box.slices() == "d|")
        #expect(box.body.isWritten)
    }

    @Test func `a stream keeps to its length`() {
        let long = Box(length: "3")
        #expect(long.feed("abc") == nil)
        #expect(long.feed("d") == .tooLong)
        let short = Box(length: "3")
        #expect(short.feed("ab") == nil)
        #expect(short.slices() == "ab")
        #expect(short.end() == .tooShort)
    }

    @Test func `a read that gives nothing is no end and no chunk, and loses nothing`() {
        let chunked = Box()
        #expect(chunked.feed("") == nil)
        #expect(chunked.slices() == "")
        #expect(chunked.feed("x") == nil)
        #expect(chunked.slices() == "x")
        let measured = Box(length: "2")
        #expect(measured.feed("ab") == nil)
        #expect(measured.feed("") == nil)
        #expect(measured.end() == nil)
        #expect(measured.slices() == "ab|")
    }

    // BEHAVIOUR 1.I1-slow
    @Test func `the stream is waited for until it ends, and only when everything has left`() {
        let box = Box(length: "1")
        #expect(box.feed("x") == nil)
        #expect(box.wantsRead())
        #expect(!box.body.waitsForCaller, "the head is still under way")
        box.body.took(SentBytes(wire: 8, body: 0))
        #expect(box.body.waitsForCaller)
        let mismatch = box.body.end()
        #expect(mismatch == nil)
        #expect(!box.body.waitsForCaller)
    }

    @Test func `what nobody waits for is dropped`() {
        let box = Box(length: "3")
        let read = box.body.read(ByteBuffer(string: "abcdef")), ended = box.body.end()
        #expect(read == nil)
        #expect(ended == nil)
        #expect(box.slices() == "")
    }

    // MARK: - Bodies in memory

    private static func begin(bytes count: Int) -> (body: OutgoingBody, start: BodyStart) {
        var body = OutgoingBody()
        let bytes = ByteBuffer(repeating: 0, count: count)
        let request = ClientRequest(method: "POST", url: TaskBuilder.url, body: bytes)
        let start = body.begin(request)
        return (body, start)
    }

    @Test(arguments: [(0, [0]), (1, [1]), (65_536, [65_536]), (65_537, [65_536, 1]), (131_072, [65_536, 65_536])])
    func `a body leaves in slices of 64 KiB, the first of them with the head`(count: Int, slices: [Int]) {
        var (body, start) = Self.begin(bytes: count)
        #expect(body.expected == DeclaredLength(counted: count))
        var sizes = [start.bytes.readableBytes]
        while case .bytes(let slice)? = body.nextPart() { sizes.append(slice.readableBytes) }
        #expect(sizes == slices)
        #expect(body.isWritten)
    }

    @Test func `without a body the head is all`() {
        var body = OutgoingBody()
        let start = body.begin(ClientRequest(url: TaskBuilder.url))
        #expect(start == BodyStart(isWhole: true))
        #expect(body.expected == 0)
        #expect(body.isWritten)
    }

    @Test func `bytes of the head are no progress, and no byte is told twice`() {
        var (body, _) = Self.begin(bytes: 10)
        let told = [SentBytes(wire: 8, body: 0, left: 10), .body(4, left: 6), .body(0, left: 6), .body(6)].map {
            bytes in
            body.took(bytes)
            return body.takeUntold()
        }
        #expect(told == [0, 4, 0, 6])
        #expect(body.sent == 10)
    }

    // MARK: - Files

    private static let f = BodyFile(path: "/f"), g = BodyFile(path: "/g")

    @Test func `a file leaves in regions of 512 KiB, two ahead of what was taken`() {
        var body = OutgoingBody()
        let start = body.begin(.file(length: 1_600_000))
        #expect(start == BodyStart(isWhole: false))
        body.took(SentBytes(wire: 8, body: 0))
        var slices: [BodyPart] = []
        while let slice = body.nextPart(of: Self.f) { slices.append(slice) }
        #expect(slices == [.file(offset: 0, count: 524_288), .file(offset: 524_288, count: 524_288)])
        body.took(.body(1_048_576))
        #expect(!body.isHandedOver)
        while let slice = body.nextPart(of: Self.f) { slices.append(slice) }
        #expect(
            slices.dropFirst(2) == [.file(offset: 1_048_576, count: 524_288), .file(offset: 1_572_864, count: 27_136)])
        #expect(body.isHandedOver)
        #expect(!body.isWritten, "until all of it was taken, a file can break the connection")
        body.took(.body(551_424))
        #expect(body.isWritten)
        let told = body.takeUntold()
        #expect(told == 1_600_000)
        #expect(body.isTold)
    }

    // MARK: - Composed bodies

    /// What stands at each offset of the files.
    private static let contents = [f: "0123456789", g: "abcdef"]

    private static let composed = ComposedBody([
        .bytes(ByteBuffer(string: "head ")), .file(f, 2..<8), .bytes(ByteBuffer(string: " middle ")), .file(g, 0..<0),
        .file(g, 0..<6), .file(f, 9..<10), .bytes(ByteBuffer(string: " end")),
    ])

    /// A world that opens what is awaited, and takes so many bytes at a time of what was written.
    private struct Carrier {
        var body = OutgoingBody()
        var open: BodyFile?
        var text = ""
        var opened: [String] = []
        /// Written bytes that are still on their way, and whether the newest are a file's.
        var untaken = 0, endsInFile = false

        init(_ composed: ComposedBody) {
            var request = ClientRequest(method: "PUT", url: TaskBuilder.url)
            request.body = .composed(composed)
            _ = body.begin(request)
        }

        mutating func write() {
            while true {
                while let slice = body.nextPart(of: open) { take(slice) }
                guard let file = body.awaitedFile else { return }
                opened.append(file.path)
                open = file
            }
        }

        private mutating func take(_ slice: BodyPart) {
            switch slice {
            case .bytes(let bytes):
                if endsInFile { #expect(untaken == 0, "bytes behind a file that may have changed") }
                text += String(buffer: bytes)
                (untaken, endsInFile) = (untaken + bytes.readableBytes, false)
            case .file(let offset, let count):
                guard let content = open.flatMap({ OutgoingBodyTests.contents[$0] }) else { return }
                text += content.dropFirst(Int(offset)).prefix(count)
                (untaken, endsInFile) = (untaken + count, true)
            case .end:
                if endsInFile { #expect(untaken == 0, "an end behind a file that may have changed") }
            }
        }

        mutating func run(step: Int) {
            write()
            body.took(SentBytes(wire: 8, body: 0, left: untaken))
            while untaken > 0 {
                let count = min(step, untaken)
                untaken -= count
                body.took(.body(count, left: untaken))
                write()
            }
        }
    }

    @Test(arguments: 1...40) func `stretches leave in order, and nothing behind a file before all of it was taken`(
        step: Int
    ) {
        let whole = "head 234567 middle abcdef9 end"
        for start in 0...whole.utf8.count {
            var carrier = Carrier(Self.composed.dropFirst(Int64(start)))
            carrier.run(step: step)
            #expect(carrier.text == whole.dropFirst(start))
            #expect(carrier.body.isSent)
            #expect(carrier.body.sent == Int64(whole.utf8.count - start))
            #expect(carrier.body.awaitedFile == nil)
        }
    }

    @Test func `each file is opened when its turn comes`() {
        var carrier = Carrier(Self.composed)
        carrier.write()
        #expect(carrier.opened == ["/f"])
        #expect(carrier.text == "head 234567")
        carrier.run(step: 100)
        #expect(carrier.opened == ["/f", "/g", "/f"])
    }

    @Test func `a file that is being opened is waited for when everything before has left`() {
        var body = OutgoingBody()
        var request = ClientRequest(method: "PUT", url: TaskBuilder.url)
        request.body = .composed(ComposedBody([.file(Self.g, 0..<6)]))
        _ = body.begin(request)
        let early = body.nextPart(of: Self.f)
        #expect(early == nil)
        #expect(body.awaitedFile == Self.g)
        #expect(!body.waitsForCaller, "the head is still under way")
        body.took(SentBytes(wire: 8, body: 0))
        #expect(body.waitsForCaller)
        let slice = body.nextPart(of: Self.g)
        #expect(slice == .file(offset: 0, count: 6))
        #expect(!body.waitsForCaller)
    }

    // BEHAVIOUR 1.I2-wait
    @Test(arguments: [
        RequestBody.bytes(ByteBuffer(string: "abc")), .stream(.first), .composed(ComposedBody([.file(f, 0..<3)])),
    ])
    func `nothing of an expected body leaves before its time`(body: RequestBody) {
        var request = ClientRequest(
            method: "PUT", url: TaskBuilder.url, fields: Fields([Fields.Field("expect", "100-Continue")]))
        request.body = body
        var body = OutgoingBody()
        let start = body.begin(request)
        #expect(start == BodyStart(isWhole: false))
        let (early, readsEarly) = (body.nextPart(of: Self.f), body.wantsRead())
        #expect(early == nil)
        #expect(!readsEarly)
        #expect(!body.isWritten)
        body.goOn()
        let (slice, reads) = (body.nextPart(of: Self.f), body.wantsRead())
        #expect(slice != nil || reads)
    }
}

extension SentBytes {
    fileprivate static func body(_ bytes: Int, left: Int = 0) -> SentBytes {
        SentBytes(wire: bytes, body: bytes, left: left)
    }
}
