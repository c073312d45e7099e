import NIOCore

/// How many bytes have to lie in the socket before the kernel wakes the loop: SO_RCVLOWAT, socket(7).
///
/// A fast body comes in segments of 64 KiB at most. A reader that is faster than its sender would be woken for each,
/// and would wake the delegate queue for each. While a body is fast and enough of it is still due, the mark is raised.
/// It never stands above what the connection is sure to bring, so an end is not waited for; a body that becomes slow
/// loses it within twice `patience`, so its bytes are not held back either.
struct ReceiveMark {
    static let raised = 256 * 1024
    static let patience = TimeAmount.milliseconds(10)
    /// Neither a smaller piece nor a smaller rest is worth a thought.
    static let worthwhile = 64 * 1024
    /// A body is fast that brings so much within `patience`.
    private static let briskBytes = 1024 * 1024

    private(set) var level = 1
    private var isBrisk = false
    private var gathered = 0
    private var since: NIODeadline?

    /// Something came; true when the level has changed.
    ///
    /// - Parameter due: How much is sure to follow, 0 when that is not known.
    mutating func received(_ count: Int, due: Int, at now: NIODeadline) -> Bool {
        gathered += count
        let start = since ?? now
        since = start
        if now - start > Self.patience {
            isBrisk = false
            restart(at: now)
        } else if gathered >= Self.briskBytes {
            isBrisk = true
            restart(at: now)
        }
        let level = isBrisk && due >= Self.worthwhile ? min(due, Self.raised) : 1
        defer { self.level = level }
        return level != self.level
    }

    /// To be asked every `patience` while the mark is raised; true when the level has changed.
    mutating func looked(at now: NIODeadline) -> Bool {
        guard level > 1, let since, now - since > Self.patience else { return false }
        self = ReceiveMark()
        return true
    }

    private mutating func restart(at now: NIODeadline) {
        gathered = 0
        since = now
    }
}
