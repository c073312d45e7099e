import Glibc
import HTTPBasics
import MachineContract
import NIOCore

/// The two clocks that a server's machine is given.
enum ServerClock {
    static func moment() -> Moment {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME_COARSE, &time)
        let date = UnixTime(seconds: Int64(time.tv_sec))
        // What is random in a script comes from its own seed.
        return Moment(instant: now(), date: date, entropy: 0)
    }

    /// The event loop's monotonic clock.
    static func now() -> Instant { Instant(nanoseconds: Int64(NIODeadline.now().uptimeNanoseconds)) }
}
