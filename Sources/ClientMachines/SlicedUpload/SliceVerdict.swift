import HTTPBasics

/// What an answer means for the slice that it answers.
package enum SliceVerdict: Equatable, Sendable {
    case stored
    case failed(SliceFailure)

    /// - Parameters:
    ///   - retryAfter: The answer's Retry-After: seconds, or a date (RFC 9110 10.2.3).
    ///   - now: What such a date is compared with.
    package init(status: Int, retryAfter: String?, now: UnixTime) {
        switch status {
        case 200...299: self = .stored
        // Timeout, too early, too many requests, and what a server or a gateway says of its own trouble.
        case 408, 425, 429, 500, 502, 503, 504:
            self = .failed(.passing(retryAfter: retryAfter.flatMap { Self.span($0, now: now) }))
        default: self = .failed(.lasting)
        }
    }

    private static func span(_ value: String, now: UnixTime) -> Duration? {
        if let span = Duration.seconds(parsing: value) { return span }
        return HTTPDate.parse(value, now: now).map { .seconds(max(0, $0.seconds &- now.seconds)) }
    }
}
