import HTTPBasics

/// The simulator's two clocks: a monotonic one that only the scheduler moves, and a wall clock that can be set.
package struct VirtualClock: Sendable {
    /// 2026-01-01T00:00:00Z: some fixed date, so that runs do not depend on the day.
    package static let defaultDate = UnixTime(seconds: 1_767_225_600)

    package private(set) var now = Instant.zero
    private var dateAtZero: Int64

    package init(date: UnixTime = VirtualClock.defaultDate) { dateAtZero = date.seconds }

    /// Runs with the monotonic clock from wherever it was last set.
    package var date: UnixTime { UnixTime(seconds: dateAtZero &+ now.nanoseconds / 1_000_000_000) }

    /// Never backwards.
    package mutating func advance(to instant: Instant) { now = max(now, instant) }

    /// Moves the wall clock alone, as an administrator or NTP would.
    package mutating func setDate(_ date: UnixTime) {
        dateAtZero = date.seconds &- now.nanoseconds / 1_000_000_000
    }
}
