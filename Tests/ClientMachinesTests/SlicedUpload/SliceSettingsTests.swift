import Testing

@testable import ClientMachines

@Suite struct SliceSettingsTests {
    private let settings = SliceSettings(pause: .seconds(1), longestPause: .seconds(10))

    // BEHAVIOUR 3.B1-pause
    @Test(arguments: [(1, 1), (2, 2), (3, 4), (4, 8), (5, 10), (500, 10)])
    func `pauses double up to the longest, half of each by chance`(failures: Int, seconds: Int) {
        let whole = Duration.seconds(seconds)
        #expect(settings.wait(behind: failures, asked: nil, entropy: 0) == whole / 2)
        let half = UInt64((whole / 2).nanoseconds)
        #expect(settings.wait(behind: failures, asked: nil, entropy: half) == whole)
        #expect(settings.wait(behind: failures, asked: nil, entropy: .max) <= whole)
    }

    // BEHAVIOUR 3.B1-pause
    @Test func `a longer Retry-After counts, up to an hour`() {
        #expect(settings.wait(behind: 1, asked: .seconds(30), entropy: 0) == .seconds(30))
        #expect(settings.wait(behind: 5, asked: .seconds(1), entropy: 0) == .seconds(5))
        #expect(settings.wait(behind: 1, asked: .seconds(1 << 40), entropy: 0) == .seconds(3600))
    }
}
