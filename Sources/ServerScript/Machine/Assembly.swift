/// Which bytes of one target have come in slices, in any order and however often.
struct Assembly: Hashable {
    /// More targets than these are not kept.
    static let targetLimit = 10_000

    private let size: Int
    /// Disjoint, in order; those that touch are one.
    private var ranges: [Range<Int>] = []

    init(size: Int) { self.size = size }

    var isWhole: Bool { ranges == [0..<size] }

    mutating func insert(_ range: Range<Int>) {
        let first = ranges.firstIndex { $0.upperBound >= range.lowerBound } ?? ranges.count
        let end = ranges[first...].firstIndex { $0.lowerBound > range.upperBound } ?? ranges.count
        let whole = ranges[first..<end].reduce(range) {
            min($0.lowerBound, $1.lowerBound)..<max($0.upperBound, $1.upperBound)
        }
        ranges.replaceSubrange(first..<end, with: [whole])
    }
}
