import HTTPBasics
import MachineContract
import TestSupport
import Testing

@testable import ClientMachines

/// A download's file, from the response to its close.
@Suite struct DownloadingTests {
    @Test func `the file is opened at the response, filled, closed, and only then announced`() throws {
        var builder = TaskBuilder(kind: .download(resuming: nil))
        builder.settings.deliveryWindow = 1000
        try builder.play(.awaitingHead) { book in
            book.feed(.event(.downloadHead))
            try book.check(
                "outputs", book.take().map(\.summary),
                is: ["tell response 200, expecting 20", "file open \(TaskBuilder.path) at 0"])
            try book.check("the body waits for the file", !book.machine.wantsEvents)
            book.feed(.fileOpened, .event(.body("0123456789")), .event(.body("0123456789")))
            book.feed(.fileWrote(bytes: 10), .event(.end))
            try book.check(
                "outputs", book.take().map(\.summary),
                is: ["file write 10", "file write 10", "tell wrote 10, 10 of 20", "release", "file close"])
            // The last write was still under way.
            book.feed(.fileWrote(bytes: 10), .fileClosed)
            try book.check(
                "outputs", book.take().map(\.summary),
                is: ["tell wrote 10, 20 of 20", "tell file \(TaskBuilder.path)", "tell complete", "finished"])
        }
    }

    @Test func `a slow disk holds the connection back`() throws {
        try TaskBuilder().play(.fillingFile) { book in
            book.feed(.event(.body("0123456789")))
            _ = book.take()
            try book.check("it wants no events", !book.machine.wantsEvents)
            try book.advance(by: .seconds(3600))
            try book.expect()
            book.feed(.fileWrote(bytes: 10))
            _ = book.take()
            try book.check("it wants events", book.machine.wantsEvents)
            try book.expectDeadline(in: .seconds(60))
        }
    }

    @Test func `silence while the file is closed is nobody's fault`() throws {
        var builder = TaskBuilder()
        builder.plan.resourceTimeout = .seconds(1000)
        try builder.play(.closingFile) { book in try book.expectDeadline(in: .seconds(1000)) }
    }

    // BEHAVIOUR 1.B12-file, 1.B12-disk
    @Test func `a full disk fails the task, and what the file took before is kept`() throws {
        var builder = TaskBuilder()
        builder.settings.deliveryWindow = 1000
        try builder.play(.fillingFile) { book in
            book.feed(.event(.body("abc")), .event(.body("def")))
            _ = book.take()
            book.feed(.fileFailed(.cannotWriteToFile, detail: "ENOSPC"))
            try book.check("outputs", book.take().map(\.summary), is: ["abandon", "file close"])
            book.feed(.fileClosed)
            try book.check(
                "outputs", book.take().map(\.summary),
                is: ["tell complete cannotWriteToFile, resumable at 5", "finished"])
        }
    }

    @Test func `out of time while the last bytes are written, the file is closed once and kept`() throws {
        var builder = TaskBuilder()
        builder.plan.resourceTimeout = .seconds(10)
        try builder.play(.fillingFile) { book in
            book.feed(.event(.body("abc")), .event(.end))
            try book.check("outputs", book.take().map(\.summary), is: ["file write 3", "release", "file close"])
            try book.advance(by: .seconds(10))
            try book.expect()
            try book.expectDeadline(in: nil)
            book.feed(.fileWrote(bytes: 3), .fileClosed)
            try book.check(
                "outputs", book.take().map(\.summary),
                is: ["tell wrote 3, 8 of 20", "tell complete timedOut, resumable at 8", "finished"])
        }
    }

    @Test func `a write that fails after the end takes its bytes out of the resume data`() throws {
        try TaskBuilder().play(.fillingFile) { book in
            book.feed(.event(.body("56")), .event(.failed(.connectionLostInBody)))
            _ = book.take()
            book.feed(.fileFailed(.cannotWriteToFile, detail: "ENOSPC"), .fileClosed)
            try book.check(
                "outputs", book.take().map(\.summary),
                is: ["tell complete networkConnectionLost, resumable at 5", "finished"])
        }
    }

    @Test func `a kept file that cannot be closed is kept no more`() throws {
        try TaskBuilder().play(.closingKeptFile) { book in
            book.feed(.fileFailed(.cannotCloseFile, detail: "EIO"))
            try book.check(
                "outputs", book.take().map(\.summary), is: ["file discard", "tell complete cancelled", "finished"])
        }
    }

