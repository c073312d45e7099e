import Glibc
import HTTPBasics
import MachineContract
import NIOCore
import NIOPosix

/// The two clocks and the randomness of the socket world.
package struct LoopClock {
    private var entropy: UInt64

    init() {
        var seed = SystemRandomNumberGenerator()
        // A state of 0 would stay 0 for ever.
        entropy = seed.next() | 1
    }

    /// Reads both clocks; every call brings another random number.
    mutating func moment() -> Moment {
        Moment(instant: LoopClock.now(), date: LoopClock.date(), entropy: nextEntropy())
    }

    /// The loop's own monotonic clock, so that timers and machines mean the same instants.
    package static func now() -> Instant { Instant(nanoseconds: Int64(NIODeadline.now().uptimeNanoseconds)) }

    /// Runs a job so much later on an event loop: on the present one, if there is one.
    @Sendable
    package static func run(after span: Duration, _ job: @escaping @Sendable () -> Void) {
        let loop = MultiThreadedEventLoopGroup.singleton.any()
        loop.scheduleTask(in: .nanoseconds(span.nanoseconds), job)
    }

    private static func date() -> UnixTime {
        var time = timespec()
        // Whole seconds suffice, and the coarse clock costs no system call.
        clock_gettime(CLOCK_REALTIME_COARSE, &time)
        return UnixTime(seconds: Int64(time.tv_sec))
    }

    /// xorshift64* (Vigna 2016): for jitter and boundaries, not for secrets.
    private mutating func nextEntropy() -> UInt64 {
        entropy ^= entropy >> 12
        entropy ^= entropy << 25
        entropy ^= entropy >> 27
        return entropy &* 0x2545_F491_4F6C_DD1D
    }
}
