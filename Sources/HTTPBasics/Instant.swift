/// A point on a monotonic clock, in nanoseconds from that clock's own zero.
///
/// The zero has no meaning outside one world: sockets count from start-up, the simulator from 0.
@usableFromInline
package struct Instant: Hashable, Comparable, Sendable {
    @usableFromInline package var nanoseconds: Int64

    @inlinable package init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

    package static let zero = Instant(nanoseconds: 0)

    @inlinable
    package static func < (left: Instant, right: Instant) -> Bool { left.nanoseconds < right.nanoseconds }

    /// The instant `span` later; saturates instead of overflowing, so "for ever" stays in the future.
    package static func + (instant: Instant, span: Duration) -> Instant {
        instant.advanced(byNanoseconds: span.nanoseconds)
    }

    /// The same for a span that is counted already: to count that of a `Duration` takes a division of 128 bits.
    @inlinable
    package func advanced(byNanoseconds count: Int64) -> Instant {
        let (sum, overflow) = nanoseconds.addingReportingOverflow(count)
        return Instant(nanoseconds: overflow ? .max : sum)
    }

    /// The earlier of two that need not be there.
    @inlinable
    package static func earlier(_ one: Instant?, _ other: Instant?) -> Instant? {
        guard let one, let other else { return one ?? other }
        return min(one, other)
    }

    package static func - (later: Instant, earlier: Instant) -> Duration {
        .nanoseconds(later.nanoseconds &- earlier.nanoseconds)
    }
}

extension Duration {
    /// The whole span in nanoseconds, saturated to what 64 bits hold (292 years).
    package var nanoseconds: Int64 { counted(inSecond: 1_000_000_000) }

    /// The same in milliseconds (292 million years).
    package var milliseconds: Int64 { counted(inSecond: 1000) }

    /// Whole ones of which a second has so many, towards zero.
    private func counted(inSecond count: Int64) -> Int64 {
        let (seconds, attoseconds) = components
        let (scaled, overflow) = seconds.multipliedReportingOverflow(by: count)
        if overflow { return seconds < 0 ? .min : .max }
        let (sum, carried) = scaled.addingReportingOverflow(attoseconds / (1_000_000_000_000_000_000 / count))
        return carried ? (seconds < 0 ? .min : .max) : sum
    }

    /// `delay-seconds` as header fields use them (RFC 9110 10.2.3): digits only; nil where they do not fit.
    package static func seconds(parsing digits: some StringProtocol) -> Duration? {
        DecimalNumber.parse(digits).map { .seconds($0) }
    }

    /// A span of fractional seconds; anything longer than 292 years, infinity or not a number means "for ever".
    package static func seconds(clamping seconds: Double) -> Duration {
        guard seconds < 9.2e9 else { return .nanoseconds(Int64.max) }
        return seconds.isNaN ? .nanoseconds(Int64.max) : .nanoseconds(Int64(max(0, seconds) * 1e9))
    }
}
