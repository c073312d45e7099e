import HTTPBasics
import MachineContract
import TestSupport
import Testing

@testable import ClientMachines

/// The one door through which every task leaves, and the table of what each stage does with each input.
@Suite struct FinishingTests {
    @Test func `finished is the last output, right after the completion`() throws {
        try TaskBuilder().play(.receivingBody) { book in
            book.feed(.event(.end))
            try book.expect(.release, .tell(.complete(nil)), .finished)
            try book.expectDeadline(in: nil)
        }
    }

    @Test func `an error names the URL that was being tried`() throws {
        try TaskBuilder().play(.draining) { book in
            book.feed(.event(.end), .connected(isReused: true), .event(.failed(.connectionLostInHead)))
            let url = book.take().compactMap { output in
                if case .tell(.complete(let failure)) = output { failure?.url?.path } else { String?.none }
            }
            try book.check("failing URL", url, is: ["/b"])
        }
    }

    // MARK: - Stage x input

    private static let inputs: [(name: String, inputs: [TaskInput])] = [
        ("suspend", [.suspend]), ("suspend, resume", [.suspend, .resume]), ("resume", [.resume]),
        ("cancel", [.cancel(keepingResumeData: false)]), ("cancel, keeping", [.cancel(keepingResumeData: true)]),
        ("answer redirect", [.answer(.redirect(TaskBuilder.next))]), ("answer no redirect", [.answer(.redirect(nil))]),
        ("answer credential", [.answer(.challenge(.use(Credential(user: "u", password: "p"))))]),
        ("answer default", [.answer(.challenge(.performDefaultHandling))]),
        ("answer cancel", [.answer(.challenge(.cancel))]),
        ("answer allow", [.answer(.response(allow: true))]), ("answer deny", [.answer(.response(allow: false))]),
        ("delivered", [.delivered(bytes: 5)]), ("connected", [.connected(isReused: true)]),
        ("connect failed", [.connectFailed(.cannotConnectToHost, detail: "")]), ("arrived", [.arrived]),
        ("103", [.event(.informational(ResponseHead(status: 103)))]), ("200", [.event(.plainHead)]),
        ("302", [.event(.redirectHead)]), ("401", [.event(.challengeHead)]), ("body", [.event(.body("abc"))]),
        ("end", [.event(.end)]),
        ("empty reply", [.event(.failed(.emptyReply))]), ("lost", [.event(.failed(.connectionLostInBody))]),
        ("wrote", [.wrote(head: 70)]), ("file opened", [.fileOpened]), ("file wrote", [.fileWrote(bytes: 3)]),
        ("file closed", [.fileClosed]), ("file failed", [.fileFailed(.cannotWriteToFile, detail: "")]),
        ("body file opened", [.bodyFileOpened(length: 9)]),
        ("body file failed", [.bodyFileFailed(.fileDoesNotExist, detail: "")]), ("early timer", [.timePassed]),
    ]

    @Test func `what each stage does with each input`() throws {
        var table = ""
        for station in TaskBuilder.Station.allCases {
            table += "\(station.rawValue)\n"
            for (name, inputs) in Self.inputs {
                try TaskBuilder().play(station, isReused: true) { book in
                    for input in inputs { book.feed(input) }
                    let outputs = book.take().map(\.summary)
                    let stage = book.machine.stage.name
                    let change = stage == station.stageName ? "" : " -> \(stage)"
                    try book.check("a stage has a name", !stage.isEmpty)
                    let row = outputs.isEmpty ? "-" : outputs.joined(separator: "; ")
                    table += "    \(name): \(row)\(change)\n"
                }
            }
        }
        let difference = Goldens.difference(table, from: "TaskStages.txt")
        #expect(difference == nil, "\(difference ?? "")")
    }
}
