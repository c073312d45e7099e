import HTTPBasics
import MachineContract
import NIOCore
import TestSupport
import Testing

@testable import ClientMachines

/// Stage `awaitingHead`: the request goes out, the head comes in.
@Suite struct AwaitingHeadTests {
    @Test func `informational answers are told and change nothing`() throws {
        try TaskBuilder().play(.awaitingHead) { book in
            let hints = ResponseHead(status: 103)
            book.feed(.event(.informational(hints)))
            try book.expect(.tell(.informational(Response(head: hints, url: TaskBuilder.url, expectedLength: nil))))
            try book.check("stage", book.machine.stage, is: .awaitingHead)
        }
    }

    @Test func `every byte that arrives ends the silence, even without an event`() throws {
        try TaskBuilder().play(.awaitingHead) { book in
            for _ in 0..<5 {
                try book.advance(by: .seconds(59))
                book.feed(.arrived)
            }
            try book.expect()
            try book.expectDeadline(in: .seconds(60))
        }
    }

    @Test func `every byte that leaves ends the silence`() throws {
        try TaskBuilder(.post(bytes: 100_000)).play(.awaitingHead) { book in
            try book.advance(by: .seconds(59))
            book.feed(.wrote(head: 10, left: 65_600))
            try book.expectDeadline(in: .seconds(60))
            _ = book.take()
        }
    }

    @Test func `a large body leaves in slices, a window ahead of what was taken`() throws {
        try TaskBuilder(.post(bytes: 500_000)).play(.waitingForConnection) { book in
            book.feed(.connected(isReused: false))
            try book.check("the first slice leaves with the head", book.take().map(\.summary), is: ["begin (65536)"])
            book.feed(.wrote(head: 80, left: 65_536))
            // Nothing of the body was taken: four slices make the window.
            try book.check("slices", Self.sizes(book.take()), is: [65_536, 65_536, 65_536])
            book.feed(.wrote(65_536, left: 196_608))
            let outputs = book.take()
            try book.check("first", outputs.first?.summary, is: "tell sent 65536, 65536 of 500000")
            try book.check("slices", Self.sizes(outputs), is: [65_536])
            book.feed(.wrote(262_144))
            try book.check("slices", Self.sizes(book.take()), is: [65_536, 65_536, 41_248])
            book.feed(.wrote(172_320))
            try book.check("outputs", book.take().map(\.summary), is: ["tell sent 172320, 500000 of 500000"])
        }
    }

    @Test func `a suspended upload sends nothing and goes on when resumed`() throws {
        try TaskBuilder(.post(bytes: 500_000)).play(.awaitingHead) { book in
            book.feed(.suspend, .wrote(head: 80, 65_536))
            try book.check("nothing is written", Self.sizes(book.take()).isEmpty)
            book.feed(.resume)
            try book.check("the body goes on", !Self.sizes(book.take()).isEmpty)
        }
    }

    // BEHAVIOUR 1.I1-slow
    @Test func `a slow stream is no silence of the server's`() throws {
        try TaskBuilder(.streamed()).play(.awaitingHead) { book in
            try book.check("the timer runs", book.machine.deadline, is: book.now + .seconds(60))
            book.feed(.wrote(head: 80))
            try book.check("the caller's turn", book.machine.deadline, is: .zero + .seconds(604_800))
            book.feed(.bodyRead(.first, .bytes(ByteBuffer(string: "abc"))))
            try book.check("the peer's turn", book.machine.deadline, is: book.now + .seconds(60))
            _ = book.take()
        }
    }

    // BEHAVIOUR 1.I5-same
    @Test func `a file is opened before anybody connects, and its length then is what is announced`() throws {
        try TaskBuilder(.file()).play { book in
            book.feed(.resume)
            try book.check("opened", book.take().map(\.summary), is: ["open /f"])
            book.feed(.suspend, .bodyFileOpened(length: 1000))
            try book.check("nothing yet", book.take().isEmpty)
            book.feed(.resume, .connected(isReused: true))
            let sent = ["acquire http://example.com", "begin (0)", "send file 1000 at 0"]
            try book.check("sent", book.take().map(\.summary), is: sent)
            book.feed(.event(.failed(.emptyReply)), .connected(isReused: false))
            let again = ["abandon", "acquire fresh http://example.com"] + sent.dropFirst()
            try book.check("sent again without opening it again", book.take().map(\.summary), is: again)
        }
    }

