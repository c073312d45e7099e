import Foundation
import HTTPBasics

/// Time as a client lane has it: the simulator's, or the real one counted from the beginning of the case.
protocol LaneClock: AnyObject, Sendable {
    /// May be read from any thread.
    var now: Instant { get }

    /// The moment as a date, for what the public API wants dates of.
    var date: Date { get }

    /// Sets the wall clock, where it is ours to set.
    func setDate(ahead span: Duration)

    /// Runs the job on the lane, that much later.
    func schedule(after span: Duration, _ job: @escaping @Sendable () -> Void)
}
