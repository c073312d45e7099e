#if !canImport(Darwin)
import ClientMachines
import Foundation
import HTTPBasics

/// The responses that a cache keeps in memory: what was not used for the longest time goes first.
struct KeptResponses {
    struct Entry {
        var response: CachedURLResponse
        var record: StoredResponse
        /// When it was kept, by the calendar.
        var date: Date
        /// When its request set out; nil if nobody knows.
        var asked: Instant?
        /// When the disk was told of a use of it.
        fileprivate var toldOfUse: Date
        fileprivate var place: Int
        fileprivate var cost: Int
    }

    /// In bytes. Lowering it lets go of what is too much at once.
    var capacity: Int {
        get { limit }
        set {
            limit = newValue
            evict()
        }
    }
    private var limit: Int
    private(set) var usage = 0
    /// Several variants of one URL, the newest first.
    private var entries: [CacheKey: [Entry]] = [:]
    private var order = UseOrder()
    private var keys: [Int: CacheKey] = [:]
    /// Let go by whoever has changed this, outside of all locks: they may hold objects of the caller's.
    private var released: [CachedURLResponse] = []

    /// What one entry takes beside its bytes.
    private static let overhead = 512
    /// In seconds.
    private static let usePause = 60.0
    /// Variants of one URL: a server that varies without end has no more.
    private static let mostVariants = 16

    init(capacity: Int) { limit = capacity }

    var isEmpty: Bool { entries.isEmpty }

    /// How large a body may be: what takes more than a fifth of a small place would drive out too much else.
    var mostBodyBytes: Int { limit / 5 }

    mutating func find(_ key: CacheKey) -> [Entry] {
        guard let found = entries[key] else { return [] }
        for entry in found { order.use(entry.place) }
        return found
    }

    /// Whether the disk should be told that the key's answers are in use: once in a minute.
    mutating func mustTellOfUse(of key: CacheKey, at now: Date) -> Bool {
        guard let last = entries[key]?.first?.toldOfUse, abs(now.timeIntervalSince(last)) >= Self.usePause else {
            return false
        }
        entries[key]?[0].toldOfUse = now
        return true
    }

    func has(_ record: StoredResponse, for key: CacheKey) -> Bool {
        entries[key]?.contains { $0.record == record } ?? false
    }

    func hasNewer(than record: StoredResponse, for key: CacheKey) -> Bool {
        entries[key]?.contains { $0.record.variant == record.variant && record.isOlder(than: $0.record) } ?? false
    }

    /// In place of the one of the same variant, and of the one that it was until now.
    mutating func keep(
        _ response: CachedURLResponse, _ record: StoredResponse, for key: CacheKey, at date: Date,
        asked: Instant? = nil, inPlaceOf former: Variant? = nil
    ) {
        remove(key) { $0.record.variant == record.variant || $0.record.variant == former }
        let fields = record.fields.list.reduce(0) { $0 + $1.name.utf8.count + $1.value.utf8.count }
        let cost = Self.overhead + key.text.utf8.count + fields + response.data.count
        guard response.data.count <= mostBodyBytes, cost <= limit else { return }
        let place = order.add()
        keys[place] = key
        usage += cost
        let entry = Entry(
            response: response, record: record, date: date, asked: asked, toldOfUse: date, place: place, cost: cost)
        entries[key, default: []].insert(entry, at: 0)
        if let last = entries[key]?.dropFirst(Self.mostVariants).first { remove(key) { $0.place == last.place } }
        evict()
    }

    mutating func remove(_ key: CacheKey, where isMeant: (Entry) -> Bool = { _ in true }) {
        guard let found = entries[key] else { return }
        var left = found
        left.removeAll { entry in
            guard isMeant(entry) else { return false }
            release(entry)
            return true
        }
        entries[key] = left.isEmpty ? nil : left
    }

    mutating func remove(where isMeant: (Entry) -> Bool) {
        for key in Array(entries.keys) { remove(key, where: isMeant) }
    }

    private mutating func release(_ entry: Entry) {
        order.remove(entry.place)
        keys[entry.place] = nil
        usage -= entry.cost
        released.append(entry.response)
    }

    mutating func takeReleased() -> [CachedURLResponse] {
        defer { released = [] }
        return released
    }

    private mutating func evict() {
        while usage > limit, let oldest = order.oldest, let key = keys[oldest] {
            remove(key) { $0.place == oldest }
        }
    }
}
#endif
