#if !canImport(Darwin)
import ClientMachines
import Foundation
import HTTPBasics

/// Brings the cookies of a storage and its file together, behind the storage's back: a request waits for no disk.
///
/// Other processes may do the same with the file: of each cookie the newest counts, and what one of them has removed
/// goes in all of them (BEHAVIOUR 2.C27-merge).
final class CookieArchive: @unchecked Sendable {
    // Safety: `base` is used on the queue alone; the rest never changes.
    let file: CookieFile
    private let queue = DispatchQueue(label: "understudy.cookies", qos: .utility)
    /// What the file had when it was last looked at, and since when.
    private var base: [Cookie.Mark: CookieTime] = [:]

    /// Changes of a moment are written together, so much later.
    private static let delay = DispatchTimeInterval.milliseconds(100)
    private static let patience = Duration.seconds(5)

    /// What has become of a cookie since the file was last looked at.
    struct CookieChange {
        /// Nil: removed.
        var entry: CookieJar.Entry?
        var at: CookieTime
    }

    init(_ file: CookieFile) { self.file = file }

    /// What the file has now. On whatever thread, before the storage is used.
    func load() -> [CookieJar.Entry] {
        let entries = present()
        queue.async { [self] in base = Self.dates(of: entries) }
        return entries
    }

    /// A file that is not ours is put aside, once it is sure that no one is just writing it.
    private func present() -> [CookieJar.Entry] {
        switch file.read() {
        case .absent: return []
        case .entries(let entries): return entries
        case .foreign: return file.exclusively(within: Self.patience) { known() } ?? []
        }
    }

    /// Under the file's lock.
    private func known() -> [CookieJar.Entry] {
        switch file.read() {
        case .absent: return []
        case .entries(let entries): return entries
        case .foreign:
            file.putAside()
            return []
        }
    }

    func schedule(_ storage: HTTPCookieStorage) {
        queue.asyncAfter(deadline: .now() + Self.delay) { [self] in save(storage, Self.patience) }
    }

    /// As soon as possible, and then the handler.
    func flush(_ storage: HTTPCookieStorage, then handler: @escaping @Sendable () -> Void) {
        queue.async { [self] in
            save(storage, Self.patience)
            handler()
        }
    }

    /// The process is about to end.
    func saveNow(_ storage: HTTPCookieStorage) { queue.sync { save(storage, .seconds(1)) } }

    private func save(_ storage: HTTPCookieStorage, _ patience: Duration) {
        let (changes, now) = storage.takeUnsaved()
        guard !changes.isEmpty else { return }
        let merged: [CookieJar.Entry]? =
            file.exclusively(within: patience) {
                let known = known()
                let merged = Self.merged(known, changes, now)
                guard merged != known else { return known }
                return file.replace(with: merged) ? merged : nil
            } ?? nil
        guard let merged else { return storage.giveBack(changes) }
        storage.merge(merged, base: base)
        base = Self.dates(of: merged)
    }

    /// What the file is to have: in its order, new ones behind.
    static func merged(
        _ known: [CookieJar.Entry], _ changes: [Cookie.Mark: CookieChange], _ now: CookieTime
    ) -> [CookieJar.Entry] {
        var left = changes
        var merged: [CookieJar.Entry] = []
        for entry in known {
            guard let change = left.removeValue(forKey: entry.cookie.key) else {
                merged.append(entry)
                continue
            }
            if entry.modified > change.at {
                merged.append(entry)
            } else if let own = change.entry {
                merged.append(own)
            }
        }
        merged += left.values.compactMap(\.entry).sorted { $0.isOlder(than: $1) }
        merged.removeAll { $0.cookie.expires == nil || $0.cookie.isExpired(at: now) }
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
