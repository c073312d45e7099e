import HTTPBasics
import NIOCore
import Testing

@testable import ServerScript

@Suite struct ChanceTests {
    private func script(percent: Int) -> Script {
        let fault = Fault(at: .request, do: .fin, percent: percent)
        return Script(routes: [
            Route(Exchange(RequestMatch("GET", "/"), reply: Reply(), faults: [fault].compactMap(\.self)))
        ])
    }

    /// What became of twenty requests, each on a connection of its own.
    private func outcomes(percent: Int, seed: UInt64) throws -> (cut: [Bool], journal: [String]) {
        var cut: [Bool] = [], journal: [String] = []
        try ServerPlay.run(script(percent: percent), seed: seed) { play in
            for peer in 0..<20 {
                play.connect(peer)
                play.ask("GET /", on: peer)
                cut.append(play.actions() == ["close \(peer)"])
                let events = play.events()
                try play.book.check("a fault is told", cut.last == events.contains { $0.contains("faulted") })
                journal += events.filter { $0.contains("drew") }
            }
        }
        return (cut, journal)
    }

    @Test("The seed decides which requests are hit, and the journal tells")
    func seeded() throws {
        let first = try outcomes(percent: 50, seed: 7)
        #expect(Set(first.cut) == [true, false])
        #expect(try outcomes(percent: 50, seed: 7).cut == first.cut)
        #expect(try outcomes(percent: 50, seed: 8).cut != first.cut)
        #expect(first.journal.count == 20)
        #expect(first.journal.map { $0.contains("happens: true") } == first.cut)
        #expect(first.journal.allSatisfy { $0.contains("seed: 7") })
    }

    @Test("Never is never and always is always")
    func ends() throws {
        #expect(try !outcomes(percent: 0, seed: 7).cut.contains(true))
        let always = try outcomes(percent: 100, seed: 7)
        #expect(!always.cut.contains(false) && always.journal.isEmpty)
    }

    @Test("An idle fault that does not happen is not waited for")
    func sparedIdleFault() throws {
        let reply = Reply(faults: [Fault(at: .idle(.seconds(1)), do: .fin, percent: 0)])
        try ServerPlay.run(step("GET", "/", reply)) { play in
            play.connect()
            play.ask("GET /")
            try play.book.expectDeadline(in: nil)
            try play.book.check("exhausted", play.machine.isExhausted)
        }
    }
}
