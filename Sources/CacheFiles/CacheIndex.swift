import HTTPBasics
import HeapModule

/// Which entries a folder has, as far as this process knows: by key, and by last use.
///
/// A plain value, of some 150 bytes an entry. What another process has removed meanwhile is found out when it is asked
/// for.
struct CacheIndex {
    /// Where an entry stands in `slots`.
    private typealias Place = Int32

    private struct Slot {
        var name: EntryName
        var space: Int
        var used: UnixTime
        /// The same, as the file says.
        var written: UnixTime
        /// Grows with each change: tells what is newer than a listing, and orders uses of one second.
        var serial: UInt64
        /// The next one with the same hash.
        var next: Place?
        var isLive = true
    }

    /// At least one for each entry. What has changed since it was put there is put there again when it comes out.
    private struct Use: Comparable {
        var used: UnixTime
        var serial: UInt64
        var place: Place

        static func < (left: Use, right: Use) -> Bool { (left.used, left.serial) < (right.used, right.serial) }
    }

    /// An entry that is to go.
    struct Victim {
        var name: EntryName
        var space: Int
        var written: UnixTime
    }

    private var slots: [Slot] = []
    private var free: [Place] = []
    private var first = [[KeyHash: Place]](repeating: [:], count: 256)
    private var order = Heap<Use>()

    private(set) var usage = 0
    private(set) var serial: UInt64 = 0

    var count: Int { slots.count - free.count }

    /// Newest first.
    func names(of hash: KeyHash) -> [EntryName] {
        var found: [Slot] = []
        var next = first[hash.bucket][hash]
        while let place = next {
            found.append(slots[Int(place)])
            next = slots[Int(place)].next
        }
        return found.map(\.name).sorted { ($0.stored, $0.tag) > ($1.stored, $1.tag) }
    }

    func hasEntries(of hash: KeyHash) -> Bool { first[hash.bucket][hash] != nil }

    func names(in bucket: Int) -> [EntryName] { first[bucket].keys.flatMap(names) }

    func contains(_ name: EntryName) -> Bool { place(of: name) != nil }

    private func place(of name: EntryName) -> Place? {
        var next = first[name.hash.bucket][name.hash]
        while let place = next, slots[Int(place)].name != name { next = slots[Int(place)].next }
        return next
    }

    mutating func insert(_ name: EntryName, space: Int, used: UnixTime) {
        remove(name)
        let slot = Slot(
            name: name, space: space, used: used, written: used, serial: nextSerial(),
            next: first[name.hash.bucket][name.hash])
        let place: Place
        if let last = free.popLast() {
            place = last
            slots[Int(last)] = slot
        } else {
            guard let end = Place(exactly: slots.count) else { return }
            place = end
            slots.append(slot)
        }
        first[name.hash.bucket][name.hash] = place
        usage &+= space
        add(Use(used: used, serial: slot.serial, place: place))
    }

    private mutating func add(_ use: Use) {
        order.insert(use)
        if order.count > 2 * count + 1024 { sortAnew() }
    }

    @discardableResult mutating func remove(_ name: EntryName) -> Bool {
        guard let place = place(of: name) else { return false }
        let next = slots[Int(place)].next
        if let start = first[name.hash.bucket][name.hash], start != place {
            var before = start
            while let follower = slots[Int(before)].next, follower != place { before = follower }
            slots[Int(before)].next = next
        } else {
            first[name.hash.bucket][name.hash] = next
        }
        usage &-= slots[Int(place)].space
        slots[Int(place)].isLive = false
        slots[Int(place)].next = nil
        free.append(place)
        return true
    }

    mutating func removeAll() {
        let serial = serial
        self = CacheIndex()
        self.serial = serial
    }

    /// Notes a use; what the file said before of the last one, or nil if there is no such entry.
    mutating func use(_ name: EntryName, at now: UnixTime) -> UnixTime? {
        guard let place = place(of: name) else { return nil }
        let serial = nextSerial(), isEarlier = now < slots[Int(place)].used
        slots[Int(place)].used = now
        slots[Int(place)].serial = serial
        // Its item would come out too late.
        if isEarlier { add(Use(used: now, serial: serial, place: place)) }
        return slots[Int(place)].written
    }

    mutating func noteWritten(_ name: EntryName, used: UnixTime) {
        guard let place = place(of: name) else { return }
        slots[Int(place)].written = used
    }

    mutating func resize(_ name: EntryName, space: Int) {
        guard let place = place(of: name) else { return }
        usage &+= space &- slots[Int(place)].space
        slots[Int(place)].space = space
    }

    /// Takes out what was not used for longest.
    mutating func removeOldest() -> Victim? {
        while let use = order.popMin() {
            let slot = slots[Int(use.place)]
            // Another one may be in its place by now: it has an item of its own.
            guard slot.isLive, slot.serial >= use.serial else { continue }
            guard slot.serial == use.serial, slot.used == use.used else {
                order.insert(Use(used: slot.used, serial: slot.serial, place: use.place))
                continue
            }
            remove(slot.name)
            return Victim(name: slot.name, space: slot.space, written: slot.written)
        }
        return nil
    }

    /// Takes over what a listing of a bucket says.
    ///
    /// - Parameter serial: From before the listing: what is newer is not judged by it.
    mutating func compare(bucket: Int, with listed: Set<EntryName>, before serial: UInt64) {
        for name in names(in: bucket) where !listed.contains(name) {
            if let place = place(of: name), slots[Int(place)].serial <= serial { remove(name) }
        }
    }

    private mutating func nextSerial() -> UInt64 {
        serial += 1
        return serial
    }

    /// Without the items of what is gone.
    private mutating func sortAnew() {
        var uses: [Use] = []
        uses.reserveCapacity(count)
        for (place, slot) in slots.enumerated() where slot.isLive {
            uses.append(Use(used: slot.used, serial: slot.serial, place: Place(truncatingIfNeeded: place)))
        }
        order = Heap(uses)
    }
}
