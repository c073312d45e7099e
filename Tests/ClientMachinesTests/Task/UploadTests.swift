import HTTPBasics
import NIOCore
import Testing

@testable import ClientMachines

/// BEHAVIOUR 1.I1-stream, 1.I1-mismatch
@Suite struct UploadTests {
    private static let head = ByteBuffer(string: "HEAD\r\n\r\n")

    /// An upload in a box, so that it can change inside an expectation.
    private final class Box {
        var upload = Upload()

        init(length: String? = nil) {
            var request = ClientRequest(method: "PUT", url: TaskBuilder.url)
            request.body = .stream(.first)
            if let length { request.fields.set("Content-Length", length) }
            let first = upload.begin(head: UploadTests.head, of: request)
            #expect(first == UploadTests.head)
        }

        func wantsRead() -> Bool { upload.wantsRead() }

        func feed(_ text: String) -> Upload.Mismatch? {
            #expect(wantsRead())
            return upload.read(ByteBuffer(string: text))
        }

        func end() -> Upload.Mismatch? {
            #expect(wantsRead())
            return upload.end()
        }

        func slices() -> String {
            var text = ""
            while let slice = upload.nextSlice() {
                if case .bytes(let bytes) = slice { text += String(buffer: bytes) }
            }
            return text
        }
    }

    @Test func `chunks are framed as RFC 9112 7.1 says`() {
        let box = Box()
        #expect(box.upload.expected == nil)
        #expect(box.feed("0123456789abcdef") == nil)
        #expect(box.slices() == "10\r\n0123456789abcdef")
        #expect(box.feed("x") == nil)
        #expect(box.slices() == "\r\n1\r\nx")
        #expect(!box.upload.isWritten)
        #expect(box.end() == nil)
        #expect(box.slices() == "\r\n0\r\n\r\n")
        #expect(box.upload.isWritten)
        #expect(!box.wantsRead())
    }

    @Test(arguments: 1...40) func `sent bytes are those of the body, however the transport takes them`(step: Int) {
        let box = Box()
        for text in ["0123456789", "abc", "d"] {
            #expect(box.feed(text) == nil)
            _ = box.slices()
        }
        // Head and size line, chunk, line end and size line, chunk, and so on.
        let parts = [(8 + 3, false), (10, true), (5, false), (3, true), (5, false), (1, true)]
        var wire = parts.flatMap { [Bool](repeating: $1, count: $0) }
        while !wire.isEmpty {
            let taken = wire.prefix(step)
            box.upload.took(taken.count)
            let told = box.upload.takeUntold()
            #expect(told == taken.count { $0 })
            wire.removeFirst(taken.count)
        }
        #expect(box.upload.sent == 14)
    }

    /// The head has eight bytes, the framing of "abc" three, that of "d" five.
    @Test(arguments: [
        ([8], [0], [3, 3, 5, 1], [0, 3, 0, 1]),
        ([8 + 3 + 2], [2], [1, 5, 1], [1, 0, 1]),
        ([8 + 3 + 3], [3], [5, 1], [0, 1]),
    ])
    func `a chunk that follows when part of the one before has left is counted behind it`(
        before: [Int], toldBefore: [Int64], after: [Int], toldAfter: [Int64]
    ) {
        let box = Box()
        func take(_ bytes: Int) -> Int64 {
            box.upload.took(bytes)
            return box.upload.takeUntold()
        }
        #expect(box.feed("abc") == nil)
        _ = box.slices()
        #expect(before.map(take) == toldBefore)
        #expect(box.feed("d") == nil)
        _ = box.slices()
        #expect(after.map(take) == toldAfter)
    }

    @Test func `one read at a time, and none ahead of the window`() {
        let box = Box()
        let piece = String(repeating: "x", count: Upload.sliceBytes)
        for _ in 0..<4 {
            #expect(box.feed(piece) == nil)
            #expect(!box.wantsRead(), "not before what was read has left")
            _ = box.slices()
        }
        #expect(!box.wantsRead(), "the window is full")
        box.upload.took(Upload.sliceBytes)
        #expect(box.wantsRead())
        #expect(!box.wantsRead(), "one is under way")
    }

