import HTTPBasics
import MachineContract
import NIOCore
import TestSupport
import Testing

@testable import ClientMachines

/// Tasks as a whole: questions, cancels, files, invalidation.
@Suite struct ClientMachineTests {
    private static let response = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"

    @Test func `a question holds the response back, its answer lets it go on`() throws {
        try ClientPlay.play { book in
            try book.startOpen(1, ClientPlay.plan(asks: .response), connection: 1)
            book.receive(1, Self.response)
            try book.expect(["task 1 asks 1: response 200", "reading 1 off"])
            book.feed(.answer(QuestionID(1), .response(allow: true)))
            try book.expect(["task 1: data 2", "reading 1 on", "task 1: complete"])
        }
    }

    @Test func `a question that was answered twice counts once`() throws {
        try ClientPlay.play { book in
            try book.startOpen(1, ClientPlay.plan(asks: [.response, .redirect]), connection: 1)
            book.receive(1, "HTTP/1.1 302 Found\r\nLocation: /b\r\nContent-Length: 0\r\n\r\n")
            try book.expect(["task 1 asks 1: redirect 302 to http://example.com/b", "reading 1 off"])
            book.feed(.answer(QuestionID(1), .redirect(nil)))
            try book.expect(["task 1 asks 2: response 302"])
            book.feed(.answer(QuestionID(1), .response(allow: false)), .answer(QuestionID(9), .redirect(nil)))
            try book.expect([])
            book.feed(.answer(QuestionID(2), .response(allow: true)))
            try book.check("end", book.take().last?.summary, is: "task 1: complete")
        }
    }

    @Test func `an answer after the cancel is dropped`() throws {
        try ClientPlay.play { book in
            try book.startOpen(1, ClientPlay.plan(asks: .response), connection: 1)
            book.receive(1, Self.response)
            book.feed(.cancel(TaskID(1), keepingResumeData: false))
            _ = book.take()
            try book.check("no question is left", book.machine.questions.isEmpty)
            book.feed(.answer(QuestionID(1), .response(allow: true)))
            try book.expect([])
        }
    }

    @Test func `whatever comes for a task that has ended is dropped`() throws {
        try ClientPlay.play { book in
            try book.warmUp(1, connection: 1)
            let task = TaskID(1)
            book.feed(
                .suspend(task), .resume(task), .cancel(task, keepingResumeData: true), .delivered(task, bytes: 3),
                .fileOpened(task), .fileWrote(task, bytes: 1), .fileClosed(task),
                .fileFailed(task, .cannotWriteToFile, detail: ""))
            try book.expect([])
        }
    }

    @Test func `whatever comes from a connection that was given up is dropped`() throws {
        try ClientPlay.play { book in
            try book.startOpen(1, connection: 1)
            book.feed(.cancel(TaskID(1), keepingResumeData: false))
            try book.expect(["close 1", "task 1: complete cancelled"])
            let connection = ConnectionID(1)
            book.feed(
                .wrote(connection, bytes: 10), .inputClosed(connection), .connected(connection),
                .resolved(DialID(1), .v6, []), .resolveFailed(DialID(1), .v4, detail: ""),
                .connectFailed(connection, .refused), .closed(connection))
            book.receive(1, Self.response)
            try book.expect([])
        }
    }

    @Test func `a task that is started twice is our bug`() throws {
        try ClientPlay.play { book in
            book.start(1)
            book.start(1)
            try book.expect(["resolve 1 example.com:80", "BUG task 1 started twice"])
        }
    }

    @Test func `an answer of another kind than its question is our bug, and says whose task it is`() throws {
        try ClientPlay.play { book in
            try book.startOpen(1, ClientPlay.plan(asks: .response), connection: 1)
            book.receive(1, Self.response)
            _ = book.take()
            book.feed(.answer(QuestionID(1), .redirect(nil)))
            try book.expect(["BUG task 1: answer of another kind than its question"])
        }
    }

    @Test func `cancelled before it was ever resumed, a task completes all the same`() throws {
        try ClientPlay.play { book in
            book.feed(
                .start(TaskID(1), ClientPlay.plan(), suspended: true), .cancel(TaskID(1), keepingResumeData: false))
            try book.expect(["task 1: complete cancelled"])
            try book.expectDeadline(in: nil)
        }
    }

