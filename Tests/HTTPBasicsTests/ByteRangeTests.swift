import HTTPBasics
import Testing

@Suite struct ByteRangeTests {
    @Test(arguments: [
        (ByteRange(from: 0), "bytes=0-"), (ByteRange(from: 500), "bytes=500-"),
        (ByteRange(from: 500, through: 999), "bytes=500-999"), (ByteRange(from: .max), "bytes=9223372036854775807-"),
    ])
    func `A range is printed as a field value`(range: ByteRange, text: String) {
        #expect(range.description == text)
    }
}
