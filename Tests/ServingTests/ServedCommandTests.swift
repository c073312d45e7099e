import Foundation
import Judge
import TestSupport
import Testing

@testable import Serving

@Suite("A command beside the server", .endsInTime, .serialized)
struct ServedCommandTests {
    private func status(_ line: String, _ variables: [String: String] = [:]) throws -> Int32? {
        let command = try ServedCommand(["/bin/sh", "-c", line], variables: variables)
        #expect(command.ended.wait(atMost: .seconds(30)))
        return command.status
    }

    @Test func `its status is told as a shell tells it`() throws {
        #expect(try status("exit 7") == 7)
        #expect(try status("kill -TERM $$") == 143)
        #expect(try status("test \"$A\" = b", ["A": "b"]) == 0)
    }

    @Test func `it has none of our files, and signals as they are by themselves`() throws {
        // Signals 32 and 33 are the C library's own.
        // The fourth is the folder that is being looked at.
        #expect(try status("set -- /proc/$$/fd/*; test $# -le 4") == 0)
        #expect(try status("grep -q 'SigIgn:.*0000000$' /proc/$$/status") == 0)
    }

    @Test func `one that is not there says so`() {
        #expect(throws: UsageError.self) { try ServedCommand(["no-such-command-anywhere"], variables: [:]) }
        #expect(throws: UsageError.self) { try ServedCommand([], variables: [:]) }
    }
}
