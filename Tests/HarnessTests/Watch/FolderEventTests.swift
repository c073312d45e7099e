import Testing

@testable import Harness

@Suite("Records of inotify")
struct FolderEventTests {
    private func record(_ watch: Int32, _ mask: UInt32, _ name: String, padding: Int) -> [UInt8] {
        func bytes(_ number: UInt32) -> [UInt8] { withUnsafeBytes(of: number) { Array($0) } }
        let padded = Array(name.utf8) + [UInt8](repeating: 0, count: padding)
        return bytes(UInt32(bitPattern: watch)) + bytes(mask) + bytes(7) + bytes(UInt32(padded.count)) + padded
    }

    @Test("Several in one read, padded names, and none at all")
    func several() {
        let bytes =
            record(1, 0x8, "a.yaml", padding: 10) + record(2, 0x8000, "", padding: 0)
            + record(-1, 0x4000, "", padding: 0)
        #expect(
            FolderEvent.all(in: bytes) == [
                FolderEvent(watch: 1, mask: 0x8, name: "a.yaml"), FolderEvent(watch: 2, mask: 0x8000, name: ""),
                FolderEvent(watch: -1, mask: 0x4000, name: ""),
            ])
        #expect(FolderEvent.all(in: []).isEmpty)
    }

    @Test("A torn record is left out, wherever it is torn")
    func torn() {
        let whole = record(1, 0x8, "a.yaml", padding: 2), next = record(2, 0x80, "b.yaml", padding: 2)
        for count in 0..<next.count {
            #expect(FolderEvent.all(in: whole + next.prefix(count)).map(\.watch) == [1])
        }
    }
}
