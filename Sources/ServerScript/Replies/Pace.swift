import HTTPBasics

/// A steady rate: after so many bytes, this is when they are through.
struct Pace {
    /// A longer delay has other reasons than the rate: what was missed is not made up for.
    private static let patience = Duration.milliseconds(50)

    private let rate: Int
    private var start: Instant?
    private var through = Instant.zero
    private var count = 0

    init?(bytesPerSecond rate: Int?) {
        guard let rate else { return nil }
        self.rate = max(1, rate)
    }

    /// Bytes that move together: those of a fiftieth of a second, but no more than may lie unread.
    var piece: Int { min(max(1, rate / 50), ServerConnection.inputLimit) }

    /// When these bytes are through, if nothing went wrong before them.
    mutating func due(_ bytes: Int, now: Instant) -> Instant {
        let begin: Instant
        if let start, now - through <= Pace.patience {
            begin = start
        } else {
            begin = now
            count = 0
        }
        start = begin
        count += bytes
        // Counted from the beginning, so that no rounding adds up; rounded up, so that it is never early.
        let nanoseconds = (Int128(count) * 1_000_000_000 + Int128(rate) - 1) / Int128(rate)
        through = begin + .nanoseconds(Int64(clamping: nanoseconds))
        return through
    }

    /// A pause of another reason comes now; it is not part of the rate.
    mutating func rest() { start = nil }
}
