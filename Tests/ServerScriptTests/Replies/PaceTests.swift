import HTTPBasics
import Testing

@testable import ServerScript

@Suite struct PaceTests {
    private func instant(_ milliseconds: Int) -> Instant { Instant.zero + .milliseconds(milliseconds) }

    @Test("N bytes at N a second take a second, however they are divided", arguments: [1, 3, 7, 1000, 1 << 40])
    func wholeSecond(rate: Int) throws {
        var pace = try #require(Pace(bytesPerSecond: rate))
        var now = instant(5000), left = rate
        while left > 0 {
            let piece = min(left, pace.piece)
            let due = pace.due(piece, now: now)
            #expect(due >= now)
            now = due
            left -= piece
        }
        #expect(now == instant(6000))
    }

    @Test("Pieces are those of a fiftieth of a second, and never empty")
    func pieces() {
        #expect(Pace(bytesPerSecond: 10_000)?.piece == 200)
        #expect(Pace(bytesPerSecond: 10)?.piece == 1)
        #expect(Pace(bytesPerSecond: nil)?.piece == nil)
        // What waits for its time lies in memory.
        #expect(Pace(bytesPerSecond: 1 << 40)?.piece == ServerConnection.inputLimit)
    }

    @Test("What was missed in a long pause is not made up for; a late timer is")
    func lateness() throws {
        var pace = try #require(Pace(bytesPerSecond: 100))
        #expect(pace.due(10, now: instant(0)) == instant(100))
        #expect(pace.due(10, now: instant(130)) == instant(200))
        #expect(pace.due(10, now: instant(1000)) == instant(1100))
        pace.rest()
        #expect(pace.due(10, now: instant(1110)) == instant(1210))
    }
}
