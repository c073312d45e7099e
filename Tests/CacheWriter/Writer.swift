import Glibc

/// A process that stores into a folder until it is killed; it ends by itself if it finds a byte that is wrong.
struct Writer {
    private let pid: pid_t

    static func two(in folder: String) -> [Writer] {
        (0..<2).map { _ in Writer(folder) }
    }

    private init(_ folder: String) {
        let seed = UInt64.random(in: 0...UInt64.max >> 2)
        var pid: pid_t = 0
        let words: [String] = [CommandLine.arguments[0], "store", folder, "\(seed)"]
        var arguments = words.map { strdup($0) } + [nil]
        defer { arguments.forEach { free($0) } }
        guard posix_spawn(&pid, "/proc/self/exe", nil, nil, &arguments, environ) == 0 else {
            CacheWriterProgram.fail("cannot start a process")
        }
        self.pid = pid
    }

    /// Whether that is what has ended it.
    func kill() -> Bool {
        _ = Glibc.kill(pid, SIGKILL)
        var status: Int32 = 0
        while waitpid(pid, &status, 0) < 0, errno == EINTR {}
        return status & 0x7f == SIGKILL
    }

    var isRunning: Bool {
        var ended = siginfo_t()
        return waitid(P_PID, id_t(pid), &ended, WEXITED | WNOHANG | WNOWAIT) == 0 && ended.si_signo == 0
    }

    /// In seconds of the processors.
    var used: Int {
        var clock: clockid_t = 0, time = timespec()
        guard clock_getcpuclockid(pid, &clock) == 0, clock_gettime(clock, &time) == 0 else { return 0 }
        return time.tv_sec
    }
}
