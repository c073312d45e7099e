import HTTPBasics
import NIOCore
import TestSupport
import Testing

@testable import ClientMachines

/// BEHAVIOUR 1.I6, 1.I6-loss, 1.I6-data, 1.I6-gone
@Suite struct ResumableUploadTests {
    private static let supported = offer("6")

    private static func offer(_ version: String?, at place: String = "/u/1") -> ResponseEvent {
        let fields = [("Location", place), ("Upload-Draft-Interop-Version", version)]
        let set = fields.compactMap { name, value in value.map { Fields.Field(name, $0) } }
        return .informational(ResponseHead(status: 104, Fields(set)))
    }

    private static func offset(_ text: String, _ more: [Fields.Field] = []) -> ResponseEvent {
        .head(204, [Fields.Field("Upload-Offset", text)] + more)
    }

    private func builder(_ version: ResumableUploadVersion = .six) -> TaskBuilder {
        var builder = TaskBuilder(.post(bytes: 10))
        builder.plan.resumable = .offer(version)
        builder.plan.asks = []
        return builder
    }

    @Test(arguments: [
        (ResumableUploadVersion.three, "Upload-Incomplete: ?0"), (.five, "Upload-Complete: ?1"),
        (.six, "Upload-Complete: ?1"),
    ])
    func `offer, question and rest are worded as their version has it`(
        version: ResumableUploadVersion, last: String
    ) throws {
        try builder(version).play(.waitingForConnection) { book in
            let number = "Upload-Draft-Interop-Version: \(version.rawValue)\r\n"
            book.feed(.connected(isReused: false))
            let offer = book.machine.headText
            try book.check("offer", offer.contains(number) && offer.contains("\(last)\r\n"))
            book.feed(.event(Self.offer("\(version.rawValue)")), .event(.failed(.connectionLostInHead)))
            book.feed(.connected(isReused: false))
            let question = book.machine.headText
            try book.check("question", question.hasPrefix("HEAD /u/1 ") && question.contains(number))
            try book.check("no offer", !question.contains(last))
            book.feed(.event(Self.offset("4")), .event(.end), .connected(isReused: true))
            let rest = book.machine.headText
            try book.check("rest", rest.hasPrefix("PATCH /u/1 "))
            try book.check(
                "its body", book.take().last, is: .begin(BodyStart(bytes: ByteBuffer(string: "aaaaaa"), isWhole: true)))
            for line in [number, "\(last)\r\n", "Upload-Offset: 4\r\n", "Content-Length: 6\r\n"] {
                try book.check(line, rest.contains(line))
            }
            try book.check("type", rest.contains("application/partial-upload") == (version == .six))
        }
    }

    @Test func `progress goes on from what the server has`() throws {
        try builder().play(.awaitingHead) { book in
            book.feed(.event(Self.supported), .event(.failed(.connectionLostInHead)), .connected(isReused: false))
            book.feed(.event(Self.offset("4")), .event(.end), .connected(isReused: true))
            _ = book.take()
            book.feed(.wrote(head: 200, 6))
            try book.check("sent", book.take().map(\.summary), is: ["tell sent 6, 10 of 10"])
        }
    }

    @Test func `a composed body goes on within the stretch that the server has a part of`() throws {
        let body = ComposedBody([.file(BodyFile(path: "/f"), 10..<16), .bytes(ByteBuffer(string: "end"))])
        for (offset, rest) in [("0", "send file 6 at 10"), ("4", "send file 2 at 14"), ("7", "send nd (2)")] {
            var builder = builder()
            builder.plan.request.body = .composed(body)
            try builder.play { book in
                book.feed(.resume, .bodyFileOpened(length: 16), .connected(isReused: false), .wrote(head: 80, 6))
                book.feed(.event(Self.supported), .event(.failed(.connectionLostInHead)))
                book.feed(.connected(isReused: false), .event(Self.offset(offset)), .event(.end))
                book.feed(.connected(isReused: true))
                try book.check("rest", book.take().map(\.summary).last { $0 != "send end" }, is: rest)
            }
        }
    }

