import Testing

@testable import CacheFiles

@Suite struct EntryLayoutTests {
    @Test(arguments: [0, 5, 65_536, 131_073]) func `a file lies as its description says`(count: Int) throws {
        let scratch = try CacheScratch(), body = pattern(count), key = "GET http://a.test/a-longer-path"
        let entry = try #require(store(body, key, in: scratch.folder())), layout = entry.layout
        let length = Int(entry.file.length)
        let file = try EntryFile.read(entry.file.descriptor, at: 0, count: length + 1)
        try #require(file.count == length)
        #expect(file[..<8].elementsEqual("usCache2".utf8))
        #expect(file[8..<12].elementsEqual([UInt8(key.utf8.count), 0, 0, 0]))
        #expect(file.number(at: 16, as: UInt64.self) == UInt64(count))
        #expect(file.number(at: 24, as: UInt64.self) == 100)
        #expect(file.number(at: 32, as: UInt64.self) == layout.tag)
        #expect(file[40..<71].elementsEqual(key.utf8))
        #expect(file[71..<71 + count].elementsEqual(body))
        var place = 71 + count
        for (number, start) in stride(from: 0, to: count, by: 65_536).enumerated() {
            let checksum = body[start..<min(start + 65_536, count)].withUnsafeBytes {
                BlockChecksum.of($0, tag: layout.tag, place: UInt64(number))
            }
            #expect(file.number(at: place, as: UInt32.self) == checksum)
            place += 4
        }
        #expect(file[place..<place + 8].elementsEqual([0, 0, 0, 0, 4, 0, 0, 0]))
        #expect(file[(place + 12)...].elementsEqual("head".utf8))
    }

    @Test func `an opening whose numbers cannot be is damaged, even if its checksum is right`() {
        let file: Int64 = 1000
        for length in [-1, .min, 946, file - 1, file, 1 << 40, .max] {
            #expect(read(layout(length).opening, file) == .damaged)
        }
        // 43 before the body, 4 for its block, 12 and more for a head.
        #expect(read(layout(941).opening, file) == .whole(layout(941)))
        #expect(read(layout(942).opening, file) == .damaged)
        #expect(read(layout(0).opening, 43 + 12) == .whole(layout(0)))
        #expect(read(layout(0).opening, 43 + 11) == .damaged)
        #expect(read(layout(0).opening, 43 + (4 << 20)) == .whole(layout(0)))
        #expect(read(layout(0).opening, 44 + (4 << 20)) == .damaged)
        #expect(read(layout(1 << 40).opening, .max) == .damaged)
    }

    @Test func `a key is as long as its number says`() {
        var opening = layout(0).opening
        #expect(read(Array(opening[..<40]), 1000) == .needs(43))
        #expect(read(Array(opening[..<39]), 1000) == .needs(40))
        opening.replaceSubrange(8..<12, with: [255, 255, 255, 255])
        #expect(read(opening, 1000) == .damaged)
        opening.replaceSubrange(8..<12, with: [2, 0, 0, 0])
        #expect(read(opening, 1000) == .damaged)
    }

    @Test func `a file of another format is none of ours`() {
        var opening = layout(0).opening
        opening[7] = UInt8(ascii: "1")
        #expect(read(opening, 1000) == .damaged)
    }

    private func layout(_ bodyLength: Int64) -> EntryLayout {
        EntryLayout(key: Array("key".utf8), bodyLength: bodyLength, stored: time(100), tag: 7)
    }

    private func read(_ start: [UInt8], _ length: Int64) -> EntryLayout.OpeningRead {
        EntryLayout.read(start, fileLength: length)
    }
}
