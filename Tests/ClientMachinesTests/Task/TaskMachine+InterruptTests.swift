import HTTPBasics
import MachineContract
import TestSupport
import Testing

@testable import ClientMachines

/// What a cancel, a deadline or a loss does, in every place where a task can stand.
@Suite struct InterruptTests {
    enum Cause: String, CaseIterable, Sendable {
        case cancel, cancelKeeping, cancelSuspended, requestTimeout, resourceTimeout, resourceTimeoutInSuspension
        case lost, diskError

        /// Some causes cannot strike everywhere: silence is nobody's fault while the user is asked, and so on.
        func canStrike(_ station: TaskBuilder.Station) -> Bool {
            switch (self, station) {
            case (_, .completed): false
            // The user has the word, or the task sleeps.
            case (.requestTimeout, .idle), (.requestTimeout, .askingRedirect), (.requestTimeout, .askingChallenge),
                (.requestTimeout, .askingResponse), (.requestTimeout, .heldBack), (.requestTimeout, .heldBackAtEnd),
                (.requestTimeout, .closingFile), (.requestTimeout, .closingKeptFile):
                false
            // A body that nobody wants has a second to end, and its loss is no loss.
            case (.requestTimeout, .draining), (.lost, .draining): false
            // A disk is no silent server.
            case (.requestTimeout, .openingBody), (.requestTimeout, .confirmingBody), (.requestTimeout, .openingFile):
                false
            case (.resourceTimeout, .idle), (.resourceTimeout, .closingKeptFile): false
            case (.resourceTimeoutInSuspension, .closingKeptFile): false
            case (.lost, .waitingForConnection), (.lost, .awaitingHead), (.lost, .receivingBody),
                (.lost, .fillingFile):
                true
            case (.lost, _): false
            case (.diskError, _): station.isDownload
            default: true
            }
        }

        var failure: Failure.Kind {
            switch self {
            case .cancel, .cancelKeeping, .cancelSuspended: .cancelled
            case .requestTimeout, .resourceTimeout, .resourceTimeoutInSuspension: .timedOut
            case .lost: .networkConnectionLost
            case .diskError: .cannotWriteToFile
            }
        }

        var keepsResumeData: Bool {
            switch self {
            case .cancel, .cancelSuspended, .diskError: false
            default: true
            }
        }

        func strike(_ book: Playbook<TaskMachine>) throws {
            switch self {
            case .cancel: book.feed(.cancel(keepingResumeData: false))
            case .cancelKeeping: book.feed(.cancel(keepingResumeData: true))
            case .cancelSuspended: book.feed(.suspend, .cancel(keepingResumeData: false))
            case .requestTimeout: try book.advance(by: .seconds(60))
            case .resourceTimeout: try book.advance(by: .seconds(100))
            case .resourceTimeoutInSuspension:
                book.feed(.suspend)
                try book.advance(by: .seconds(101))
                book.feed(.resume)
            case .lost:
                book.feed(
                    book.machine.stage == .waitingForConnection
                        ? .connectFailed(.networkConnectionLost, detail: "") : .event(.failed(.connectionLostInBody)))
            case .diskError: book.feed(.fileFailed(.cannotWriteToFile, detail: ""))
            }
        }
    }

    struct Cell: Sendable, CustomTestStringConvertible {
        let station: TaskBuilder.Station
        let cause: Cause
        var testDescription: String { "\(cause.rawValue) while \(station.rawValue)" }

        /// What becomes of the connection. A suspended task that had none has left the queue already.
        var link: [String] {
            switch station {
            case .idle, .openingBody: []
            case .waitingForConnection: ["withdraw"]
            case .heldBackAtEnd, .closingFile, .closingKeptFile, .completed: []
            default: ["abandon"]
            }
        }

