import HTTPBasics

/// Waits, without blocking, until what a finished client lane has set going has come to rest.
///
/// A close that follows a completion, the last step of the script or a call that should not come: all of them may be a
/// moment late. When nothing is missing any more a short quiet time is added, for what should not come.
struct Settling: Sendable {
    var interval: Duration
    var quiet: Duration
    var limit: Duration

    /// Virtual time costs nothing.
    static func simulated(_ scripted: Duration) -> Settling {
        Settling(interval: .milliseconds(10), quiet: .milliseconds(100), limit: .seconds(3) + scripted)
    }

    static func sockets(_ scripted: Duration) -> Settling {
        Settling(interval: .milliseconds(2), quiet: .milliseconds(8), limit: .seconds(1) + scripted)
    }

    /// `isSettled` and `done` run on the lane.
    func wait(
        on clock: any LaneClock, until isSettled: @escaping @Sendable () -> Bool, done: @escaping @Sendable () -> Void
    ) {
        look(clock, since: clock.now, isSettled, done)
    }

    private func look(
        _ clock: any LaneClock, since begin: Instant, _ isSettled: @escaping @Sendable () -> Bool,
        _ done: @escaping @Sendable () -> Void
    ) {
        if isSettled() { return clock.schedule(after: quiet, done) }
        let waited = clock.now - begin
        if waited >= limit { return done() }
        // Some scripts wait for days of virtual time: the longer it takes, the rarer the look.
        clock.schedule(after: max(interval, waited / 16)) { look(clock, since: begin, isSettled, done) }
    }
}