    // BEHAVIOUR 1.I5
    @Test func `what happens to its file fails the task, wherever that stands`() throws {
        try TaskBuilder(.file()).play { book in
            book.feed(.resume, .bodyFileFailed(.fileDoesNotExist, detail: "gone"))
            let outputs = ["open /f", "tell complete fileDoesNotExist", "finished"]
            try book.check("outputs", book.take().map(\.summary), is: outputs)
        }
        try TaskBuilder(.file(length: 9)).play(.openingBody) { book in
            book.feed(.bodyFileOpened(length: 9), .connected(isReused: false))
            _ = book.take()
            book.feed(.bodyFileFailed(.requestBodyStreamExhausted, detail: "shorter"))
            let outputs = ["abandon", "tell complete requestBodyStreamExhausted", "finished"]
            try book.check("outputs", book.take().map(\.summary), is: outputs)
        }
    }

    private static let parts: ClientRequest = {
        var request = ClientRequest(method: "PUT", url: TaskBuilder.url)
        request.body = .composed(
            ComposedBody([
                .bytes(ByteBuffer(string: "one")), .file(BodyFile(path: "/f"), 0..<6),
                .bytes(ByteBuffer(string: "two")), .file(BodyFile(path: "/g"), 5..<9),
                .bytes(ByteBuffer(string: "three")),
            ]))
        return request
    }()

    /// From the head to the end of the first file.
    private static let firstHalf = ["begin (0)", "send one (3)", "send file 6 at 0"]

    /// Plays on when the first half of the parts has been handed over.
    private func playParts(
        asks: QuestionKinds = [.redirect], isReused: Bool = false, _ body: (Playbook<TaskMachine>) throws -> Void
    ) throws {
        var builder = TaskBuilder(Self.parts)
        builder.plan.asks = asks
        try builder.play { book in
            book.feed(.resume)
            try book.check("opened before anybody connects", book.take().map(\.summary), is: ["open /f"])
            book.feed(.bodyFileOpened(length: 6), .connected(isReused: isReused))
            let sent = ["acquire http://example.com"] + Self.firstHalf
            try book.check("to the first file's end", book.take().map(\.summary), is: sent)
            try body(book)
        }
    }

    // BEHAVIOUR 3.A1-changed
    @Test func `a composed body goes out stretch by stretch, and nothing follows a file that was not taken`() throws {
        try playParts { book in
            book.feed(.wrote(head: 82, 3 + 5, left: 1))
            try book.check("held back", book.take().map(\.summary), is: ["tell sent 8, 8 of 21"])
            book.feed(.wrote(1))
            let next = ["tell sent 1, 9 of 21", "send two (3)", "open /g"]
            try book.check("the file is what it was", book.take().map(\.summary), is: next)
            book.feed(.bodyFileOpened(length: 100), .wrote(3 + 4))
            let last = ["send file 4 at 5", "tell sent 7, 16 of 21", "send three (5)", "send end"]
            try book.check("to the end", book.take().map(\.summary), is: last)
        }
    }

    // BEHAVIOUR 3.A1-again
    @Test func `a composed body is sent again without a question, and an open file is not opened again`() throws {
        try playParts(asks: [.bodyStream], isReused: true) { book in
            book.feed(.event(.failed(.emptyReply)), .connected(isReused: true))
            let again = ["abandon", "acquire fresh http://example.com"] + Self.firstHalf
            try book.check("again", book.take().map(\.summary), is: again)
            book.feed(.wrote(head: 82, 9))
            let next = ["tell sent 9, 9 of 21", "send two (3)", "open /g"]
            try book.check("the second time", book.take().map(\.summary), is: next)
        }
    }

    @Test func `a file that an attempt was still opening when it ended is answered before another is asked for`() throws
    {
        try playParts(isReused: true) { book in
            book.feed(.wrote(head: 82, 9))
            try book.check("the second is asked for", book.take().map(\.summary).last, is: "open /g")
            book.feed(.event(.failed(.emptyReply)))
            try book.check("waits", book.take().map(\.summary), is: ["abandon"])
            book.feed(.bodyFileOpened(length: 9), .bodyFileOpened(length: 6))
            let next = ["open /f", "acquire fresh http://example.com"]
            try book.check("goes on", book.take().map(\.summary), is: next)
        }
    }

    // BEHAVIOUR 1.I1-slow
    @Test func `a slow disk is no silence of the server's`() throws {
        try playParts { book in
            book.feed(.wrote(head: 82, 3 + 6), .wrote(3))
            try book.check("the caller's turn", book.machine.deadline, is: .zero + .seconds(604_800))
            book.feed(.bodyFileOpened(length: 9))
            try book.check("the peer's turn", book.machine.deadline, is: book.now + .seconds(60))
            _ = book.take()
        }
    }