        /// What becomes of the file, and the end.
        var end: [String] {
            let plain = ["tell complete \(failure.rawValue)", "finished"]
            switch station {
            case .fillingFile where cause.keepsResumeData || cause == .diskError: return ["file close"]
            // It is being closed already.
            case .closingFile where cause.keepsResumeData || cause == .diskError: return []
            case .openingFile, .fillingFile, .closingFile: return ["file discard"] + plain
            // The first cancel decided how it ends.
            case .closingKeptFile: return []
            default: return plain
            }
        }

        var failure: Failure.Kind { cause.failure }
    }

    private static let cells = TaskBuilder.Station.allCases.flatMap { station in
        Cause.allCases.filter { $0.canStrike(station) }.map { Cell(station: station, cause: $0) }
    }

    // BEHAVIOUR 1.B1-3, 1.B13-once
    @Test(arguments: cells) func `an interruption ends the task once and for all`(_ cell: Cell) throws {
        var builder = TaskBuilder()
        // A long silence, so that the resource timer comes first where it is the cause.
        builder.plan.resourceTimeout = .seconds(100)
        if cell.cause == .resourceTimeout { builder.plan.requestTimeout = .seconds(1000) }
        builder.settings.limits.drainTime = .seconds(1000)
        try builder.play(cell.station) { book in
            try cell.cause.strike(book)
            var expected = cell.link + cell.end
            if cell.cause == .resourceTimeoutInSuspension, cell.station == .waitingForConnection {
                // Suspended, it left the queue and slept.
                expected = ["withdraw"] + cell.end
            }
            try book.check("outputs", book.take().map(\.summary), is: expected)
            if !expected.contains("finished") {
                try book.check("no timer runs while only the file is waited for", book.machine.deadline, is: nil)
                book.feed(.fileClosed)
                let failure = cell.station == .closingKeptFile ? Failure.Kind.cancelled : cell.failure
                try book.check(
                    "outputs", book.take().map(\.summary),
                    is: ["tell complete \(failure.rawValue), resumable at 5", "finished"])
            }
            try Self.checkSilence(of: book)
        }
    }

    /// Whatever still comes in, a task that has ended says nothing more.
    private static func checkSilence(of book: Playbook<TaskMachine>) throws {
        try book.check("stage", book.machine.stage, is: .completed)
        try book.check("deadline", book.machine.deadline, is: nil)
        try book.check("it wants no events", !book.machine.wantsEvents)
        book.feed(
            .suspend, .resume, .cancel(keepingResumeData: false), .cancel(keepingResumeData: true),
            .answer(.redirect(nil)), .answer(.response(allow: true)), .answer(.challenge(.performDefaultHandling)),
            .delivered(bytes: 100), .arrived, .wrote(100), .fileOpened, .fileWrote(bytes: 5), .fileClosed,
            .fileFailed(.cannotCloseFile, detail: ""), .connectFailed(.timedOut, detail: ""), .timePassed)
        try book.expect()
    }

    @Test func `the completed task is silent too`() throws {
        try TaskBuilder().play(.completed) { try Self.checkSilence(of: $0) }
    }

    @Test(arguments: [TaskBuilder.Station.waitingForConnection, .idle])
    func `resume data outlives a task that never used it`(_ station: TaskBuilder.Station) throws {
        try TaskBuilder(kind: .download(resuming: .sample)).play(station) { book in
            book.feed(.cancel(keepingResumeData: true))
            let last = book.take().compactMap { output in
                if case .tell(.complete(let failure)) = output { failure?.resume } else { ResumeToken?.none }
            }
            try book.check("token", last, is: [.sample])
        }
    }

    // BEHAVIOUR 1.B12-file
    @Test func `a completed transfer that cannot be closed leaves no file`() throws {
        try TaskBuilder().play(.closingFile) { book in
            book.feed(.fileFailed(.cannotCloseFile, detail: "EIO"))
            try book.check(
                "outputs", book.take().map(\.summary),
                is: ["file discard", "tell complete cannotCloseFile", "finished"])
        }
    }
}

extension ResumeToken {
    static let sample = ResumeToken(
        url: TaskBuilder.url, fields: Fields(), offset: 7, validator: "\"v1\"", path: "/downloads/old.tmp", total: 20)
}
