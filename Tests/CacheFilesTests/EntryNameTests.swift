import HTTPBasics
import Testing

@testable import CacheFiles

@Suite struct EntryNameTests {
    private func read(_ text: String) -> EntryName? { Array(text.utf8).withUnsafeBytes { EntryName($0) } }

    @Test(arguments: [0, 1, -1, Int64.max, .min]) func `a name is read as it was written`(seconds: Int64) throws {
        let name = EntryName(hash: try #require(KeyHash("k")), stored: UnixTime(seconds: seconds), tag: .max - 3)
        #expect(read(name.text) == name && name.text.utf8.count == EntryName.length)
        #expect(name.path == "\(name.text.prefix(2))/\(name.text)")
    }

    @Test func `one that is written otherwise is another's`() throws {
        let text = EntryName(hash: try #require(KeyHash("k")), stored: UnixTime(seconds: 1), tag: 2).text
        for other in [text + "0", String(text.dropLast()), text.uppercased(), "x" + text.dropFirst(), "", "."] {
            #expect(read(other) == nil, "\(other)")
        }
    }

    @Test func `of two in one second the later one is greater`() throws {
        let hash = try #require(KeyHash("k"))
        let first = EntryName(hash: hash, stored: UnixTime(seconds: 1))
        var second = first
        while second.tag >> 16 == first.tag >> 16 { second = EntryName(hash: hash, stored: UnixTime(seconds: 1)) }
        #expect(second.tag > first.tag)
    }
}