    @Test func `the last announced bytes wait for the end of the stream`() {
        let box = Box(length: "4")
        #expect(box.upload.expected == 4)
        #expect(box.feed("abc") == nil)
        #expect(box.slices() == "abc")
        #expect(box.feed("d") == nil)
        #expect(box.slices() == "")
        #expect(box.end() == nil)
        #expect(box.slices() == "d")
        #expect(box.upload.isWritten)
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
        #expect(chunked.slices() == "1\r\nx")
        let measured = Box(length: "2")
        #expect(measured.feed("ab") == nil)
        #expect(measured.feed("") == nil)
        #expect(measured.end() == nil)
        #expect(measured.slices() == "ab")
    }

    // BEHAVIOUR 1.I1-slow
    @Test func `the stream is waited for until it ends, and only when everything has left`() {
        let box = Box(length: "1")
        #expect(box.feed("x") == nil)
        #expect(box.wantsRead())
        #expect(!box.upload.waitsForCaller, "the head is still under way")
        box.upload.took(Self.head.readableBytes)
        #expect(box.upload.waitsForCaller)
        let mismatch = box.upload.end()
        #expect(mismatch == nil)
        #expect(!box.upload.waitsForCaller)
    }

    @Test func `what nobody waits for is dropped`() {
        let box = Box(length: "3")
        let read = box.upload.read(ByteBuffer(string: "abcdef")), ended = box.upload.end()
        #expect(read == nil)
        #expect(ended == nil)
        #expect(box.slices() == "")
    }

    // MARK: - Bodies in memory

    private static func begin(bytes count: Int) -> (upload: Upload, first: ByteBuffer) {
        var upload = Upload()
        let body = ByteBuffer(repeating: 0, count: count)
        let request = ClientRequest(method: "POST", url: TaskBuilder.url, body: body)
        let first = upload.begin(head: head, of: request)
        return (upload, first)
    }

    @Test(arguments: [(0, [0]), (1, [1]), (65_536, [65_536]), (65_537, [65_536, 1]), (131_072, [65_536, 65_536])])
    func `a body leaves in slices of 64 KiB, the first of them with the head`(count: Int, slices: [Int]) {
        var (upload, first) = Self.begin(bytes: count)
        #expect(upload.expected == DeclaredLength(counted: count))
        var sizes = [first.readableBytes - Self.head.readableBytes]
        while case .bytes(let slice)? = upload.nextSlice() { sizes.append(slice.readableBytes) }
        #expect(sizes == slices)
        #expect(upload.isWritten)
    }

    @Test func `without a body the head is all`() {
        var upload = Upload()
        let first = upload.begin(head: Self.head, of: ClientRequest(url: TaskBuilder.url))
        #expect(first == Self.head)
        #expect(upload.expected == 0)
        #expect(upload.isWritten)
    }

    @Test func `bytes of the head are no progress, and no byte is told twice`() {
        var (upload, _) = Self.begin(bytes: 10)
        let told = [Self.head.readableBytes - 1, 1, 4, 0, 100].map { bytes in
            upload.took(bytes)
            return upload.takeUntold()
        }
        #expect(told == [0, 0, 4, 0, 6])
        #expect(upload.sent == 10)
    }

    // MARK: - Files

    private static let f = BodyFile(path: "/f"), g = BodyFile(path: "/g")