    // BEHAVIOUR 3.A1-missing
    @Test func `a file that is missing when its turn comes fails the task, unless a redirect dropped the body`() throws
    {
        try playParts { book in
            book.feed(.wrote(head: 82, 9), .bodyFileFailed(.requestBodyStreamExhausted, detail: "gone"))
            let outputs = ["abandon", "tell complete requestBodyStreamExhausted", "finished"]
            try book.check("outputs", Array(book.take().map(\.summary).suffix(3)), is: outputs)
        }
        try playParts { book in
            let other = ResponseEvent.head(303, [Fields.Field("Location", "/b")], length: 0)
            book.feed(.wrote(head: 82, 9), .event(other), .answer(.redirect(TaskBuilder.next)))
            book.feed(.event(.end), .bodyFileFailed(.requestBodyStreamExhausted, detail: "gone"))
            try book.check("goes on", book.take().map(\.summary).last, is: "acquire http://example.com")
        }
    }

    // BEHAVIOUR 1.I2-wait
    @Test func `an expected body leaves after the 100, or after a second`() throws {
        for isAsked in [true, false] {
            try TaskBuilder(.expecting()).play(.waitingForConnection) { book in
                book.feed(.connected(isReused: false))
                try book.check("head alone", book.take().count, is: 1)
                try book.expectDeadline(in: .seconds(1))
                if isAsked { book.feed(.event(.informational(ResponseHead(status: 100)))) }
                if !isAsked { try book.advance(by: .seconds(1)) }
                try book.check("body", Self.sizes(book.take()), is: [3])
                try book.check("no second time", book.machine.deadline, is: book.now + .seconds(isAsked ? 60 : 59))
            }
        }
    }

    // BEHAVIOUR 1.I2-wait
    @Test func `a suspended task does not give its expectation up`() throws {
        try TaskBuilder(.expecting()).play(.awaitingHead) { book in
            book.feed(.suspend)
            try book.advance(by: .seconds(5))
            book.feed(.timePassed)
            try book.check("nothing", book.take().isEmpty)
            book.feed(.resume)
            try book.check("still waiting", book.take().isEmpty)
            book.feed(.timePassed)
            try book.check("body", Self.sizes(book.take()), is: [3])
        }
    }

    // BEHAVIOUR 1.I2-417
    @Test func `a refused expectation is dropped once, and a second 417 is the answer`() throws {
        try TaskBuilder(.expecting()).play(.awaitingHead) { book in
            book.feed(.event(.head(417, length: 0)), .event(.end))
            let changed = book.take().map(\.summary)
            // The body was not sent, so that nothing can follow on this connection.
            try book.check(
                "again", changed,
                is: ["abandon", "tell request PUT http://example.com/a", "acquire http://example.com"])
            book.feed(.connected(isReused: false), .event(.head(417, length: 0)))
            try book.check("answer", book.take().map(\.summary).last, is: "ask response 417")
        }
    }

    // BEHAVIOUR 1.I2-final
    @Test func `after a final answer an expected body stays`() throws {
        try TaskBuilder(.expecting()).play(.awaitingHead) { book in
            book.feed(.event(.plainHead), .answer(.response(allow: true)))
            _ = book.take()
            try book.expectDeadline(in: .seconds(60))
            book.feed(.event(.body("01234567890123456789")), .delivered(bytes: 20), .event(.end))
            try book.check("ended", book.take().map(\.summary).suffix(3), is: ["abandon", "tell complete", "finished"])
        }
    }

    // BEHAVIOUR 1.I1-broken
    @Test func `a stream that cannot be read fails the task`() throws {
        try TaskBuilder(.streamed()).play(.awaitingHead) { book in
            book.feed(.bodyRead(.first, .failed("no such file")))
            let outputs = book.take().map(\.summary)
            try book.check(
                "outputs", outputs, is: ["abandon", "tell complete requestBodyStreamExhausted", "finished"])
        }
    }

    // BEHAVIOUR 1.I4-none
    @Test func `a stream that was not read yet is sent without asking for another one`() throws {
        try TaskBuilder(.streamed()).play(.waitingForConnection) { book in
            book.feed(.suspend, .resume, .connected(isReused: false))
            let outputs = book.take().map(\.summary)
            try book.check(
                "outputs", outputs,
                is: ["withdraw", "acquire http://example.com", "begin (0)", "read body 1"])
        }
    }

