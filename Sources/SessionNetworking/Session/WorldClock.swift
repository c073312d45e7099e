#if !canImport(Darwin)
import ClientEngine
import Foundation
import HTTPBasics
import MachineContract

/// The two clocks of a world, the one that its machines' instants are on and the calendar beside it; and its
/// randomness.
package struct WorldClock: Sendable {
    package var instant: @Sendable () -> Instant
    package var date: @Sendable () -> Date
    package var entropy: @Sendable () -> UInt64

    package init(
        instant: @escaping @Sendable () -> Instant, date: @escaping @Sendable () -> Date,
        entropy: @escaping @Sendable () -> UInt64
    ) {
        self.instant = instant
        self.date = date
        self.entropy = entropy
    }

    /// Of real sockets.
    package static let system = WorldClock(
        instant: LoopClock.now, date: { Date() }, entropy: { .random(in: .min ... .max) })

    /// What a machine that runs beside the engine is given at one step.
    package func moment() -> Moment {
        Moment(instant: instant(), date: UnixTime(date()), entropy: entropy())
    }

    /// The same for a machine that leaves nothing to chance: to ask for some is a system call.
    package var momentWithoutChance: Moment { Moment(instant: instant(), date: UnixTime(date()), entropy: 0) }

    /// Both, read once: dates that come from one reading are as far apart as their instants, even if the user sets the
    /// calendar meanwhile (BEHAVIOUR 2.G3-clock).
    package func reading() -> ClockReading { ClockReading(instant: instant(), date: date()) }
}

extension UnixTime {
    /// The second that a date is in; the first or the last one for a date that is none.
    init(_ date: Date) {
        let seconds = date.timeIntervalSince1970.rounded(.down)
        self.init(seconds: Int64(exactly: seconds) ?? (seconds > 0 ? .max : .min))
    }
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
