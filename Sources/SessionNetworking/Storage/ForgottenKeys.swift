#if !canImport(Darwin)
import ClientMachines
import HTTPBasics

/// When what was kept was last forgotten, by a part of its key's hash: what was asked for before is out of date, and
/// now and then something that is not.
struct ForgottenKeys {
    private var last = [Instant?](repeating: nil, count: 256)
    private var all: Instant?

    mutating func forget(_ key: CacheKey, at now: Instant) { last[Self.place(of: key)] = now }

    mutating func forgetAll(at now: Instant) { all = now }

    func wasForgotten(_ key: CacheKey, since asked: Instant) -> Bool {
        [last[Self.place(of: key)], all].contains { $0.map { asked < $0 } ?? false }
    }

    private static func place(of key: CacheKey) -> Int { key.hashValue & 255 }
}
#endif