    @Test func `a resource timeout of a resumable download does not spin`() throws {
        try ClientPlay.play { book in
            var plan = ClientPlay.plan(kind: .download(resuming: nil))
            plan.resourceTimeout = .seconds(30)
            try book.startOpen(1, plan, connection: 1)
            book.receive(1, "HTTP/1.1 200 OK\r\nETag: \"v\"\r\nContent-Length: 9\r\n\r\n")
            book.feed(.fileOpened(TaskID(1)))
            book.receive(1, "abc")
            _ = book.take()
            try book.advance(by: .seconds(30))
            try book.expect(["close 1", "task 1: file close"])
            try book.expectDeadline(in: nil)
            book.feed(.timePassed, .fileWrote(TaskID(1), bytes: 3), .fileClosed(TaskID(1)))
            try book.expect(["task 1: wrote 3, 3 of 9", "task 1: complete timedOut, resumable at 3"])
        }
    }

    @Test func `a file that cannot be made fails its task`() throws {
        try ClientPlay.play { book in
            try book.startOpen(1, ClientPlay.plan(kind: .download(resuming: nil)), connection: 1)
            book.receive(1, Self.response)
            _ = book.take()
            book.feed(.fileFailed(TaskID(1), .cannotCreateFile, detail: "The disk is full."))
            try book.expect(["close 1", "task 1: file discard", "task 1: complete cannotCreateFile"])
        }
    }

    // MARK: - Invalidation

    // BEHAVIOUR 1.H1-cancel
    @Test func `a session that is cancelled keeps no resume data`() throws {
        try ClientPlay.play { book in
            try book.startOpen(1, ClientPlay.plan(kind: .download(resuming: nil)), connection: 1)
            book.receive(1, "HTTP/1.1 200 OK\r\nETag: \"v\"\r\nContent-Length: 9\r\n\r\nabc")
            book.feed(.fileOpened(TaskID(1)), .fileWrote(TaskID(1), bytes: 3))
            _ = book.take()
            book.feed(.invalidate(cancelling: true))
            try book.expect(["close 1", "task 1: file discard", "task 1: complete cancelled", "invalidated"])
        }
    }

    // BEHAVIOUR 1.H1-finish, 1.H1-late, 1.H1-connections
    @Test func `running tasks finish first, then the session has its last word`() throws {
        try ClientPlay.play { book in
            try book.startOpen(1, connection: 1)
            book.feed(.invalidate(cancelling: false))
            try book.expect([])
            book.start(2)
            try book.expect(["task 2: complete cancelled"])
            book.receive(1, Self.response)
            try book.expect([
                "task 1: response 200, expecting 2", "task 1: data 2", "task 1: complete", "close 1", "invalidated",
            ])
            try book.expectDeadline(in: nil)
        }
    }

    // BEHAVIOUR 1.H1-cancel
    @Test func `cancelling, every task completes before the last word, and no queued one is dialled`() throws {
        try ClientPlay.play(limit: 1) { book in
            try book.startOpen(1, connection: 1)
            for task in 2...4 { book.start(task) }
            book.start(5, ClientPlay.plan(host: "other"))
            book.feed(.start(TaskID(6), ClientPlay.plan(), suspended: true))
            _ = book.take()
            book.feed(.invalidate(cancelling: true))
            try book.expect([
                "close 1", "task 1: complete cancelled", "task 2: complete cancelled", "task 3: complete cancelled",
                "task 4: complete cancelled", "stop resolving 2", "task 5: complete cancelled",
                "task 6: complete cancelled", "invalidated",
            ])
        }
    }

    // BEHAVIOUR 1.H1-connections
    @Test func `invalidated twice, the last word is said once`() throws {
        try ClientPlay.play { book in
            try book.warmUp(1, connection: 1)
            book.feed(.invalidate(cancelling: false))
            try book.expect(["close 1", "invalidated"])
            book.feed(.invalidate(cancelling: true), .timePassed, .closed(ConnectionID(1)))
            try book.expect([])
            try book.expectDeadline(in: nil)
        }
    }

    @Test func `finishing can still be turned into cancelling`() throws {
        try ClientPlay.play { book in
            try book.startOpen(1, connection: 1)
            book.feed(.invalidate(cancelling: false), .invalidate(cancelling: true))
            try book.expect(["close 1", "task 1: complete cancelled", "invalidated"])
        }
    }

    @Test func `the last word waits for a file that is still being closed`() throws {
        try ClientPlay.play { book in
            try book.startOpen(1, ClientPlay.plan(kind: .download(resuming: nil)), connection: 1)
            book.receive(1, Self.response)
            book.feed(.fileOpened(TaskID(1)), .fileWrote(TaskID(1), bytes: 2))
            _ = book.take()
            book.feed(.invalidate(cancelling: false))
            try book.expect([])
            book.feed(.fileClosed(TaskID(1)))
            let outputs = book.take().map(\.summary)
            try book.check("order", Array(outputs.suffix(3)), is: ["task 1: complete", "close 1", "invalidated"])
        }
    }
}
