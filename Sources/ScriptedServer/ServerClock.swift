import Glibc
import HTTPBasics
import MachineContract
import NIOCore

/// The two clocks and the randomness that a server's machine is given.
enum ServerClock {
    static func moment() -> Moment {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME_COARSE, &time)
        let date = UnixTime(seconds: Int64(time.tv_sec))
        // A script has no use for secrets and little for chance; the system's generator is fast enough.
        return Moment(instant: now(), date: date, entropy: UInt64.random(in: .min ... .max))
    }

    /// The event loop's monotonic clock.
    static func now() -> Instant { Instant(nanoseconds: Int64(NIODeadline.now().uptimeNanoseconds)) }
}
