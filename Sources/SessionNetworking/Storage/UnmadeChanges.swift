#if !canImport(Darwin)
import ClientMachines
import DequeModule

/// The changes that a cache has still to make on disk, in their order, and who waits for them.
///
/// Bounded: a disk that cannot keep up is not written to, and where even what is to be forgotten piles up, all is
/// forgotten.
struct UnmadeChanges {
    /// In bytes that they hold, and in changes.
    static let mostBytes = 16 << 20
    static let mostChanges = 10_000

    private struct Waiter {
        /// The change behind which its turn comes.
        var number: Int
        var job: @Sendable () -> Void
    }

    private var list = Deque<DiskChange>()
    private var dropped: [DiskChange] = []
    private var bytes = 0
    /// Of all times.
    private var added = 0
    private var made = 0
    private var counts: [CacheKey: Int] = [:]
    private var countOfAll = 0
    private var waiters = Deque<Waiter>()
    /// The writer is on its way.
    private var isScheduled = false
    /// How often answers were changed, by a part of their key's hash.
    private var versions = [UInt32](repeating: 0, count: 256)
    private var versionOfAll: UInt32 = 0

    var isEmpty: Bool { made == added }

    /// Whether any of them concerns a key.
    func concern(_ key: CacheKey) -> Bool { countOfAll > 0 || counts[key] != nil }

    /// Is another one after a change of the key's answers, and now and then without one.
    func version(of key: CacheKey) -> UInt64 {
        UInt64(versionOfAll) << 32 | UInt64(versions[Self.place(of: key)])
    }

    private static func place(of key: CacheKey) -> Int { key.hashValue & 255 }

    // MARK: - Adding

    /// False if there is no room: a body whose piece was refused is not whole on disk. What would have been kept is
    /// forgotten instead.
    mutating func add(_ change: DiskChange) -> Bool {
        let fits = hasRoom(for: change)
        switch change {
        case .keep(let head, _, let key) where !fits: return add(.forgetVariant(head.record.variant, of: key))
        case .append where !fits, .use where !fits: return false
        default: break
        }
        if list.count >= Self.mostChanges { giveUp() }
        append(change)
        return true
    }

    func hasRoom(for change: DiskChange) -> Bool {
        bytes + change.bytes <= Self.mostBytes && list.count < Self.mostChanges
    }

    private mutating func append(_ change: DiskChange) {
        if let key = change.key {
            counts[key, default: 0] += 1
            versions[Self.place(of: key)] &+= 1
        } else if change.concernsAll {
            countOfAll += 1
            versionOfAll &+= 1
        }
        bytes += change.bytes
        added += 1
        list.append(change)
    }

    private mutating func giveUp() {
        for change in list { leave(change) }
        dropped += list
        list = []
        append(.forgetAll)
        // What they wait for comes with that.
        for index in waiters.indices { waiters[index].number = added }
    }

    /// What is not made after all, for the writer to let go of: unfinished files go with it.
    mutating func takeDropped() -> [DiskChange] {
        defer { dropped = [] }
        return dropped
    }

    // MARK: - Making

    /// True when the writer has to be called.
    mutating func mustSchedule() -> Bool {
        guard !isScheduled, !list.isEmpty else { return false }
        isScheduled = true
        return true
    }

    /// The next one; nil if there is none, and the writer is to be called anew.
    mutating func next() -> DiskChange? {
        let change = list.popFirst()
        if change == nil { isScheduled = false }
        return change
    }

    /// Whose turn has come by that, in their order.
    mutating func isMade(_ change: DiskChange) -> [@Sendable () -> Void] {
        leave(change)
        var jobs: [@Sendable () -> Void] = []
        while let first = waiters.first, first.number <= made { jobs.append(waiters.removeFirst().job) }
        return jobs
    }

    private mutating func leave(_ change: DiskChange) {
        made += 1
        bytes -= change.bytes
        if let key = change.key, let count = counts[key] {
            counts[key] = count > 1 ? count - 1 : nil
        } else if change.concernsAll {
            countOfAll -= 1
        }
    }

    /// Leaves a job for when all changes are made that were added before; false if they are.
    mutating func wait(_ job: @escaping @Sendable () -> Void) -> Bool {
        guard !isEmpty else { return false }
        waiters.append(Waiter(number: added, job: job))
        return true
    }
}
#endif
