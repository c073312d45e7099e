import Testing

@testable import ServerScript

@Suite struct AssemblyTests {
    @Test(arguments: [[0..<4, 4..<9, 9..<10], [4..<9, 0..<5, 8..<10, 0..<5], [0..<10], [9..<10, 0..<1, 1..<9]])
    func `it is whole when every byte has come, in whatever order and however often`(ranges: [Range<Int>]) {
        var assembly = Assembly(size: 10)
        #expect(!assembly.isWhole)
        for range in ranges { assembly.insert(range) }
        #expect(assembly.isWhole)
    }

    @Test(arguments: [[0..<4, 5..<10], [0..<9], [1..<10], [0..<4, 0..<4, 6..<10]])
    func `a gap keeps it from being whole`(ranges: [Range<Int>]) {
        var assembly = Assembly(size: 10)
        for range in ranges { assembly.insert(range) }
        #expect(!assembly.isWhole)
    }
}
