#if !canImport(Darwin)
/// Places in the order in which they were used last. All of it takes constant time.
struct UseOrder {
    /// A chain through the array: 0 is its end in both directions.
    private var links = [Link(former: 0, next: 0)]
    private var free: [Int] = []

    private struct Link {
        var former: Int
        var next: Int
    }

    /// The one that was not used for the longest time; nil without any.
    var oldest: Int? { links[0].next == 0 ? nil : links[0].next }

    /// A new place, used just now.
    mutating func add() -> Int {
        let place = free.popLast() ?? links.count
        if place == links.count { links.append(Link(former: 0, next: 0)) }
        append(place)
        return place
    }

    mutating func use(_ place: Int) {
        unlink(place)
        append(place)
    }

    /// The place may be another's from now on.
    mutating func remove(_ place: Int) {
        unlink(place)
        free.append(place)
    }

    private mutating func append(_ place: Int) {
        let last = links[0].former
        links[place] = Link(former: last, next: 0)
        links[last].next = place
        links[0].former = place
    }

    private mutating func unlink(_ place: Int) {
        let link = links[place]
        links[link.former].next = link.next
        links[link.next].former = link.former
    }
}
#endif
