import ClientMachines
import HTTPBasics
import NIOCore
import Testing

@testable import Simulator

@Suite struct CheckersTests {
    @Test func `a bug that a machine reports is found`() {
        #expect(
            findings(of: BugChecker(), [output(.bug("no such state"))]) == [
                "the machine reports a bug: no such state"
            ])
        #expect(findings(of: BugChecker(), [output(.close(first))]).isEmpty)
    }

    @Test func `every checker runs, under a name of its own`() {
        var settings = ClientSettings()
        settings.deliveryWindow = 1
        let late = Instant.zero + .seconds(1)
        let names = violations(
            of: Checkers(),
            [
                .session(settings), .turnEnded(deadline: late), output(.bug("no such state")),
                answer(.response(allow: true)),
                output(.close(first)), output(.write(first, ByteBuffer(string: "late"))), start(), tell(data),
                tell(data),
                tell(.wrote(bytes: 1, total: 7, expected: 4)), tell(data, two),
            ]
        ).map(\.checker)
        #expect(
            Set(names) == [
                "bug", "completion", "call order", "question", "body", "counter", "window", "connection", "leftovers",
            ])
    }

    @Test func `a finding says who, when and which task`() {
        var found = Findings()
        found.checker = "body"
        found.instant = .zero + .milliseconds(1_500)
        found.add("bytes differ", TaskKey(session: 0, task: TaskID(3)))
        #expect(found.violations.map(\.description) == ["body, at 1.5 s, session 0, task 3: bytes differ"])
    }

    @Test func `findings are bounded and not repeated`() {
        var found = Findings()
        for number in 0..<1_000 {
            found.add("\(number)")
            found.add("\(number)")
        }
        #expect(found.violations.count == Findings.limit)
        #expect(found.violations.last?.sentence == "99")
    }
}