    @Test func `without a validator a lost download keeps nothing`() throws {
        try TaskBuilder(kind: .download(resuming: nil)).play(.awaitingHead) { book in
            book.feed(.event(.plainHead), .fileOpened, .event(.body("a")), .event(.failed(.connectionLostInBody)))
            try book.check(
                "outputs", Array(book.take().map(\.summary).suffix(3)), is: ["file write 1", "abandon", "file close"])
            // What had arrived is written and told all the same.
            book.feed(.fileWrote(bytes: 1), .fileClosed)
            try book.check(
                "outputs", book.take().map(\.summary),
                is: [
                    "tell wrote 1, 1 of 20", "file remove \(TaskBuilder.path)", "tell complete networkConnectionLost",
                    "finished",
                ])
        }
    }

    @Test func `a lost download is closed before its resume data is given out`() throws {
        try TaskBuilder().play(.fillingFile) { book in
            book.feed(.event(.body("56")), .event(.failed(.connectionLostInBody)))
            try book.check("outputs", book.take().map(\.summary), is: ["file write 2", "abandon", "file close"])
            book.feed(.fileWrote(bytes: 2), .fileClosed)
            try book.check(
                "outputs", book.take().map(\.summary),
                is: ["tell wrote 2, 7 of 20", "tell complete networkConnectionLost, resumable at 7", "finished"])
        }
    }

    // MARK: - Resumed

    private static func part(_ range: String, _ fields: [Fields.Field] = []) -> ResponseEvent {
        .head(
            206, [Fields.Field("Content-Range", range)] + (fields.isEmpty ? [Fields.Field("ETag", "\"v1\"")] : fields),
            length: 13)
    }

    @Test(arguments: [
        // BEHAVIOUR 1.F4-206, 1.F4-200, 1.F4-mismatch, 1.F4-error
        (part("bytes 7-19/20"), ["tell response 206, expecting 13", "file open /downloads/old.tmp at 7"]),
        (
            .head(200, length: 20),
            ["tell response 200, expecting 20", "file open \(TaskBuilder.path) at 0"]
        ),
        (part("bytes 5-19/20"), []),
        (part("bytes 7-19/20", [Fields.Field("ETag", "\"v2\"")]), []),
        (
            part("bytes 9-19/20"),
            [
                "tell response 206, expecting 13", "abandon", "tell complete cannotParseResponse, resumable at 7",
                "finished",
            ]
        ),
        (.head(404, length: 3), ["tell response 404, expecting 3", "file open \(TaskBuilder.path) at 0"]),
    ])
    func `the answer decides what becomes of the partial file`(
        head: ResponseEvent, outputs: [String]
    ) throws {
        try TaskBuilder(kind: .download(resuming: .sample)).play(.awaitingHead) { book in
            book.feed(.event(head))
            try book.check("outputs", book.take().map(\.summary), is: outputs)
        }
    }

    // BEHAVIOUR 1.F4-mismatch
    @Test func `more than the rest that was promised is not added to the file`() throws {
        try TaskBuilder(kind: .download(resuming: .sample)).play(.awaitingHead) { book in
            book.feed(.event(Self.part("bytes 7-19/20")), .fileOpened, .event(.body("abc")), .fileWrote(bytes: 3))
            _ = book.take()
            book.feed(.event(.body("defghijklmn")))
            try book.check(
                "outputs", book.take().map(\.summary),
                is: ["abandon", "file discard", "tell complete cannotParseResponse", "finished"])
        }
    }

    // BEHAVIOUR 1.F4-mismatch
    @Test func `less than the rest that was promised is no success`() throws {
        try TaskBuilder(kind: .download(resuming: .sample)).play(.awaitingHead) { book in
            book.feed(.event(Self.part("bytes 7-19/20")), .fileOpened, .event(.body("abc")), .fileWrote(bytes: 3))
            _ = book.take()
            book.feed(.event(.end))
            try book.check("outputs", book.take().map(\.summary), is: ["release", "file close"])
            book.feed(.fileClosed)
            try book.check(
                "outputs", book.take().map(\.summary),
                is: ["tell complete networkConnectionLost, resumable at 10", "finished"])
        }
    }

