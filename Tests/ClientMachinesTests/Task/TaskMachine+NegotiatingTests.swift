import HTTPBasics
import MachineContract
import TestSupport
import Testing

@testable import ClientMachines

/// BEHAVIOUR 2.A36, 2.A37
@Suite struct NegotiatingTests {
    private static func offer(_ status: Int = 401, _ values: String...) -> ResponseEvent {
        .head(status, values.map { Fields.Field("WWW-Authenticate", $0) }, length: 0)
    }

    private static let token = Array("token".utf8)

    private func said(_ book: Playbook<TaskMachine>) -> String? {
        let line = book.machine.headText.split(separator: "\r\n").first { $0.hasPrefix("Authorization: Negotiate ") }
        let bytes = line.flatMap { Base64.decode($0.dropFirst("Authorization: Negotiate ".utf8.count)) }
        return bytes.map { String(decoding: $0, as: UTF8.self) }
    }

    /// Up to where the system is asked for the first time.
    private func begin(
        _ offers: String = "Negotiate", _ body: (Playbook<TaskMachine>) throws -> Void
    ) throws {
        try TaskBuilder().play(.awaitingHead) { book in
            book.feed(.event(Self.offer(401, offers)))
            try book.check("outputs", book.take().map(\.summary), is: ["negotiate 1 with example.com"])
            try body(book)
        }
    }

    private func answer(_ number: Int, _ answer: NegotiateAnswer, isConnected: Bool = true) -> TaskInput {
        .negotiated(number: number, answer, isConnected: isConnected)
    }

    @Test func `a ticket signs the connection in`() throws {
        try begin { book in
            book.feed(answer(1, .token(Self.token)), .event(.end))
            try book.check("outputs", book.take().map(\.summary), is: ["keep http://example.com"])
            book.feed(.connected(isReused: true, .begun))
            _ = book.take()
            try book.check("token", said(book), is: "token")
            book.feed(.event(.plainHead))
            try book.check("outputs", book.take().map(\.summary).contains("signed in"))
        }
    }

    @Test func `a connection that is lost in between is signed in from the beginning`() throws {
        try begin { book in
            book.feed(answer(1, .token(Self.token)), .event(.end), .connected(isReused: false))
            try book.check("outputs", book.take().map(\.summary).last, is: "negotiate 2 with example.com")
            book.feed(answer(2, .token(Array("new".utf8))))
            try book.check("token", said(book), is: "new")
            _ = book.take()
        }
    }

    @Test func `a connection that ends while the system is asked is another one then`() throws {
        try begin { book in
            book.feed(answer(1, .token(Self.token)), .event(.end), .connected(isReused: false))
            _ = book.take()
            book.feed(answer(2, .token(Array("new".utf8)), isConnected: false))
            try book.check("outputs", book.take().map(\.summary), is: ["withdraw", "acquire http://example.com"])
            book.feed(.connected(isReused: false))
            try book.check("token", said(book), is: "new")
            _ = book.take()
        }
    }

    @Test func `a token that no connection needed is none of the next one's`() throws {
        try begin { book in
            book.feed(answer(1, .token(Self.token)), .event(.end), .connected(isReused: false))
            book.feed(answer(2, .token(Array("new".utf8)), isConnected: false))
            _ = book.take()
            book.feed(.connected(isReused: true, .done))
            try book.check("token", said(book) == nil)
            book.feed(.event(.failed(.emptyReply)), .connected(isReused: false))
            try book.check("outputs", book.take().map(\.summary).last, is: "negotiate 3 with example.com")
        }
    }

    /// BEHAVIOUR 2.A37-body
    @Test func `the next token waits with its connection until there is a stream to go with it`() throws {
        var builder = TaskBuilder(.streamed())
        builder.plan.asks = [.bodyStream]
        try builder.play(.awaitingHead) { book in
            book.feed(.bodyRead(.first, .end), .event(Self.offer(401, "Negotiate")))
            book.feed(answer(1, .token(Self.token)), .event(.end), .answer(.body(.stream(BodyStreamID(2)))))
            book.feed(.connected(isReused: false))
            _ = book.take()
            book.feed(.bodyRead(BodyStreamID(2), .end))
            book.feed(.event(Self.offer(401, "Negotiate bW9yZQ==")))
            _ = book.take()
            book.feed(answer(2, .token(Array("next".utf8))))
            try book.check("asked", book.take().map(\.summary), is: ["ask body stream"])
            book.feed(.answer(.body(.stream(BodyStreamID(3)))), .event(.end))
            try book.check("kept", book.take().map(\.summary), is: ["keep http://example.com"])
            book.feed(.connected(isReused: true, .begun))
            try book.check("token", said(book), is: "next")
            try book.check("read", book.take().map(\.summary).last, is: "read body 3")
        }
    }

    @Test func `without a ticket the user is asked`() throws {
        try begin { book in
            book.feed(answer(1, .refused))
            try book.check("outputs", book.take().map(\.summary), is: ["ask challenge , failures 0"])
            book.feed(.answer(.challenge(.use(Credential(user: "ann@A", password: "s3cret")))))
            try book.check("outputs", book.take().map(\.summary), is: ["negotiate 2 with example.com as ann@A"])
            book.feed(answer(2, .refused))
            // Of this answer there is no other space: it is delivered.
            try book.check("outputs", book.take().map(\.summary).first?.hasPrefix("ask response 401") == true)
        }
    }

    @Test func `an empty user means the tickets once more`() throws {
        try begin { book in
            book.feed(answer(1, .refused), .answer(.challenge(.use(.ticket))))
            try book.check("outputs", book.take().map(\.summary).last, is: "negotiate 2 with example.com")
        }
    }

    @Test(arguments: [NegotiateAnswer.absent, .refused])
    func `what cannot be answered leads to the next space`(_ answer: NegotiateAnswer) throws {
        try begin("Basic realm=b, Negotiate") { book in
            book.feed(self.answer(1, answer))
            if answer == .refused { book.feed(.answer(.challenge(.rejectProtectionSpace))) }
            try book.check("outputs", book.take().map(\.summary).last, is: "ask challenge b, failures 0")
        }
    }

    @Test func `an answer of another call is not heard`() throws {
        try begin { book in
            book.feed(answer(7, .token(Self.token)))
            try book.check("outputs", book.take().isEmpty)
            book.feed(.cancel(keepingResumeData: false))
            _ = book.take()
            book.feed(answer(1, .token(Self.token)))
            try book.check("outputs", book.take().isEmpty)
        }
    }

    @Test func `a task that is suspended meanwhile lets its connection go, and keeps the token`() throws {
        try begin { book in
            book.feed(answer(1, .token(Self.token)), .event(.end), .connected(isReused: false), .suspend)
            _ = book.take()
            book.feed(answer(2, .token(Array("new".utf8))))
            try book.check("outputs", book.take().map(\.summary), is: ["withdraw"])
            book.feed(.resume, .connected(isReused: false))
            try book.check("token", said(book), is: "new")
            _ = book.take()
        }
    }

    @Test func `a token that is too long is none`() throws {
        let long = Base64.encode(Array(repeating: 7, count: NegotiateCall.mostBytes + 1))
        let head = ResponseHead(status: 401, Fields([Fields.Field("WWW-Authenticate", "Negotiate \(long)")]))
        #expect(ChallengeSelection.token(of: .negotiate, in: head) == nil)
        #expect(ChallengeSelection.challenges(in: head, to: ClientRequest(url: TaskBuilder.url)).count == 1)
    }
}
