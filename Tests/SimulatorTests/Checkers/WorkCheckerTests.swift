import ClientMachines
import NIOCore
import Testing

@testable import Simulator

@Suite struct WorkCheckerTests {
    private func findings(_ outputs: [ClientOutput], inputs: Int = 1, turns: Int = 1) -> [String] {
        var checker = WorkChecker(), findings = Findings()
        for _ in 0..<turns {
            for _ in 0..<inputs {
                checker.note(.timePassed, 0, &findings)
                for output in outputs { checker.note(output, 0, &findings) }
            }
            checker.turnEnded(0, deadline: nil, &findings)
        }
        return findings.violations.map(\.sentence)
    }

    private let data = ClientOutput.tell(TaskID(1), .data(ByteBuffer(repeating: 0, count: 1 << 20)))

    @Test("What a turn hands out has a bound, be it to a user or to a file")
    func bytes() {
        #expect(findings(Array(repeating: data, count: 4)) == [])
        #expect(findings(Array(repeating: data, count: 5)) == ["one turn hands out more than 4194304 bytes"])
        let write = ClientOutput.file(TaskID(1), .write(ByteBuffer(repeating: 0, count: 5 << 20)))
        #expect(findings([write]).count == 1)
    }

    @Test("So has the number of its outputs")
    func outputs() {
        let empty = ClientOutput.tell(TaskID(1), .data(ByteBuffer()))
        #expect(findings(Array(repeating: empty, count: 32_769)) == ["one turn has more than 32768 outputs"])
    }

    @Test("An input in the midst of a turn, as the answer to a look is, begins no other one")
    func look() { #expect(findings([data], inputs: 5).count == 1) }

    @Test("Each turn has its own")
    func turns() { #expect(findings(Array(repeating: data, count: 4), turns: 3) == []) }
}