    @Test func `a continued download counts from its offset`() throws {
        try TaskBuilder(kind: .download(resuming: .sample)).play(.awaitingHead) { book in
            book.feed(.event(Self.part("bytes 7-19/20")), .fileOpened, .event(.body("abc")), .fileWrote(bytes: 3))
            try book.check(
                "outputs", Array(book.take().map(\.summary).dropFirst(2)),
                is: ["tell resumed at 7 of 20", "file write 3", "tell wrote 3, 10 of 20"])
            book.feed(.cancel(keepingResumeData: true), .fileClosed)
            try book.check(
                "outputs", book.take().map(\.summary),
                is: ["abandon", "file close", "tell complete cancelled, resumable at 10", "finished"])
        }
    }

    @Test func `a 416 that says you have it all completes with the file as it is`() throws {
        let name = "/downloads/understudy-download-6.tmp"
        var token = ResumeToken.sample
        token.offset = 20
        try TaskBuilder(kind: .download(resuming: token)).play(.awaitingHead) { book in
            book.feed(.event(.head(416, [Fields.Field("Content-Range", "bytes */20")], length: 5)), .fileOpened)
            book.feed(.event(.body("sorry")), .event(.end), .fileClosed)
            try book.check(
                "outputs", Array(book.take().map(\.summary).dropFirst()),
                is: [
                    "file open /downloads/old.tmp at 20", "tell resumed at 20 of 20", "release",
                    "file close as \(name)", "tell file \(name)", "tell complete", "finished",
                ])
        }
    }

    @Test func `a 416 that says you have it all, and a file that cannot be closed, fail the task`() throws {
        var token = ResumeToken.sample
        token.offset = 20
        try TaskBuilder(kind: .download(resuming: token)).play(.awaitingHead) { book in
            book.feed(.event(.head(416, [Fields.Field("Content-Range", "bytes */20")], length: 5)), .fileOpened)
            book.feed(.event(.body("sorry")), .event(.end), .fileFailed(.cannotCloseFile, detail: "EIO"))
            try book.check(
                "outputs", Array(book.take().map(\.summary).suffix(3)),
                is: ["file discard", "tell complete cannotCloseFile", "finished"])
        }
    }

    @Test func `a part that does not fit is asked for again as a whole`() throws {
        try TaskBuilder(kind: .download(resuming: .sample)).play(.awaitingHead) { book in
            book.feed(.event(Self.part("bytes 5-19/20")), .event(.end), .connected(isReused: true))
            _ = book.take()
            try book.check("no range is asked for", !book.machine.headText.contains("Range"))
            book.feed(.event(.downloadHead), .fileOpened)
            try book.check("outputs", book.take().last?.summary, is: "tell resumed at 0 of 20")
        }
    }

    @Test func `what is asked for again as a whole is a download like any other`() throws {
        try TaskBuilder(kind: .download(resuming: .sample)).play(.awaitingHead) { book in
            book.feed(.event(Self.part("bytes 5-19/20")), .event(.end), .connected(isReused: true))
            _ = book.take()
            book.feed(.event(.downloadHead))
            let outputs = book.take().map(\.summary)
            try book.check("outputs", outputs.first, is: "tell response 200, expecting 20")
            try book.check("the file is opened, nothing is removed again", outputs.count, is: 2)
        }
    }

    // BEHAVIOUR 1.F4-again
    @Test func `a partial file that cannot be continued goes when the task ends, and not before`() throws {
        let disk = TaskInput.fileFailed(.cannotWriteToFile, detail: "ENOSPC")
        let histories: [[TaskInput]] = [
            [.event(.plainHead), .fileOpened, disk], [.event(.plainHead), disk],
        ]
        for history in histories {
            try TaskBuilder(kind: .download(resuming: .sample)).play(.awaitingHead) { book in
                for input in history { book.feed(input) }
                try book.check(
                    "outputs", Array(book.take().map(\.summary).suffix(5)),
                    is: [
                        "abandon", "file discard", "file remove /downloads/old.tmp",
                        "tell complete cannotWriteToFile", "finished",
                    ])
            }
        }
    }

    // BEHAVIOUR 1.F3-gone
    @Test func `a partial file that is gone has an error of its own`() throws {
        try TaskBuilder(kind: .download(resuming: .sample)).play(.awaitingHead) { book in
            book.feed(.event(Self.part("bytes 7-19/20")), .fileFailed(.cannotOpenFile, detail: "ENOENT"))
            try book.check(
                "outputs", Array(book.take().map(\.summary).suffix(3)),
                is: ["file discard", "tell complete cannotWriteToFile", "finished"])
        }
    }
}
