/// What a pattern says, part by part.
indirect enum PatternNode: Hashable, Sendable {
    case empty
    case set(ScalarSet)
    case start
    case end
    /// Between a character of a word and another one, or not there.
    case boundary(Bool)
    case sequence([PatternNode])
    case choice([PatternNode])
    /// Without `most` any number of times.
    case times(PatternNode, least: Int, most: Int?)
}

/// Which characters may stand in one place.
struct ScalarSet: Hashable, Sendable {
    var ranges: [ClosedRange<UInt32>]
    var isInverted = false

    static let digits = ScalarSet(ranges: [48...57])
    static let word = ScalarSet(ranges: [48...57, 65...90, 95...95, 97...122])
    static let blanks = ScalarSet(ranges: [9...13, 32...32])
    /// Not a line feed.
    static let any = ScalarSet(ranges: [10...10], isInverted: true)

    func contains(_ scalar: UInt32) -> Bool { ranges.contains { $0.contains(scalar) } != isInverted }

    var inverted: ScalarSet { ScalarSet(ranges: ranges, isInverted: !isInverted) }

    /// The same ranges for a set that is not inverted.
    var plainRanges: [ClosedRange<UInt32>] {
        guard isInverted else { return ranges }
        var result: [ClosedRange<UInt32>] = []
        var next: UInt32 = 0
        for range in ranges.sorted(by: { $0.lowerBound < $1.lowerBound }) {
            if range.lowerBound > next { result.append(next...(range.lowerBound - 1)) }
            next = max(next, range.upperBound + 1)
        }
        return next <= 0x10ffff ? result + [next...0x10ffff] : result
    }

    /// With both cases of each letter of ASCII.
    var ignoringCase: ScalarSet {
        var both = self
        for range in ranges {
            for (letters, shift) in [(65 as UInt32, 32 as Int64), (97, -32)] {
                let low = max(range.lowerBound, letters), high = min(range.upperBound, letters + 25)
                if low <= high { both.ranges.append(UInt32(Int64(low) + shift)...UInt32(Int64(high) + shift)) }
            }
        }
        return both
    }
}
