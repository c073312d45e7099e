import Testing

@testable import ServerScript

@Suite struct ByteSearchTests {
    @Test(arguments: [
        ("", "", true), ("a", "", true), ("", "a", false), ("hello", "ell", true), ("hello", "elo", false),
        ("aaab", "aab", true), ("abababac", "ababac", true), ("abcabcabd", "abcabd", true), ("aaaa", "aaaaa", false),
    ])
    func `it finds what is there`(text: String, part: String, isThere: Bool) {
        #expect(ByteSearch.contains(text.utf8, part.utf8) == isThere)
    }

    @Test func `it finds what a naive search finds`() {
        // All texts of up to seven letters of two, and all parts of up to four.
        func words(_ most: Int) -> [[UInt8]] {
            (0...most).flatMap { count in (0..<(1 << count)).map { word in (0..<count).map { UInt8(word >> $0 & 1) } } }
        }
        for text in words(7) {
            for part in words(4) {
                let isThere = (0...max(0, text.count - part.count)).contains { text.dropFirst($0).starts(with: part) }
                #expect(ByteSearch.contains(text, part) == (isThere && part.count <= text.count))
            }
        }
    }

    @Test func `characters are not asked: bytes are`() {
        // Regional indicators in a row are one character after another of two, and `é` has two spellings.
        #expect(ByteSearch.contains(String(repeating: "\u{1F1E6}", count: 3).utf8, "\u{1F1E6}".utf8))
        #expect(!ByteSearch.contains("e\u{301}".utf8, "\u{E9}".utf8))
    }
}