    // BEHAVIOUR 1.I4
    @Test func `what a former stream still gives is dropped`() throws {
        var builder = TaskBuilder(.streamed())
        builder.plan.asks = [.bodyStream]
        try builder.play(.awaitingHead, isReused: true) { book in
            book.feed(.event(.failed(.emptyReply)))
            try book.check("asked", book.take().map(\.summary), is: ["abandon", "ask body stream"])
            book.feed(.bodyRead(.first, .bytes(ByteBuffer(string: "old"))))
            book.feed(.answer(.body(.stream(BodyStreamID(2)))))
            try book.check("goes on", book.take().map(\.summary), is: ["acquire fresh http://example.com"])
            book.feed(.connected(isReused: false))
            _ = book.take()
            book.feed(.bodyRead(.first, .failed("old")), .bodyRead(.first, .end))
            try book.check("nothing", book.take().isEmpty)
            book.feed(.bodyRead(BodyStreamID(2), .bytes(ByteBuffer(string: "new"))))
            try book.check("sent", book.take().map(\.summary), is: ["send new (3)", "read body 2"])
        }
    }

    // BEHAVIOUR 1.I4
    @Test func `a stream that is given to a suspended task is sent when it is resumed`() throws {
        var builder = TaskBuilder(.streamed())
        builder.plan.asks = [.bodyStream]
        try builder.play(.awaitingHead, isReused: true) { book in
            book.feed(.event(.failed(.emptyReply)), .suspend, .answer(.body(.stream(BodyStreamID(2)))))
            try book.check("asked", book.take().map(\.summary), is: ["abandon", "ask body stream"])
            book.feed(.resume, .connected(isReused: false))
            try book.check("sent", book.take().map(\.summary).last, is: "read body 2")
        }
    }

    @Test(arguments: [
        (method: "GET", isReused: true, failure: WireFailure.emptyReply, retries: true),
        ("HEAD", true, .emptyReply, true), ("PUT", true, .emptyReply, true), ("DELETE", true, .emptyReply, true),
        ("OPTIONS", true, .emptyReply, true), ("TRACE", true, .emptyReply, true),
        ("GET", true, .unsolicitedBytes, true),
        ("POST", true, .emptyReply, false), ("PATCH", true, .emptyReply, false),
        ("GET", false, .emptyReply, false), ("GET", true, .connectionLostInHead, false),
        ("GET", true, .badStatusLine, false),
    ])
    func `only a stale kept connection is retried, and only what is harmless to repeat`(
        method: String, isReused: Bool, failure: WireFailure, retries: Bool
    ) throws {
        let request = ClientRequest(method: method, url: TaskBuilder.url)
        try TaskBuilder(request).play(.awaitingHead, isReused: isReused) { book in
            book.feed(.event(.failed(failure)))
            let outputs = book.take().map(\.summary)
            let ending = ["abandon", "tell complete \(failure.kind.rawValue)", "finished"]
            let again = ["abandon", "acquire fresh http://example.com"]
            try book.check("outputs", outputs, is: retries ? again : ending)
            guard retries else { return }
            book.feed(.connected(isReused: false), .event(.failed(.emptyReply)))
            let second = book.take().map(\.summary).suffix(3)
            try book.check(
                "outputs", Array(second), is: ["abandon", "tell complete networkConnectionLost", "finished"])
        }
    }

    @Test func `a lost connection names its phase and whose fault it is`() throws {
        try TaskBuilder().play(.awaitingHead) { book in
            book.feed(.event(.failed(.badStatusLine)))
            let failure = Failure(
                .cannotParseResponse, .peer, WireFailure.badStatusLine.detail, url: TaskBuilder.url)
            try book.expect(.abandon, .tell(.complete(failure)), .finished)
        }
    }

    @Test func `body before head is our bug`() throws {
        try TaskBuilder().play(.awaitingHead) { book in
            book.feed(.event(.body("x")))
            try book.expect(.bug("body before head"))
        }
    }

    private static func sizes(_ outputs: [TaskOutput]) -> [Int] {
        outputs.compactMap { if case .send(.bytes(let bytes)) = $0 { bytes.readableBytes } else { nil } }
    }
}

extension ClientRequest {
    static let get = ClientRequest(url: TaskBuilder.url)

    static func streamed(_ stream: BodyStreamID = .first) -> ClientRequest {
        var request = ClientRequest(method: "PUT", url: TaskBuilder.url)
        request.body = .stream(stream)
        return request
    }

    static func file(length: Int64? = nil) -> ClientRequest {
        var request = ClientRequest(method: "PUT", url: TaskBuilder.url)
        request.body =
            length.map { .composed(ComposedBody([.file(BodyFile(path: "/f"), 0..<$0)])) } ?? .file(BodyFile(path: "/f"))
        return request
    }

    static func expecting() -> ClientRequest {
        ClientRequest(
            method: "PUT", url: TaskBuilder.url, fields: Fields([Fields.Field("Expect", "100-continue")]),
            body: ByteBuffer(string: "abc"))
    }

    static func post(bytes: Int) -> ClientRequest {
        ClientRequest(method: "POST", url: TaskBuilder.url, body: ByteBuffer(repeating: 0x61, count: bytes))
    }
}
