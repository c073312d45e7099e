import HTTPBasics
import TestSupport
import Testing

@testable import ClientMachines

/// Stage `confirmingBody`: an answer counts only if the files of its request still are what they were.
@Suite struct ConfirmingBodyTests {
    /// Played until all of two files was taken.
    private func playFiles(_ body: (Playbook<TaskMachine>) throws -> Void) throws {
        let version = FileVersion(size: 3, modified: 1)
        let files = ["/f", "/g"].map { BodyFile(path: $0, version: version) }
        var request = ClientRequest(method: "PUT", url: TaskBuilder.url)
        request.body = .composed(ComposedBody(files.map { .file($0, 0..<3) }))
        try TaskBuilder(request).play { book in
            book.feed(.resume, .bodyFileOpened(length: 3), .connected(isReused: false), .wrote(head: 81, 3))
            book.feed(.bodyFileOpened(length: 3), .wrote(3))
            try book.check("sent", book.take().map(\.summary).suffix(2), is: ["tell sent 3, 6 of 6", "send end"])
            try body(book)
        }
    }

    // BEHAVIOUR 3.A1-changed
    @Test func `an answer is told when all files were found unchanged, the open one first`() throws {
        try playFiles { book in
            book.feed(.event(.plainHead))
            try book.check("the second", book.take().map(\.summary), is: ["open /g"])
            try book.check("no event", !book.machine.wantsEvents)
            try book.check("the caller's turn", book.machine.deadline, is: .zero + .seconds(604_800))
            book.feed(.bodyFileOpened(length: 3))
            try book.check("the first", book.take().map(\.summary), is: ["open /f"])
            book.feed(.bodyFileOpened(length: 3))
            try book.check("the answer", book.take().map(\.summary), is: ["ask response 200"])
        }
    }

    // BEHAVIOUR 3.A1-changed
    @Test(arguments: [ResponseEvent.plainHead, .redirectHead, .challengeHead])
    func `no answer counts when a file has changed`(answer: ResponseEvent) throws {
        try playFiles { book in
            book.feed(.event(answer), .bodyFileOpened(length: 3))
            _ = book.take()
            book.feed(.bodyFileFailed(.requestBodyStreamExhausted, detail: "changed"))
            let outputs = ["abandon", "tell complete requestBodyStreamExhausted", "finished"]
            try book.check("no answer", book.take().map(\.summary), is: outputs)
        }
    }

    // BEHAVIOUR 1.I5-shorter
    @Test func `a plain file is looked at in the same way, even before it is known that all of it was taken`() throws {
        try TaskBuilder(.file(length: 9)).play(.openingBody) { book in
            book.feed(.bodyFileOpened(length: 9), .connected(isReused: false), .event(.plainHead))
            try book.check("looks", book.take().map(\.summary).last, is: "open /f")
            book.feed(.wrote(head: 81, 9), .bodyFileOpened(length: 9))
            try book.check("the answer", book.take().map(\.summary).last, is: "ask response 200")
        }
    }

    // BEHAVIOUR 1.I5-same
    @Test func `a file that was looked at is still the one that is sent again`() throws {
        let moved = ResponseEvent.head(307, [Fields.Field("Location", "/b")], length: 0)
        try TaskBuilder(.file(length: 9)).play(.openingBody) { book in
            book.feed(.bodyFileOpened(length: 9), .connected(isReused: false), .wrote(head: 81, 9), .event(moved))
            _ = book.take()
            var again = ClientRequest.file(length: 9)
            again.url = TaskBuilder.next.url
            book.feed(.bodyFileOpened(length: 9), .answer(.redirect(again)), .event(.end))
            let next = ["release", "tell request PUT http://example.com/b", "acquire http://example.com"]
            try book.check("no file", Array(book.take().map(\.summary).dropFirst()), is: next)
        }
    }

    // BEHAVIOUR 1.B4-early
    @Test func `an answer to a part of the body waits for no file`() throws {
        try TaskBuilder(.file(length: 2 << 20)).play(.openingBody) { book in
            book.feed(.bodyFileOpened(length: 2 << 20), .connected(isReused: false), .event(.plainHead))
            try book.check("the answer", book.take().map(\.summary).last, is: "ask response 200")
        }
    }

    @Test func `a suspended task looks at its files, and tells what came of it`() throws {
        try TaskBuilder().play(.confirmingBody) { book in
            book.feed(.suspend, .bodyFileFailed(.requestBodyStreamExhausted, detail: "shorter"))
            let outputs = ["abandon", "tell complete requestBodyStreamExhausted", "finished"]
            try book.check("outputs", book.take().map(\.summary), is: outputs)
        }
        try TaskBuilder().play(.confirmingBody) { book in
            book.feed(.suspend, .bodyFileOpened(length: 9))
            try book.check("the answer", book.take().map(\.summary), is: ["ask response 200"])
            try book.check("no event", !book.machine.wantsEvents)
        }
    }
}
