#if !canImport(Darwin)
import ClientMachines
import Foundation
import HTTPBasics

/// Brings the cookies of a storage and its file together, behind the storage's back: a request waits for no disk.
///
/// Other processes may do the same with the file. What was in it when it was last looked at tells whose a change is:
/// where one side has changed a cookie its word counts, where both have the newer one does, and what one of them has
/// removed goes in all of them (BEHAVIOUR 2.C27-merge).
final class CookieArchive: @unchecked Sendable {
    // Safety: `base`, `isUnknown` and `pause` are used on the queue alone; the rest never changes.
    let file: CookieFile
    private let queue = DispatchQueue(label: "understudy.cookies", qos: .utility)
    private let mark = DispatchSpecificKey<Bool>()
    /// What the file had when it was last looked at, and since when.
    private var base: [Cookie.Mark: CookieTime] = [:]
    /// It could not be read yet.
    private var isUnknown = false
    private var pause = RetryPause()

    /// Changes of a moment are written together, so much later.
    private static let delay = DispatchTimeInterval.milliseconds(100)
    private static let patience = Duration.seconds(5)

    /// What has become of a cookie since the file was last looked at.
    struct CookieChange {
        /// Nil: removed.
        var entry: CookieJar.Entry?
        var at: CookieTime
    }

    init(_ file: CookieFile) {
        self.file = file
        queue.setSpecific(key: mark, value: true)
    }

    /// What the file has now. On whatever thread, before the storage is used.
    func load() -> [CookieJar.Entry] {
        var entries: [CookieJar.Entry] = [], isUnknown = false
        do throws(PrivateFile.Refused) { entries = try file.entries() ?? [] } catch { isUnknown = true }
        queue.async { [self, entries, isUnknown] in
            (base, self.isUnknown) = (Self.dates(of: entries), isUnknown)
        }
        return entries
    }

    func schedule(_ storage: HTTPCookieStorage) {
        queue.asyncAfter(deadline: .now() + Self.delay) { [self] in save(storage, Self.patience) }
    }

    /// Behind `load`: what it could not read is tried later.
    func begin(_ storage: HTTPCookieStorage) {
        queue.async { [self, weak storage] in
            if let storage, isUnknown { tryLater(storage) }
        }
    }

    /// As soon as possible, behind what is just being written, and then the handler.
    func flush(_ storage: HTTPCookieStorage, then handler: @escaping @Sendable () -> Void) {
        queue.async { [self] in
            save(storage, Self.patience)
            handler()
        }
    }

    /// The process is about to end; or so one says who is called here.
    func saveNow(_ storage: HTTPCookieStorage) {
        if DispatchQueue.getSpecific(key: mark) ?? false { return save(storage, .seconds(1)) }
        queue.sync { save(storage, .seconds(1)) }
    }

    private func save(_ storage: HTTPCookieStorage, _ patience: Duration) {
        let (changes, now) = storage.takeUnsaved()
        guard !changes.isEmpty || isUnknown else { return }
        var merged: [CookieJar.Entry] = []
        do {
            try file.update(within: patience) { known in
                // If it is gone or damaged: what we had.
                merged = Self.merged(known ?? storage.lastingEntries, base: base, changes, now)
                return merged
            }
        } catch {
            storage.giveBack(changes)
            return tryLater(storage)
        }
        storage.merge(merged, base: base)
        base = Self.dates(of: merged)
        isUnknown = false
        pause.reset()
    }

    /// A storage that is gone has nothing to save.
    private func tryLater(_ storage: HTTPCookieStorage) {
        let span = pause.next(), failures = pause.failures
        queue.asyncAfter(deadline: .now() + span) { [self, weak storage] in
            if let storage, pause.failures == failures { save(storage, Self.patience) }
        }
    }

    /// What the file is to have: in its order, new ones behind.
    ///
    /// Clocks may be set back, so dates decide only where both sides have changed the same cookie.
    static func merged(
        _ known: [CookieJar.Entry], base: [Cookie.Mark: CookieTime], _ changes: [Cookie.Mark: CookieChange],
        _ now: CookieTime
    ) -> [CookieJar.Entry] {
        var left = changes
        var merged: [CookieJar.Entry] = []
        for entry in known {
            guard let change = left.removeValue(forKey: entry.cookie.key) else {
                merged.append(entry)
                continue
            }
            let isTheirs = base[entry.cookie.key] != entry.modified && entry.modified > change.at
            if isTheirs {
                merged.append(entry)
            } else if let own = change.entry {
                merged.append(own)
            }
        }
        merged += left.values.compactMap(\.entry).sorted { $0.isOlder(than: $1) }
        merged.removeAll {
            $0.cookie.expires == nil || $0.cookie.isExpired(at: now) || !CookieFileText.fits($0.cookie)
        }
        let surplus = merged.count - CookieLimits().total
        guard surplus > 0 else { return merged }
        let oldest = Set(merged.sorted { $0.modified < $1.modified }.prefix(surplus).map(\.cookie.key))
        return merged.filter { !oldest.contains($0.cookie.key) }
    }

    private static func dates(of entries: [CookieJar.Entry]) -> [Cookie.Mark: CookieTime] {
        Dictionary(entries.map { ($0.cookie.key, $0.modified) }) { $1 }
    }
}
#endif