    @Test func `a file leaves in regions of 512 KiB, two ahead of what was taken`() {
        var upload = Upload()
        let first = upload.begin(head: Self.head, of: .file(length: 1_600_000))
        #expect(first == Self.head)
        upload.took(Self.head.readableBytes)
        var slices: [Upload.Slice] = []
        while let slice = upload.nextSlice(of: Self.f) { slices.append(slice) }
        #expect(slices == [.file(offset: 0, count: 524_288), .file(offset: 524_288, count: 524_288)])
        upload.took(1_048_576)
        #expect(!upload.isHandedOver)
        while let slice = upload.nextSlice(of: Self.f) { slices.append(slice) }
        #expect(
            slices.dropFirst(2) == [.file(offset: 1_048_576, count: 524_288), .file(offset: 1_572_864, count: 27_136)])
        #expect(upload.isHandedOver)
        #expect(!upload.isWritten, "until all of it was taken, a file can break the connection")
        upload.took(551_424)
        #expect(upload.isWritten)
        let told = upload.takeUntold()
        #expect(told == 1_600_000)
        #expect(upload.isTold)
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
        var upload = Upload()
        var open: BodyFile?
        var text = ""
        var opened: [String] = []
        /// Written bytes that are still on their way, and whether the newest are a file's.
        var untaken = 0, endsInFile = false

        init(_ body: ComposedBody) {
            var request = ClientRequest(method: "PUT", url: TaskBuilder.url)
            request.body = .composed(body)
            untaken = upload.begin(head: UploadTests.head, of: request).readableBytes
        }

        mutating func write() {
            while true {
                while let slice = upload.nextSlice(of: open) { take(slice) }
                guard let file = upload.awaitedFile else { return }
                opened.append(file.path)
                open = file
            }
        }

        private mutating func take(_ slice: Upload.Slice) {
            switch slice {
            case .bytes(let bytes):
                if endsInFile { #expect(untaken == 0, "bytes behind a file that may have changed") }
                text += String(buffer: bytes)
                (untaken, endsInFile) = (untaken + bytes.readableBytes, false)
            case .file(let offset, let count):
                guard let content = open.flatMap({ UploadTests.contents[$0] }) else { return }
                text += content.dropFirst(Int(offset)).prefix(count)
                (untaken, endsInFile) = (untaken + count, true)
            }
        }

        mutating func run(step: Int) {
            write()
            while untaken > 0 {
                let count = min(step, untaken)
                untaken -= count
                upload.took(count)
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
            #expect(carrier.upload.isSent)
            #expect(carrier.upload.sent == Int64(whole.utf8.count - start))
            #expect(carrier.upload.awaitedFile == nil)
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
        var upload = Upload()
        var request = ClientRequest(method: "PUT", url: TaskBuilder.url)
        request.body = .composed(ComposedBody([.file(Self.g, 0..<6)]))
        _ = upload.begin(head: Self.head, of: request)
        let early = upload.nextSlice(of: Self.f)
        #expect(early == nil)
        #expect(upload.awaitedFile == Self.g)
        #expect(!upload.waitsForCaller, "the head is still under way")
        upload.took(Self.head.readableBytes)
        #expect(upload.waitsForCaller)
        let slice = upload.nextSlice(of: Self.g)
        #expect(slice == .file(offset: 0, count: 6))
        #expect(!upload.waitsForCaller)
    }

    // BEHAVIOUR 1.I2-wait
    @Test(arguments: [
        RequestBody.bytes(ByteBuffer(string: "abc")), .stream(.first), .composed(ComposedBody([.file(f, 0..<3)])),
    ])
    func `nothing of an expected body leaves before its time`(body: RequestBody) {
        var request = ClientRequest(
            method: "PUT", url: TaskBuilder.url, fields: Fields([Fields.Field("expect", "100-Continue")]))
        request.body = body
        var upload = Upload()
        let first = upload.begin(head: Self.head, of: request)
        #expect(first == Self.head)
        let (early, readsEarly) = (upload.nextSlice(of: Self.f), upload.wantsRead())
        #expect(early == nil)
        #expect(!readsEarly)
        #expect(!upload.isWritten)
        upload.goOn()
        let (slice, reads) = (upload.nextSlice(of: Self.f), upload.wantsRead())
        #expect(slice != nil || reads)
    }
}
