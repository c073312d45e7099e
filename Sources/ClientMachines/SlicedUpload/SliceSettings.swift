/// How a file is cut and how hard its upload tries; every value is brought into its bounds.
package struct SliceSettings: Hashable, Sendable {
    /// What fails is sent again from its beginning.
    package static let largestSlice: Int64 = 64 << 20

    package var first: Int64
    package var smallest: Int64
    package var largest: Int64
    /// How long a slice should take.
    package var span: Duration
    /// How many go out at the same time.
    package var parallel: Int
    /// How often one slice is tried.
    package var attempts: Int
    /// Before the second attempt; doubled before each one after it.
    package var pause: Duration
    package var longestPause: Duration

    package init(
        first: Int64 = 256 << 10, smallest: Int64 = 64 << 10, largest: Int64 = 4 << 20, span: Duration = .seconds(2),
        parallel: Int = 4, attempts: Int = 5, pause: Duration = .seconds(1), longestPause: Duration = .seconds(60)
    ) {
        self.smallest = min(max(1, smallest), SliceSettings.largestSlice)
        self.largest = min(max(self.smallest, largest), SliceSettings.largestSlice)
        self.first = min(max(self.smallest, first), self.largest)
        self.span = min(max(.milliseconds(1), span), .seconds(3600))
        self.parallel = max(1, parallel)
        self.attempts = max(1, attempts)
        self.pause = min(max(.milliseconds(1), pause), .seconds(3600))
        self.longestPause = min(max(self.pause, longestPause), .seconds(3600))
    }

    /// How long to wait behind that many failures of a slice: half of it is random, so that clients whom one outage hit
    /// do not all come back at once. What the server asks for counts when it is longer, up to an hour.
    func wait(behind failures: Int, asked: Duration?, entropy: UInt64) -> Duration {
        var pause = self.pause
        for _ in 1..<max(1, failures) where pause < longestPause { pause = pause * 2 }
        let half = min(pause, longestPause).nanoseconds / 2
        let drawn = Duration.nanoseconds(half + Int64(entropy % UInt64(half + 1)))
        return max(drawn, min(asked ?? .zero, .seconds(3600)))
    }
}
