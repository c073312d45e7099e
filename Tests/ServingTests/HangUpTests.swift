import Foundation
import Locks
import Testing

@testable import Serving

@Suite("SIGHUP of a server", .serialized)
struct HangUpTests {
    /// What the signal does when the terminal has become what `later` says.
    private func answer(begun: Bool, later: Bool, isIgnored: Bool) -> String {
        signal(SIGHUP, isIgnored ? SIG_IGN : SIG_DFL)
        defer { signal(SIGHUP, SIG_DFL) }
        let terminal = Lock(begun)
        let stop = StopSignal(), rounds = StopSignal()
        let hangUp = HangUp(stop: stop, hasTerminal: { terminal.withLock { $0 } }) { rounds.raise() }
        terminal.withLock { $0 = later }
        hangUp.take()
        return "\(stop.isRaised ? "stop" : "")\(rounds.isRaised ? "end round" : "")"
    }

    @Test("It is the end where the terminal has gone with it")
    func terminalGone() { #expect(answer(begun: true, later: false, isIgnored: false) == "stop") }

    @Test("It ends the round only, where the terminal is there, where there never was one, and under nohup")
    func roundOnly() {
        #expect(answer(begun: true, later: true, isIgnored: false) == "end round")
        #expect(answer(begun: false, later: false, isIgnored: false) == "end round")
        #expect(answer(begun: true, later: false, isIgnored: true) == "end round")
    }
}
