#if !canImport(Darwin)
import CacheFiles
import ClientMachines
import Foundation
import HTTPBasics
import MachineContract

/// A cache's directory: where it is, how changes get there, and how its answers are found.
extension URLCache {
    /// How long a request waits for the disk.
    static let patience = Duration.milliseconds(250)

    /// `understudy/<program>` among what the user can do without; nil if the user has no home.
    static var usualPlace: String? {
        PrivateFile.directory(in: "XDG_CACHE_HOME", else: ".cache")
    }

    static func place(of path: String) -> String? {
        path.hasPrefix("/") ? path : usualPlace.map { "\($0)/\(path)" }
    }

    /// Brings the directory in line with the capacity: opens it when there is one for the first time.
    final func openDisk() {
        let (disk, place, capacity) = state.withLock { ($0.disk, $0.place, $0.diskCapacity) }
        if let disk {
            disk.folder.waitUntilReady()
            return disk.folder.setCapacity(capacity)
        }
        guard let place, capacity > 0 else { return }
        let folder = CacheFolder(path: place, capacity: capacity) { [weak self] in self?.change() }
        keep(in: folder, writer: SerialExecutor())
    }

    /// Keeps answers there from now on, too.
    ///
    /// - Parameters:
    ///   - writer: Where changes are made, one after another.
    ///   - later: Runs a job so much later.
    package final func keep(
        in folder: CacheFolder, writer: any CallExecutor,
        later: @escaping SessionWorld.Later = SessionWorld.run
    ) {
        change {
            $0.disk = DiskResponses(folder: folder)
            $0.diskCapacity = folder.capacity
            $0.writer = writer
            $0.later = later
        }
    }

    // MARK: - Writing

    final func startWriting() {
        guard let writer = state.withLock({ $0.writer }) else { return }
        if writer is SerialExecutor { UnwrittenCaches.add(self) }
        writer.run { self.write() }
    }

    /// On the writer.
    private func write() {
        while let (change, disk) = next() {
            let delay = disk.delay(of: change)
            guard delay == .zero else {
                let (later, writer) = state.withLock { ($0.later, $0.writer) }
                return later(delay) {
                    writer?.run {
                        self.make(change, disk)
                        self.write()
                    }
                }
            }
            make(change, disk)
        }
    }

    private func next() -> (DiskChange, DiskResponses)? {
        let (next, isDone, dropped) = state.withLock { state in
            let change = state.unmade.next()
            let next = change.flatMap { change in state.disk.map { (change, $0) } }
            return (next, change == nil, state.unmade.takeDropped())
        }
        _ = dropped
        if isDone { hasWritten() }
        return next
    }

    private func hasWritten() {
        UnwrittenCaches.remove(self)
        // Somebody may have added one meanwhile.
        if state.withLock({ $0.writer is SerialExecutor && !$0.unmade.isEmpty }) { UnwrittenCaches.add(self) }
    }

    private func make(_ change: DiskChange, _ disk: DiskResponses) {
        disk.make(change, at: UnixTime(now))
        let (jobs, toWake) = state.withLock { ($0.unmade.isMade(change), isPlain ? $0.tellSessions() : []) }
        for session in toWake { session.wake() }
        for job in jobs { job() }
    }

    /// Calls a job when all that was kept and forgotten before is on disk: at once if it is, else from any thread.
    package final func whenWritten(_ job: @escaping @Sendable () -> Void) {
        if !state.withLock({ $0.unmade.wait(job) }) { job() }
    }

    /// No longer than until a date.
    final func waitUntilWritten(before end: Date = Date(timeIntervalSinceNow: 5)) {
        // Another writer may need the very thread that would wait here.
        guard state.withLock({ $0.writer is SerialExecutor && !$0.unmade.isEmpty }) else { return }
        let done = DispatchSemaphore(value: 0)
        whenWritten { done.signal() }
        _ = done.wait(timeout: .now() + max(0, end.timeIntervalSinceNow))
    }

    // MARK: - Finding

    /// Without a look at the disk.
    final func mayBeOnDisk(_ key: CacheKey) -> Bool {
        state.withLock { $0.unmade.concern(key) || $0.disk?.folder.mayHave(key.text) ?? false }
    }

