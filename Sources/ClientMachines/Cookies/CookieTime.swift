import HTTPBasics

/// A date as Foundation's `Date` counts it, in seconds from 2001-01-01T00:00:00Z: nothing is lost on the way to a user
/// and back.
package struct CookieTime: Hashable, Comparable, Sendable {
    private static let ofReference = 978_307_200.0

    package let seconds: Double

    /// What is no number is as good as the distant past.
    package init(seconds: Double) { self.seconds = seconds.isNaN ? -.greatestFiniteMagnitude : seconds }

    package init(_ time: UnixTime) { self.init(seconds: Double(time.seconds) - Self.ofReference) }

    /// Rounded down; the nearest that whole seconds can count.
    package var unixTime: UnixTime {
        let seconds = (self.seconds + Self.ofReference).rounded(.down)
        return UnixTime(seconds: Int64(exactly: seconds) ?? (seconds < 0 ? .min : .max))
    }

    package func advanced(by span: Int64) -> CookieTime { CookieTime(seconds: seconds + Double(span)) }

    package static func < (left: CookieTime, right: CookieTime) -> Bool { left.seconds < right.seconds }
}
