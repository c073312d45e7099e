import Testing

@testable import HTTPBasics

@Suite struct Latin1Tests {
    // BEHAVIOUR 2.F24
    @Test func `each byte is the code point of its number`() {
        let all = (0...255).map { UInt8($0) }
        #expect(String(latin1: all).unicodeScalars.map(\.value) == (0...255).map { UInt32($0) })
        #expect(String(latin1: [UInt8]()).isEmpty)
    }
}
