/// Disjoint stretches of a file, in order; those that touch are one.
package struct FileRanges: Hashable, Sendable {
    package private(set) var list: [Range<Int64>] = []

    package init() {}

    /// All of a file of that size.
    package init(all size: Int64) { if size > 0 { list = [0..<size] } }

    /// Nil for what does not lie within a file of that size.
    package init?(_ ranges: [Range<Int64>], within size: Int64) {
        // In order each one meets the end of the list only: a saved state may hold very many.
        for range in ranges.sorted(by: { $0.lowerBound < $1.lowerBound }) {
            guard range.lowerBound >= 0, range.upperBound <= size else { return nil }
            insert(range)
        }
    }

    package var isEmpty: Bool { list.isEmpty }

    /// How many bytes they hold.
    package var count: Int64 { list.reduce(0) { $0 + $1.upperBound - $1.lowerBound } }

    package mutating func insert(_ range: Range<Int64>) {
        guard !range.isEmpty else { return }
        guard let last = list.last, range.lowerBound <= last.upperBound else { return list.append(range) }
        if range.lowerBound >= last.lowerBound {
            list[list.count - 1] = last.lowerBound..<max(last.upperBound, range.upperBound)
            return
        }
        let first = list.firstIndex { $0.upperBound >= range.lowerBound } ?? list.count
        let end = list[first...].firstIndex { $0.lowerBound > range.upperBound } ?? list.count
        var whole = range
        if first < end {
            whole = min(range.lowerBound, list[first].lowerBound)..<max(range.upperBound, list[end - 1].upperBound)
        }
        list.replaceSubrange(first..<end, with: [whole])
    }

    /// What of a file of that size is not among them.
    package func gaps(upTo size: Int64) -> FileRanges {
        var gaps = FileRanges()
        var position: Int64 = 0
        for range in list {
            gaps.insert(position..<max(position, range.lowerBound))
            position = range.upperBound
        }
        gaps.insert(position..<max(position, size))
        return gaps
    }

    /// Takes away the beginning, at most so many bytes of it.
    package mutating func removeFirst(atMost length: Int64) -> Range<Int64>? {
        guard let first = list.first, length > 0 else { return nil }
        let cut = first.lowerBound + min(length, first.upperBound - first.lowerBound)
        let taken = first.lowerBound..<cut
        if taken == first { list.removeFirst() } else { list[0] = cut..<first.upperBound }
        return taken
    }
}
