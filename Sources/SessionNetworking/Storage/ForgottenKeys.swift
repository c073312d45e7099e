#if !canImport(Darwin)
import ClientMachines
import HTTPBasics

/// When what was kept was last forgotten, by a part of its key's hash: what was asked for before is out of date, and
/// now and then something that is not.
struct ForgottenKeys {
    private var last = [Instant?](repeating: nil, count: 256)
    private var all: Instant?
    /// The last of the answers that have outdated others, exactly.
    private var outdating: [OutdatingAnswer] = []
    private var newest = mostOutdating - 1

    private static let mostOutdating = 256

    mutating func forget(_ key: CacheKey, at now: Instant) {
        let place = Self.place(of: key)
        last[place] = max(last[place] ?? now, now)
    }

    mutating func forgetAll(at now: Instant) { all = now }

    mutating func outdate(by newer: OutdatingAnswer) {
        // Whoever asks for the same again and again takes one place.
        if newest < outdating.count, newer.covers(outdating[newest]) {
            outdating[newest] = newer
            return
        }
        newest = (newest + 1) % Self.mostOutdating
        guard outdating.count == Self.mostOutdating else { return outdating.append(newer) }
        forget(outdating[newest].key, at: outdating[newest].asked)
        outdating[newest] = newer
    }

    func wasForgotten(_ record: StoredResponse, of key: CacheKey, since asked: Instant) -> Bool {
        let isOutdated = outdating.contains {
            $0.key == key && asked < $0.asked && $0.outdates(record, asked: asked)
        }
        return isOutdated || [last[Self.place(of: key)], all].contains { $0.map { asked < $0 } ?? false }
    }

    /// The same in every process, unlike `hashValue`: what is kept must not be left to chance (FNV-1a).
    private static func place(of key: CacheKey) -> Int {
        let hash = key.text.utf8.reduce(0xcbf2_9ce4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
        return Int(truncatingIfNeeded: hash ^ hash >> 32) & 255
    }
}
#endif
