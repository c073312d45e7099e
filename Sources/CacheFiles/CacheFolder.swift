import BodyFiles
import Digests
import Dispatch
import Glibc
import HTTPBasics
import Locks
import MachineContract
import NIOCore

/// Answers on disk: one file an entry, found by key, evicted by last use.
///
/// It may be killed at any moment, share its folder with other processes, and lose the folder, the disk or any byte of
/// it: then an entry is not found, and never a wrong one. What it is asked runs on the caller's thread and may wait for
/// the disk; its lock is never held meanwhile. Times come from the caller, and what is stored is opaque.
///
/// Nothing is forced to the disk (`fsync`): after a failure of the power some entries are damaged, and found to be.
package final class CacheFolder: Sendable {
    private struct State {
        var path: String
        var place: FolderPlace?
        var index = CacheIndex()
        var capacity: Int
        /// What each bucket looked like when it was last listed.
        var known = [FolderPlace.Stamp?](repeating: nil, count: 256)
        var isReady = false
        /// The files could not be listed: they will be when there is something to do.
        var isPutOff = false
        /// Bytes that were stored since a bucket was last listed for what other processes did, and which is next.
        var unlisted = 0
        var next = 0
        /// A key is looked for with every request.
        var hasher = KeyHasher()
    }

    private let state: Lock<State>
    /// Where the index is read, unless somebody waits for it.
    private let queue = DispatchQueue(label: "understudy.cache-folder")
    private let whenReady: @Sendable () -> Void
    private let waitsAtHand: Bool
    let faults: DiskFaults

    /// Opens the folder; it is made, with mode 0700, when something is kept for the first time. Where it cannot be,
    /// there are no entries, and nothing is kept.
    ///
    /// - Parameters:
    ///   - capacity: In bytes, as `usage` counts them.
    ///   - readsIndexBehind: Whether the files are listed on a queue of the folder's own, meanwhile; until that is
    ///     done, nothing is evicted. A key is found at once in either case.
    ///   - waitsAtHand: Whether nobody minds waiting for the disk: where time is not the machine's.
    ///   - faults: What goes wrong with each file.
    ///   - whenReady: Called on that queue once they are.
    package init(
        path: String, capacity: Int, readsIndexBehind: Bool = true, waitsAtHand: Bool = false,
        faults: [DiskFault] = [], whenReady: @escaping @Sendable () -> Void = {}
    ) {
        (self.waitsAtHand, self.faults) = (waitsAtHand, DiskFaults(faults))
        self.whenReady = whenReady
        state = Lock(State(path: path, capacity: max(0, capacity)))
        if readsIndexBehind {
            readIndexBehind()
        } else {
            readIndex()
        }
    }

    /// How much of the disk is taken: each file counts as whole pages of 4 KiB. Too little until the index is read, and
    /// what other processes store is noticed late.
    package var usage: Int { state.withLock { $0.index.usage } }

    /// How many entries are known.
    package var count: Int { state.withLock { $0.index.count } }

    package var capacity: Int { state.withLock { $0.capacity } }

    /// Whether any entry is known, or may become known with the index.
    package var mayHaveSome: Bool { state.withLock { !$0.isReady || $0.index.count > 0 } }

    /// The same of a key. What other processes have stored since is not seen; the disk is not touched.
    package func mayHave(_ key: String) -> Bool {
        state.withLock { state in
            guard state.isReady, state.index.count > 0 else { return !state.isReady }
            guard let hash = state.hasher.hash(of: key) else { return false }
            return state.index.hasEntries(of: hash)
        }
    }

    func hash(of key: String) -> KeyHash? { state.withLock { $0.hasher.hash(of: key) } }

    /// A lower one evicts at once.
    package func setCapacity(_ capacity: Int) {
        state.withLock { $0.capacity = max(0, capacity) }
        evict()
    }

    /// Waits until the index is read.
    package func waitUntilReady() { queue.sync {} }

    /// How long the disk takes for an action, apart from the action itself, by the faults that were asked for.
    package func delay(of action: DiskFault.Landmark) -> Duration { faults.delay(of: action) }

    static func space(of length: Int64) -> Int { Int(clamping: (min(length, EntryLayout.maximumFile) + 4095) & ~4095) }

    // MARK: - The folder

    /// Opens it if that has not been possible yet, and makes it if that is wanted.
    func place(makes: Bool = false) -> FolderPlace? { try? opened(makes: makes) }

    private func opened(makes: Bool = false) throws(ErrorNumber) -> FolderPlace {
        if let place = state.withLock({ $0.place }) { return place }
        let opened = try FolderPlace(path: state.withLock { $0.path }, makes: makes)
        return state.withLock { state in
            let place = state.place ?? opened
            state.place = place
            return place
        }
    }

    /// To be called where a file could not be made: somebody may have removed the folder.
    func renewed(_ place: FolderPlace) -> FolderPlace? {
        guard place.isGone else { return nil }
        state.withLock { state in
            guard state.place === place else { return }
            state.place = nil
            state.index.removeAll()
            state.known = .init(repeating: .absent, count: 256)
        }
        return self.place(makes: true)
    }

    // MARK: - The index

    private func readIndexBehind() {
        queue.async { [weak self] in
            self?.readIndex()
            self?.whenReady()
        }
    }

    private func readIndex() {
        let place: FolderPlace
        do throws(ErrorNumber) {
            place = try opened()
        } catch {
            return state.withLock { state in
                (state.isReady, state.isPutOff) = (!error.isOfProcess, error.isOfProcess)
                if error == ErrorNumber(ENOENT) { state.known = .init(repeating: .absent, count: 256) }
            }
        }
        removeLeftovers(place)
        let isShort = (0..<256).contains { list($0, place)?.isOfProcess ?? false }
        state.withLock { ($0.isReady, $0.isPutOff) = (!isShort, isShort) }
        evict()
    }

    /// What was put off is done when there is something to do in any case.
    private func readPutOff() {
        let mustRead = state.withLock { state in
            defer { state.isPutOff = false }
            return state.isPutOff
        }
        if mustRead { readIndexBehind() }
    }

    /// Files of writers that were killed. One that lives has its file locked.
    private func removeLeftovers(_ place: FolderPlace) {
        for path in place.unfinished() {
            guard case .success(let descriptor) = place.open(path, O_RDONLY) else { continue }
            if flock(descriptor, LOCK_EX | LOCK_NB) == 0 { place.remove(path) }
            _ = close(descriptor)
        }
    }

    /// Takes over which files a bucket has.
    ///
    /// - Parameter isNeeded: Whether it is listed even if it looks as before.
    /// - Returns: Why it could not be.
    @discardableResult
    private func list(_ bucket: Int, _ place: FolderPlace, isNeeded: Bool = false) -> ErrorNumber? {
        // Before the look at the folder: what is stored from now on need not be seen there.
        let began = state.withLock { $0.index.serial }
        let stamp = place.stamp(of: bucket)
        guard isNeeded || state.withLock({ $0.known[bucket] != stamp }) else { return nil }
        let names: [EntryName]
        do throws(ErrorNumber) {
            names = stamp == .absent ? [] : try place.names(in: bucket)
        } catch {
            return error
        }
        let unknown = state.withLock { state in names.filter { !state.index.contains($0) } }
        let found = unknown.compactMap { name in place.status(of: name).map { (name, $0) } }
        let isSettled = stamp.isSettled
        state.withLock { state in
            guard state.place === place else { return }
            for (name, status) in found where !state.index.contains(name) {
                state.index.insert(name, space: Self.space(of: status.length), used: status.used)
            }
            state.index.compare(bucket: bucket, with: Set(names), before: began)
            state.known[bucket] = isSettled ? stamp : nil
        }
        return nil
    }

    /// Does something to the names of a bucket, without having to list it for that afterwards.
    func changing<Result>(_ bucket: Int, _ place: FolderPlace, _ change: () -> Result) -> Result {
        let before = place.stamp(of: bucket)
        let result = change()
        let after = place.stamp(of: bucket)
        state.withLock { if $0.known[bucket] == before { $0.known[bucket] = after } }
        return result
    }

    func names(of hash: KeyHash, isNeeded: Bool = false) -> [EntryName] {
        guard let place = place() else { return [] }
        readPutOff()
        list(hash.bucket, place, isNeeded: isNeeded)
        return state.withLock { $0.index.names(of: hash) }
    }

    // MARK: - At hand

    /// How it is looked at what nobody has to wait for; nil where nobody can tell.
    var atHand: (DiskAccess, FolderPlace)? {
        guard let place = state.withLock({ $0.place }) else { return nil }
        return (waitsAtHand ? .waiting : place.accessAtHand).map { ($0, place) }
    }

    /// Nil if the files of its bucket would have to be listed.
    func namesAtHand(of hash: KeyHash, _ place: FolderPlace, _ access: DiskAccess) -> [EntryName]? {
        guard access == .cached else { return names(of: hash) }
        guard let stamp = place.stampAtHand(of: hash.bucket) else { return nil }
        return state.withLock { $0.known[hash.bucket] == stamp ? $0.index.names(of: hash) : nil }
    }

    // MARK: - Use and eviction

    /// Other processes are told once in so many seconds.
    private static let usePause: Int64 = 60

    func noteUse(_ name: EntryName, at now: UnixTime, saysSo: Bool = false) {
        guard let isLong = count(name, at: now), saysSo || isLong, let place = place() else { return }
        place.setUsed(name, now)
        state.withLock { $0.index.noteWritten(name, used: now) }
    }

    /// Notes a use without the disk; true if other processes are to be told by `use`.
    package func noteUse(_ found: EntryAtHand, at now: UnixTime) -> Bool {
        let name = found.entry.name
        guard count(name, at: now) == true else { return false }
        state.withLock { $0.index.noteWritten(name, used: now) }
        return true
    }

    /// Whether it is long since other processes were told; nil for an entry that is not known.
    private func count(_ name: EntryName, at now: UnixTime) -> Bool? {
        guard let written = state.withLock({ $0.index.use(name, at: now) }) else { return nil }
        let passed = now.seconds.subtractingReportingOverflow(written.seconds)
        return passed.overflow || !(0..<Self.usePause).contains(passed.partialValue)
    }

    func noteStored(_ name: EntryName, length: Int64) {
        let space = Self.space(of: length)
        let bucket: Int? = state.withLock { state in
            state.index.insert(name, space: space, used: name.stored)
            state.unlisted += space
            // What other processes do is seen once in a quarter of the capacity.
            guard state.isReady, state.unlisted >= max(1, state.capacity / 1024) else { return nil }
            state.unlisted = 0
            state.next = (state.next + 1) % 256
            return state.next
        }
        if let bucket, let place = place() { list(bucket, place, isNeeded: true) }
        remove(Array(state.withLock { $0.index.names(of: name.hash) }.dropFirst(Self.maximumVariants)))
        evict()
    }

    /// So many entries of one key are kept.
    static let maximumVariants = 16

    func noteLength(_ name: EntryName, _ length: Int64) {
        state.withLock { $0.index.resize(name, space: Self.space(of: length)) }
        evict()
    }

    func noteGone(_ name: EntryName) { _ = state.withLock { $0.index.remove(name) } }

    private func evict() {
        guard let place = place() else { return }
        var spared = 0
        while let victim = state.withLock({ state -> CacheIndex.Victim? in
            guard state.isReady, state.index.usage > state.capacity else { return nil }
            return state.index.removeOldest()
        }) {
            // Another process may have used it.
            if spared < 1000, let now = place.status(of: victim.name), now.used > victim.written {
                spared += 1
                state.withLock { $0.index.insert(victim.name, space: victim.space, used: now.used) }
                continue
            }
            changing(victim.name.hash.bucket, place) { place.remove(victim.name.path) }
        }
    }

    // MARK: - Removal

    func remove(_ names: [EntryName]) {
        guard let place = place() else { return }
        for name in names {
            changing(name.hash.bucket, place) { place.remove(name.path) }
            noteGone(name)
        }
    }

    package func remove(_ entry: CacheEntry) { remove([entry.name]) }

    /// Also what other processes have stored.
    package func remove(key: String) {
        guard let hash = KeyHash(key) else { return }
        remove(names(of: hash, isNeeded: true))
    }

    package func removeAll() { removeWhere { _ in true } }

    /// What was stored then or later.
    package func remove(since time: UnixTime) { removeWhere { $0.stored >= time } }

    private func removeWhere(_ isMeant: (EntryName) -> Bool) {
        guard let place = place() else { return }
        for bucket in 0..<256 {
            list(bucket, place, isNeeded: true)
            remove(state.withLock { $0.index.names(in: bucket) }.filter(isMeant))
        }
    }
}
