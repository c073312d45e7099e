#if !canImport(Darwin)
import ClientEngine
import Foundation
import HTTPBasics

/// The two clocks of a world: the one that its machines' instants are on, and the calendar beside it.
package struct WorldClock: Sendable {
    package var instant: @Sendable () -> Instant
    package var date: @Sendable () -> Date

    package init(instant: @escaping @Sendable () -> Instant, date: @escaping @Sendable () -> Date) {
        self.instant = instant
        self.date = date
    }

    /// Of real sockets.
    package static let system = WorldClock(instant: LoopClock.now, date: { Date() })

    /// Both, read once: dates that come from one reading are as far apart as their instants, even if somebody sets the
    /// calendar meanwhile (BEHAVIOUR 2.G3-clock).
    package func reading() -> ClockReading { ClockReading(instant: instant(), date: date()) }
}

/// An instant and the date at that instant.
package struct ClockReading: Hashable, Sendable {
    package var instant: Instant
    package var date: Date

    package init(instant: Instant, date: Date) {
        self.instant = instant
        self.date = date
    }

    package func date(of other: Instant) -> Date {
        date.addingTimeInterval(Double(other.nanoseconds &- instant.nanoseconds) / 1e9)
    }
}
#endif
