import Testing

@testable import ServerScript

@Suite struct SliceRangeTests {
    @Test func `a part says where it lies and of how much`() throws {
        #expect(try SliceRange.parse(["bytes 0-0/1"]) == SliceRange(range: 0..<1, size: 1))
        #expect(try SliceRange.parse(["BYTES 5-9/10"]) == SliceRange(range: 5..<10, size: 10))
    }

    @Test(arguments: [
        [], ["bytes 0-1/2", "bytes 0-1/2"], [""], ["bytes"], ["bytes 0-1"], ["bytes 0-1/*"], ["bytes */2"],
        ["bytes=0-1/2"], ["items 0-1/2"], ["bytes 1-0/2"], ["bytes 0-2/2"], ["bytes -1-1/2"], ["bytes 0-1/2/3"],
        ["bytes  0-1/2"], ["bytes +0-1/2"], ["bytes 0-1/99999999999999999999"],
    ]) func `all else is malformed`(values: [String]) {
        #expect(throws: Malformed.self) { try SliceRange.parse(values) }
    }
}
