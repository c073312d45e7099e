import HTTPBasics

/// How long the next slice is: what the network carried lately in the time that a slice should take.
///
/// From one slice to the next the length at most doubles or halves, so that one odd measurement does no harm. A failure
/// halves it: what is long fails more often, and costs more when it does.
struct SliceSizing: Equatable, Sendable {
    private let settings: SliceSettings
    private(set) var length: Int64
    /// Bytes in a second, the newest measurement counting as much as all before it.
    private var rate: Double?

    init(_ settings: SliceSettings) {
        self.settings = settings
        length = settings.first
    }

    mutating func measured(_ count: Int64, in span: Duration) {
        let sample = Double(count) / max(0.001, span / .seconds(1))
        let rate = rate.map { ($0 + sample) / 2 } ?? sample
        self.rate = rate
        // Beyond the largest slice nothing matters, and a number too large for 64 bits would trap.
        let ideal = Int64(min(rate * (settings.span / .seconds(1)), Double(SliceSettings.largestSlice)))
        set(min(max(ideal, length / 2), length * 2))
    }

    mutating func failed() { set(length / 2) }

    private mutating func set(_ wanted: Int64) { length = min(max(settings.smallest, wanted), settings.largest) }
}
