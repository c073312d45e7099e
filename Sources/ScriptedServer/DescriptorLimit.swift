import Glibc

/// How many connections a server has room for.
enum DescriptorLimit {
    static let peers = peers(descriptors: soft)

    /// 64 are left to the rest of the process, or three quarters where there are few; at most 4,096 are taken.
    static func peers(descriptors: Int) -> Int { max(1, min(4096, max(descriptors - 64, descriptors / 4))) }

    private static var soft: Int {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return 1024 }
        return Int(clamping: limit.rlim_cur)
    }
}
