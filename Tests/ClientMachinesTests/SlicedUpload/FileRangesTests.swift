import Testing

@testable import ClientMachines

@Suite struct FileRangesTests {
    @Test(
        arguments: [
            ([], [5..<7], [5..<7]), ([5..<7], [7..<9], [5..<9]), ([5..<7], [3..<5], [3..<7]),
            ([5..<7], [8..<9], [5..<7, 8..<9]),
            ([1..<2, 4..<5, 7..<8], [2..<7], [1..<8]), ([1..<9], [3..<4], [1..<9]), ([3..<4], [1..<9], [1..<9]),
            ([1..<2], [1..<1, 5..<5], [1..<2]), ([4..<5], [0..<1], [0..<1, 4..<5]),
        ] as [([Range<Int64>], [Range<Int64>], [Range<Int64>])])
    func `ranges that touch become one`(first: [Range<Int64>], more: [Range<Int64>], all: [Range<Int64>]) {
        var ranges = FileRanges()
        for range in first + more { ranges.insert(range) }
        #expect(ranges.list == all)
        #expect(ranges.count == all.reduce(0) { $0 + Int64($1.count) })
    }

    @Test func `gaps are what is left of the file`() {
        #expect(FileRanges().gaps(upTo: 10).list == [0..<10])
        #expect(FileRanges(all: 10).gaps(upTo: 10).isEmpty)
        #expect(FileRanges([2..<4, 6..<10], within: 10)?.gaps(upTo: 10).list == [0..<2, 4..<6])
        #expect(FileRanges(all: 0).isEmpty)
    }

    // BEHAVIOUR 3.B1-state
    @Test(.timeLimit(.minutes(1))) func `very many ranges are read in one pass`() {
        let ranges = (0..<200_000).map { Int64($0) * 3..<Int64($0) * 3 + 2 }
        #expect(FileRanges(ranges, within: .max)?.list == ranges)
        #expect(FileRanges(ranges.reversed(), within: .max)?.list == ranges)
    }

    @Test func `ranges outside of the file are none`() {
        #expect(FileRanges([0..<11], within: 10) == nil)
        #expect(FileRanges([-1..<1], within: 10) == nil)
        #expect(FileRanges([], within: 10)?.isEmpty == true)
    }

    @Test func `the beginning is taken away piece by piece`() {
        var ranges = FileRanges([0..<5, 7..<9], within: 10) ?? FileRanges()
        #expect(ranges.removeFirst(atMost: 3) == 0..<3)
        #expect(ranges.removeFirst(atMost: .max) == 3..<5)
        #expect(ranges.removeFirst(atMost: 0) == nil)
        #expect(ranges.removeFirst(atMost: 2) == 7..<9)
        #expect(ranges.removeFirst(atMost: 2) == nil)
    }
}
