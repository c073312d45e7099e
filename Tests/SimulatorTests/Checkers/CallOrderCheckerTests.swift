import ClientMachines
import HTTPBasics
import NIOCore
import Testing

@testable import Simulator

@Suite struct CallOrderCheckerTests {
    private static let download = start(kind: .download(resuming: nil))
    private static let sent = UserCall.sentBody(bytes: 1, total: 1, expected: 1)
    private static let wrote = UserCall.wrote(bytes: 4, total: 4, expected: 4)
    private static let file = UserCall.file(path: "/f")

    @Test func `the table is in the order of the words`() {
        #expect(CallOrder.table.map(\.call) == CallWord.allCases)
    }

    @Test(
        arguments: [
            [
                start(), tell(sent), tell(.informational(okay)), tell(.response(okay)), tell(data), tell(data),
                tell(success),
            ],
            [start(), ask(redirect), answer(.redirect(nil)), tell(.response(okay)), tell(success)],
            [start(), ask(.response(okay)), answer(.response(allow: true)), tell(data), tell(success)],
            [start(), ask(.response(okay)), answer(.response(allow: false)), tell(failure)],
            [start(), tell(.response(okay)), tell(sent), tell(data), tell(failure)],
            [start(), ask(redirect), tell(failure), answer(.redirect(nil))],
            [start(), start(two), ask(redirect), tell(.response(okay), two), tell(data, two)],
            [download, tell(.response(okay)), tell(wrote), tell(file), tell(success)],
            [download, tell(.resumed(offset: 2, expected: 4)), tell(wrote), tell(file), tell(success)],
            [download, tell(file), tell(success)],
            [download, tell(file), tell(metrics()), tell(success)],
            [start(), tell(metrics()), tell(failure)],
            [start(), ask(redirect), tell(metrics()), tell(failure)],
            [start(), ask(.response(okay)), answer(.response(allow: false)), tell(metrics()), tell(failure)],
        ] as [[Observation]])
    func `the documented orders pass`(observations: [Observation]) {
        #expect(findings(of: CallOrderChecker(), observations).isEmpty)
    }

    @Test(
        arguments: [
            ([start(), tell(data)], "data comes out of order in a data task that is starting"),
            ([start(), tell(.response(okay)), tell(.response(okay))], "response comes out of order"),
            ([start(), tell(.response(okay)), tell(.informational(okay))], "informational comes out of order"),
            ([start(), tell(.response(okay)), tell(data), ask(redirect)], "redirect comes out of order"),
            ([start(), tell(.response(okay)), tell(wrote)], "wrote comes out of order in a data task"),
            ([start(), tell(success)], "succeeded without a response"),
            ([start(), ask(.response(okay)), tell(data)], "data while question 1 is open"),
            ([start(), ask(redirect), tell(.informational(okay))], "informational while question 1 is open"),
            ([start(), ask(redirect, 1), ask(redirect, 2)], "redirect while question 1 is open"),
            (
                [start(), ask(redirect, 1), answer(.redirect(nil), 7), tell(.response(okay))],
                "response while question 1 is open"
            ),
            (
                [start(), ask(.response(okay)), answer(.response(allow: false)), tell(data)],
                "data although the user refused the response"
            ),
            (
                [start(), ask(.response(okay)), answer(.response(allow: false)), tell(success)],
                "succeeded although the user refused"
            ),
            ([download, tell(.response(okay)), tell(data)], "data comes out of order in a download"),
            ([download, tell(.response(okay)), tell(wrote), tell(success)], "succeeded without a file"),
            ([download, tell(file), tell(wrote)], "wrote comes out of order in a download task that is filed"),
            ([download, tell(file), tell(file)], "file comes out of order"),
            ([download, tell(metrics()), tell(file)], "file after the metrics"),
            ([start(), tell(.response(okay)), tell(metrics()), tell(data)], "data after the metrics"),
            ([download, tell(wrote), tell(.resumed(offset: 1, expected: 2))], "resumed comes out of order"),
        ] as [([Observation], String)])
    func `any other order is found`(observations: [Observation], part: String) {
        let sentences = findings(of: CallOrderChecker(), observations)
        #expect(sentences.count == 1)
        #expect(sentences.first?.contains(part) == true, "\(sentences)")
    }
}
