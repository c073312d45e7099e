import Glibc

/// How many connections a server has room for.
package enum DescriptorLimit {
    /// Without a wish at most so many: each takes memory.
    private static let usual = 4096

    static func peers(wanted: Int? = nil) -> Int { min(wanted ?? usual, room(descriptors: soft)) }

    /// How many connections there can be at most.
    package static var room: Int { room(descriptors: soft) }

    /// 64 are left to the rest of the process, or three quarters where there are few.
    static func room(descriptors: Int) -> Int { max(1, descriptors - 64, descriptors / 4) }

    /// As many as the system allows without asking anybody. For a process whose task is to serve: a limit is inherited,
    /// and programs that use `select` cannot bear a high one.
    package static func raise() {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return }
        limit.rlim_cur = limit.rlim_max
        setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    }

    /// Loops and listeners need some; SwiftNIO ends the process where there is none for them.
    ///
    /// - Throws: `ScriptedServerError` if there are too few.
    package static func checkRoom() throws {
        guard soft < 64 else { return }
        throw ScriptedServerError(
            "cannot listen: a server needs 64 descriptors of files at least, and its limit is \(soft) (ulimit -n)")
    }

    private static var soft: Int {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return 1024 }
        return Int(clamping: limit.rlim_cur)
    }
}
