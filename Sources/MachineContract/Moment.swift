import HTTPBasics

/// What a machine may know of the outer world at one step: two clocks and a fresh random number, all given.
///
/// The simulator moves the two clocks apart, so nothing may compute one from the other.
@usableFromInline
package struct Moment: Equatable, Sendable {
    /// The monotonic clock: every wait and deadline is measured on it.
    package let instant: Instant
    /// The wall clock: dates in header fields and files are judged by it.
    package let date: UnixTime
    /// Randomness for this step; from the seed in the simulator.
    package let entropy: UInt64

    package init(instant: Instant, date: UnixTime, entropy: UInt64) {
        self.instant = instant
        self.date = date
        self.entropy = entropy
    }
}