    @Test func `three losses without a new byte end it, and it can be continued later`() throws {
        try builder().play(.awaitingHead) { book in
            book.feed(.event(Self.supported), .event(.failed(.connectionLostInHead)))
            for _ in 0..<2 { book.feed(.connected(isReused: false), .event(.failed(.emptyReply))) }
            try book.check("not yet", book.machine.stage, is: .waitingForConnection)
            _ = book.take()
            book.feed(.connected(isReused: false), .event(.failed(.emptyReply)))
            let ends = Self.failures(book.take())
            try book.check("failure", ends.first?.kind, is: .networkConnectionLost)
            try book.check("location", ends.first?.upload?.location.path, is: "/u/1")
            try book.check("URL", ends.first?.url, is: TaskBuilder.url)
        }
    }

    @Test(arguments: [
        ResponseEvent.head(404), .head(204), offset("x"), offset("11"),
        offset("10", [Fields.Field("Upload-Complete", "?1")]),
    ])
    func `a server that has nothing to go on from ends it`(answer: ResponseEvent) throws {
        try builder().play(.awaitingHead) { book in
            book.feed(.event(Self.supported), .event(.failed(.connectionLostInHead)), .connected(isReused: false))
            _ = book.take()
            book.feed(.event(answer))
            let outputs = book.take()
            try book.check(
                "outputs", outputs.map(\.summary), is: ["abandon", "tell complete networkConnectionLost", "finished"])
            for case .tell(.complete(let failure?)) in outputs { try book.check("no data", failure.upload == nil) }
        }
    }

    @Test func `a conflict about the offset asks for it again`() throws {
        try builder().play(.awaitingHead) { book in
            book.feed(.event(Self.supported), .event(.failed(.connectionLostInHead)), .connected(isReused: false))
            book.feed(.event(Self.offset("4")), .event(.end), .connected(isReused: true))
            _ = book.take()
            book.feed(.wrote(head: 80, 6), .event(.head(409, length: 0)), .event(.end))
            book.feed(.connected(isReused: true))
            _ = book.take()
            try book.check("asked", book.machine.headText.hasPrefix("HEAD /u/1 "))
        }
    }

    @Test(arguments: [(keeps: true, hasToken: true), (false, false)])
    func `a cancel keeps what it is asked to keep`(keeps: Bool, hasToken: Bool) throws {
        try builder().play(.awaitingHead) { book in
            book.feed(.event(Self.supported), .cancel(keepingResumeData: keeps))
            var tokens: [UploadToken?] = []
            for case .tell(.complete(let failure)) in book.take() { tokens.append(failure?.upload) }
            try book.check("completions", tokens.count, is: 1)
            try book.check("token", tokens.first.flatMap { $0 } != nil, is: hasToken)
        }
    }

    // BEHAVIOUR 1.I6-version
    @Test(arguments: [nil, "5", "06", "6, 6"] as [String?])
    func `a 104 of another version is no offer`(version: String?) throws {
        try builder().play(.awaitingHead) { book in
            book.feed(.event(Self.offer(version)), .event(.failed(.connectionLostInHead)))
            try book.check("last", book.take().last?.summary, is: "finished")
        }
    }

    // BEHAVIOUR 1.I6-long
    @Test(arguments: [(65_517, true), (65_518, false), (65_535, false)])
    func `a 104 whose Location makes a URL of more than 64 KiB is no offer`(length: Int, isOffer: Bool) throws {
        try builder().play(.awaitingHead) { book in
            // http://example.com is in front of it.
            let place = "/" + String(repeating: "a", count: length)
            book.feed(.event(Self.offer("6", at: place)), .event(.failed(.connectionLostInHead)))
            try book.check("finished", book.take().last?.summary == "finished", is: !isOffer)
        }
    }

    @Test func `without a 104 a loss is a loss`() throws {
        try builder().play(.awaitingHead) { book in
            book.feed(.event(.failed(.connectionLostInHead)))
            let outputs = ["abandon", "tell complete networkConnectionLost", "finished"]
            try book.check("outputs", book.take().map(\.summary), is: outputs)
        }
    }

    private static let file = BodyFile(path: "/f", version: FileVersion(size: 10, modified: 1))