    /// Gives what is on disk for a key, once all is made that was to be done to it. Waits for the disk on an executor.
    ///
    /// - Parameter readsAhead: Whether the first bytes are read at once of an answer that needs no confirmation.
    final func findOnDisk(
        _ key: CacheKey, readsAhead: Bool = false, on executor: any CallExecutor, later: @escaping SessionWorld.Later,
        _ take: @escaping @Sendable ([OfferedResponse]) -> Void
    ) {
        let find: @Sendable () -> Void = {
            let found = self.findOnDisk(key)
            take(readsAhead ? self.readAhead(found) : found)
        }
        let delay = state.withLock { $0.disk }?.folder.delay(of: .open) ?? .zero
        let start: @Sendable () -> Void = {
            delay == .zero ? executor.run(find) : later(delay) { executor.run(find) }
        }
        if !state.withLock({ $0.unmade.concern(key) && $0.unmade.wait(start) }) { start() }
    }

    private func findOnDisk(_ key: CacheKey) -> [OfferedResponse] {
        // What is to be changed there is not right any more.
        let (disk, version) = state.withLock {
            ($0.unmade.concern(key) ? nil : $0.disk, $0.unmade.version(of: key))
        }
        return disk?.find(key).map { .onDisk($0, version: version) } ?? []
    }

    /// Where there is only one, and fresh: that is the answer to most requests. Nor are others to wait for it who look
    /// for theirs.
    private func readAhead(_ found: [OfferedResponse]) -> [OfferedResponse] {
        let now = UnixTime(now)
        guard found.count == 1, state.withLock({ $0.reads == 1 }), case .onDisk(var file, let version) = found[0],
            Freshness(of: file.head.record, at: now).isFresh, !file.head.record.control.noCache
        else { return found }
        let body = KeptBody(file, inMemory: limits.inMemory, at: now)
        if body.delay == .zero { body.readAhead() }
        file.body = body
        return [.onDisk(file, version: version)]
    }

    /// Whose variant it may be, with its body: nil also if the disk takes its time, and as long as it does.
    final func findOnDisk(
        _ key: CacheKey, _ fields: Fields, _ take: @escaping @Sendable (CachedURLResponse?) -> Void
    ) {
        let (writer, later) = state.withLock { ($0.writer, $0.later) }
        guard let writer, !isDiskSlow else { return take(nil) }
        let reading = PatientRead(of: self, for: take, later: later) { take in take(nil) }
        findOnDisk(key, on: writer, later: later) { found in
            let response = reading.isAwaited ? self.read(found, fields) : nil
            guard let take = reading.end() else { return }
            // Not here: the caller may wait for what is to be written.
            later(.zero) { take(response) }
        }
    }

    final var isDiskSlow: Bool { state.withLock { $0.slowReads > 0 } }

    final func count(_ reads: WritableKeyPath<CacheState, Int>, _ change: Int) {
        state.withLock { $0[keyPath: reads] += change }
    }

    /// The same, however long it takes.
    final func findOnDisk(_ key: CacheKey, _ fields: Fields) -> CachedURLResponse? { read(findOnDisk(key), fields) }

    private func read(_ found: [OfferedResponse], _ fields: Fields) -> CachedURLResponse? {
        let isFirst = { (one: OfferedResponse) in one.record.variant.matches(fields) }
        for case .onDisk(let found, let version) in found.filter(isFirst) + found.filter({ !isFirst($0) })
        where found.head.record.variant.mayMatch(fields) {
            guard let response = found.response(at: UnixTime(now)) else { continue }
            remember(response, found, version: version)
            return response
        }
        return nil
    }

    /// What was read from disk is in memory from now on, unless something else was kept or forgotten meanwhile.
    final func remember(_ response: CachedURLResponse, _ found: KeptFile, version: UInt64) {
        let date = Date(timeIntervalSince1970: Double(found.entry.storedAt.seconds))
        change { state in
            guard state.unmade.version(of: found.key) == version else { return }
            state.memory.keep(response, found.head.record, for: found.key, at: date)
        }
    }
}
#endif
