import NIOCore
import Testing

@testable import ClientEngine

/// When the kernel may let bytes gather before it wakes the loop.
@Suite struct ReceiveMarkTests {
    private static let start = NIODeadline.uptimeNanoseconds(1_000_000_000)
    private static let piece = 64 * 1024

    /// Pieces that come one every `interval`, until a mebibyte is there.
    private func fed(every interval: TimeAmount, due: Int) -> (mark: ReceiveMark, end: NIODeadline) {
        var mark = ReceiveMark()
        var now = Self.start
        for _ in 0..<16 {
            _ = mark.received(Self.piece, due: due, at: now)
            now = now + interval
        }
        return (mark, now)
    }

    @Test func aFastBodyRaisesIt() {
        #expect(fed(every: .microseconds(100), due: 10 << 20).mark.level == ReceiveMark.raised)
    }

    @Test func aSlowBodyDoesNot() {
        #expect(fed(every: .milliseconds(1), due: 10 << 20).mark.level == 1)
    }

    @Test func aBodyThatBecomesFastRaisesIt() {
        var (mark, now) = fed(every: .milliseconds(2), due: 10 << 20)
        for _ in 0..<18 {
            _ = mark.received(Self.piece, due: 10 << 20, at: now)
            now = now + .microseconds(100)
        }
        #expect(mark.level == ReceiveMark.raised)
    }

    @Test(arguments: [0, 1, ReceiveMark.worthwhile - 1])
    func nothingIsWaitedForThatIsNotSureToCome(due: Int) {
        #expect(fed(every: .microseconds(100), due: due).mark.level == 1)
    }

    @Test func itNeverStandsAboveWhatIsDue() {
        var (mark, now) = fed(every: .microseconds(100), due: 10 << 20)
        for due in stride(from: 1 << 20, through: 0, by: -4096) {
            _ = mark.received(4096, due: due, at: now)
            #expect(mark.level == 1 || mark.level <= due)
            now = now + .microseconds(1)
        }
        #expect(mark.level == 1)
    }

    @Test func aChangeIsToldOnce() {
        let now: NIODeadline
        var mark: ReceiveMark
        (mark, now) = fed(every: .microseconds(100), due: 10 << 20)
        let changes = [
            mark.received(Self.piece, due: 9 << 20, at: now),
            mark.looked(at: now),
            mark.looked(at: now + ReceiveMark.patience),
            mark.looked(at: now + .seconds(1)),
        ]
        #expect(changes == [false, false, true, false])
        #expect(mark.level == 1)
    }

    @Test func aBodyThatSlowsDownLosesIt() {
        var (mark, now) = fed(every: .microseconds(100), due: 10 << 20)
        now = now + ReceiveMark.patience
        let hasChanged = mark.received(Self.piece, due: 8 << 20, at: now)
        #expect(hasChanged)
        #expect(mark.level == 1)
    }
}
