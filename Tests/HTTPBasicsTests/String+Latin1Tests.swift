import Testing

@testable import HTTPBasics

@Suite struct Latin1Tests {
    // BEHAVIOUR 2.F24
    @Test func `each byte is the code point of its number`() {
        let all = (0...255).map { UInt8($0) }
        #expect(String(latin1: all).unicodeScalars.map(\.value) == (0...255).map { UInt32($0) })
        #expect(String(latin1: [UInt8]()).isEmpty)
    }

    // BEHAVIOUR 2.F24
    @Test func `what the wire carries is UTF-8 where it is valid, else Latin-1`() {
        #expect(String(wire: Array("Grüße".utf8)) == "Grüße")
        #expect(String(wire: [0x47, 0xFC]) == "Gü")
        #expect(String(wire: Array("ü".utf8) + [0xFC]) == "Ã¼ü")
        #expect(String(wire: Array(0..<128)).unicodeScalars.map(\.value) == Array(0..<128))
        #expect(String(wire: [UInt8]()).isEmpty)
    }
}
