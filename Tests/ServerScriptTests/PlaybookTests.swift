import MachineContract
import TestSupport
import Testing

@testable import ServerScript

@Suite struct PlaybookTests {
    private func message(_ body: (Playbook<ScriptMachine>) throws -> Void) -> String {
        do {
            let machine = ScriptMachine(script: Script(), origins: [:])
            try Playbook.play(machine, describeOutput: ServerPlay.describe, body)
            return ""
        } catch {
            return "\(error)"
        }
    }

    @Test("A play that asserts nothing fails")
    func nothingAsserted() {
        #expect(message { $0.feed(.timePassed) }.hasPrefix("nothing was asserted"))
    }

    @Test("Outputs that were not looked at fail")
    func leftOver() {
        let text = message { book in
            try book.expect()
            book.feed(.accepted(PeerID(0), host: "a.test"))
        }
        #expect(text.hasPrefix("outputs were left at the end\n+ 0/0 accepted\ntranscript:\n+0.000s > "))
    }

    @Test("A wrong expectation shows what is missing and what is too much")
    func differences() {
        let text = message { book in
            book.feed(.accepted(PeerID(0), host: "a.test"))
            try book.expect(.close(PeerID(0)))
        }
        #expect(text.contains("- close 0\n"))
        #expect(text.contains("+ 0/0 accepted\n"))
    }

    @Test("A right expectation passes")
    func right() {
        let text = message { book in
            book.feed(.accepted(PeerID(0), host: "a.test"))
            try book.expect(
                .journal(ServerEvent(peer: PeerID(0), exchange: 0, instant: book.now, kind: .accepted)))
            try book.expectDeadline(in: nil)
        }
        #expect(text == "")
    }
}
