import Glibc
import HTTPBasics

/// What a run may take from the process that plays it: for runs whose peer means harm.
///
/// Measured, where all else in a simulation is computed: the bounds lie far above what a sound run needs, so that
/// the same run gives the same verdict.
package struct ProcessLimits: Hashable, Sendable {
    /// Processor time of one turn.
    package var turn: Duration
    /// By how much the process may grow.
    package var memory: Int

    package init(turn: Duration, memory: Int) {
        self.turn = turn
        self.memory = memory
    }
}

/// Holds a run against its limits, turn by turn.
struct ProcessMeter {
    static let name: StaticString = "process"
    /// Looking costs a system call: after so many bytes of input or output.
    private static let bytesBetweenLooks = 1 << 20

    private let limits: ProcessLimits
    private let base: Int
    private var began = Duration.zero
    private var unseen = 0

    init(_ limits: ProcessLimits) {
        self.limits = limits
        // What an earlier run has given back and the allocator keeps would hide as much of this one.
        _ = ProcessMeter.trim?(0)
        base = ProcessMeter.residentBytes
    }

    mutating func turnBegan() { began = ProcessMeter.processorTime }

    mutating func moved(_ bytes: Int) { unseen += bytes }

    /// What is wrong with the turn that ends.
    mutating func turnEnded() -> String? {
        let spent = ProcessMeter.processorTime - began
        if spent > limits.turn { return "one turn took more than \(limits.turn) of the processor" }
        guard unseen >= ProcessMeter.bytesBetweenLooks else { return nil }
        unseen = 0
        let isOver = ProcessMeter.residentBytes - base > limits.memory
        return isOver ? "the run takes more than \(limits.memory >> 20) MiB" : nil
    }

    /// Glibc's `malloc_trim`: its header is not among those that Swift imports.
    private static let trim = dlsym(nil, "malloc_trim").map {
        unsafeBitCast($0, to: (@convention(c) (Int) -> CInt).self)
    }

    private static var processorTime: Duration {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
    }

    /// 0 where the system does not say.
    private static var residentBytes: Int {
        let file = open("/proc/self/statm", O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return 0 }
        defer { close(file) }
        var text = [UInt8](repeating: 0, count: 128)
        let count = read(file, &text, text.count)
        guard count > 0 else { return 0 }
        let words = text[..<count].split(separator: ASCII.space)
        let pages = words.count > 1 ? Int(String(decoding: words[1], as: UTF8.self)) ?? 0 : 0
        return pages * sysconf(Int32(_SC_PAGESIZE))
    }
}
