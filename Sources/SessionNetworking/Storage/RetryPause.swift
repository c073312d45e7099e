#if !canImport(Darwin)
import Foundation

/// How long to wait before what has failed is tried again: a second, then twice as long each time, at most a minute.
struct RetryPause: Sendable {
    /// How often in a row it has failed.
    private(set) var failures = 0

    mutating func next() -> DispatchTimeInterval {
        failures += 1
        return .seconds(min(1 << min(failures - 1, 6), 60))
    }

    mutating func reset() { failures = 0 }
}
#endif