    private static func continuation(of file: BodyFile?) -> TaskBuilder {
        let token = UploadToken(
            method: "POST", url: TaskBuilder.url, fields: Fields(), version: .six,
            location: URLReference(scheme: "http", host: "example.com", path: "/u/1"), length: 10, sent: 8,
            file: file)
        var builder = TaskBuilder()
        builder.plan.request.body = token.body
        builder.plan.resumable = .goOn(token)
        builder.plan.asks = [.bodyStreamFrom]
        return builder
    }

    // BEHAVIOUR 1.I6-resume
    @Test func `a token goes on with a question, and then with the version of its file that was begun`() throws {
        try Self.continuation(of: Self.file).play { book in
            book.feed(.resume, .connected(isReused: false), .event(Self.offset("4")), .event(.end))
            let first = book.take()
            try book.check("question", first.contains { $0.summary == "begin (0, whole)" })
            try book.check("opened", first.last, is: .openBodyFile(Self.file))
            book.feed(.bodyFileOpened(length: 10), .connected(isReused: true))
            try book.check("rest", book.take().map(\.summary).last, is: "send file 6 at 4")
        }
        try Self.continuation(of: nil).play { book in
            book.feed(.resume, .connected(isReused: false), .event(Self.offset("4")), .event(.end))
            try book.check("asked", book.take().map(\.summary).last, is: "ask body stream from 4")
        }
    }

    // BEHAVIOUR 1.I6-offset
    @Test(arguments: [("8", true), ("9", false), ("11", false), ("9223372036854775807", false), ("-1", false)])
    func `a server cannot have more than went out before`(text: String, isBelieved: Bool) throws {
        for file in [Self.file, nil] {
            try Self.continuation(of: file).play { book in
                book.feed(.resume, .connected(isReused: false), .event(Self.offset(text)))
                let isOver = book.take().map(\.summary).contains("tell complete networkConnectionLost")
                try book.check(text, isOver, is: !isBelieved)
            }
        }
    }

    // BEHAVIOUR 1.I6-offset
    @Test(arguments: [("0", true), ("10", true), ("11", false)])
    func `a server may have what a connection was given, whether or not it took it`(
        text: String, isBelieved: Bool
    ) throws {
        try builder().play(.awaitingHead) { book in
            book.feed(.event(Self.supported), .event(.failed(.connectionLostInHead)), .connected(isReused: false))
            book.feed(.event(Self.offset(text)))
            let isOver = book.take().map(\.summary).contains("tell complete networkConnectionLost")
            try book.check("over", isOver, is: !isBelieved)
        }
    }

    // BEHAVIOUR 1.I6-data
    @Test func `a token names the file as it was opened, and hands that on`() throws {
        var builder = TaskBuilder(.file())
        builder.plan.resumable = .offer(.six)
        try builder.play { book in
            book.feed(.resume, .bodyFileOpened(length: 10), .connected(isReused: false), .event(Self.supported))
            try Self.checkToken(book, sent: 10)
        }
        try Self.continuation(of: Self.file).play { book in
            book.feed(.resume, .connected(isReused: false))
            try Self.checkToken(book, sent: 8)
        }
    }

    // BEHAVIOUR 1.I6-data
    @Test func `there is no token once the final answer has come, though files are still looked at`() throws {
        var builder = TaskBuilder(.file())
        builder.plan.resumable = .offer(.six)
        try builder.play { book in
            book.feed(.resume, .bodyFileOpened(length: 10), .connected(isReused: false), .event(Self.supported))
            book.feed(.event(.plainHead))
            try book.check("stage", book.machine.stage, is: .confirmingBody([]))
            book.feed(.cancel(keepingResumeData: true))
            let failures = Self.failures(book.take())
            try book.check("kind", failures.map(\.kind), is: [.cancelled])
            try book.check("token", failures.map(\.upload), is: [nil])
        }
    }

    private static func failures(_ outputs: [TaskOutput]) -> [Failure] {
        outputs.compactMap { output in
            if case .tell(.complete(let failure)) = output { failure } else { nil }
        }
    }

    private static func checkToken(_ book: Playbook<TaskMachine>, sent: Int64) throws {
        book.feed(.cancel(keepingResumeData: true))
        let tokens = failures(book.take()).compactMap(\.upload)
        try book.check("file", tokens.map(\.file), is: [file])
        try book.check("length", tokens.map(\.length), is: [10])
        try book.check("sent", tokens.map(\.sent), is: [sent])
    }
}
