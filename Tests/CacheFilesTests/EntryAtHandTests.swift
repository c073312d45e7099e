import BodyFiles
import Glibc
import HTTPBasics
import MachineContract
import NIOCore
import TestSupport
import Testing

@testable import CacheFiles

/// BEHAVIOUR 2.D4-memory: what nobody has to wait for.
@Suite(.endsInTime) struct EntryAtHandTests {
    private static let mebibyte = 1 << 20

    private static func folder(_ scratch: CacheScratch, waits: Bool = true, _ faults: [DiskFault] = []) -> CacheFolder {
        CacheFolder(
            path: scratch.path, capacity: 1 << 24, readsIndexBehind: false, waitsAtHand: waits, faults: faults)
    }

    @Test(arguments: [0, 1, 1000, 16_000, 65_536, 65_537, 200_000, mebibyte - 1, mebibyte])
    func `an entry of at most a mebibyte is there with its body`(length: Int) throws {
        let scratch = try CacheScratch(), folder = Self.folder(scratch)
        store(pattern(length), in: folder)
        let found = try #require(EntryAtHand(of: key, in: folder))
        #expect(head(found.entry) == "head")
        #expect(found.readBody().map { Array($0.readableBytesView) } == pattern(length))
    }

    /// Where the file system can tell what is in memory.
    @Test func `so it is where nobody may wait, if the system has just written it`() throws {
        let scratch = try CacheScratch(), folder = Self.folder(scratch, waits: false)
        let written = try #require(store(pattern(200_000), in: folder))
        guard let (access, _) = folder.atHand else { return }
        do {
            _ = try EntryFile.read(written.file.descriptor, at: 0, count: 1, access)
        } catch CacheTrouble.unreadable(ErrorNumber(EOPNOTSUPP)) {
            return
        }
        let found = try #require(EntryAtHand(of: key, in: folder))
        #expect(found.readBody().map { Array($0.readableBytesView) } == pattern(200_000))
    }

    @Test func `a longer one is left to who may wait`() throws {
        let scratch = try CacheScratch(), folder = Self.folder(scratch)
        store(pattern(Self.mebibyte + 1), in: folder)
        #expect(EntryAtHand(of: key, in: folder) == nil)
    }

    @Test func `so is what is not there, and what is there in several variants`() throws {
        let scratch = try CacheScratch(), folder = Self.folder(scratch)
        #expect(EntryAtHand(of: key, in: folder) == nil)
        store([1], in: folder)
        #expect(EntryAtHand(of: key, in: folder) != nil)
        #expect(EntryAtHand(of: key + "other", in: folder) == nil)
        store([2], in: folder)
        #expect(EntryAtHand(of: key, in: folder) == nil)
    }

    @Test(arguments: [DiskFault.Landmark.open, .read(from: 0), .read(from: 100_000)], [true, false])
    func `a disk that is slow or broken is not asked`(landmark: DiskFault.Landmark, isSlow: Bool) throws {
        let scratch = try CacheScratch()
        store(pattern(200_000), in: Self.folder(scratch))
        let folder = Self.folder(scratch, [DiskFault(at: landmark, do: isSlow ? .delay(.seconds(1)) : .broken)])
        let found = EntryAtHand(of: key, in: folder)
        #expect(landmark == .open && isSlow ? found == nil : landmark == .open || found?.readBody() == nil)
    }

    @Test(arguments: [0, 50_000, 199_999])
    func `a wrong byte does not come out, and nothing is removed`(place: Int) throws {
        let scratch = try CacheScratch(), folder = Self.folder(scratch)
        let written = try #require(store(pattern(200_000), in: folder))
        let path = "\(scratch.inner)/\(written.name.path)", blocks = Int64(place / EntryLayout.blockBytes)
        let offset = written.layout.start(ofBlock: blocks) + Int64(place % EntryLayout.blockBytes)
        let descriptor = open(path, O_RDWR)
        defer { _ = close(descriptor) }
        var byte = pattern(200_000)[place] ^ 1
        try #require(pwrite(descriptor, &byte, 1, off_t(offset)) == 1)
        #expect(EntryAtHand(of: key, in: folder).map { $0.readBody() == nil } ?? false)
        #expect(access(path, F_OK) == 0)
        // Who may wait finds out, and removes it.
        let entry = try #require(folder.entries(for: key).first)
        #expect(throws: CacheTrouble.damaged) { _ = try body(of: entry, in: folder) }
        #expect(folder.count == 0)
    }

    @Test func `what another process has stored since is not passed over`() throws {
        let scratch = try CacheScratch()
        for waits in [true, false] {
            let mine = Self.folder(scratch, waits: waits)
            store([1], at: 100, in: mine)
            store([2], at: 200, in: scratch.folder())
            #expect(EntryAtHand(of: key, in: mine) == nil)
            mine.removeAll()
        }
    }

    @Test func `other processes are told of a use once in a while`() throws {
        let scratch = try CacheScratch(), folder = Self.folder(scratch)
        store([1], at: 100, in: folder)
        let found = try #require(EntryAtHand(of: key, in: folder))
        let isTold = [110, 159, 160, 161, 219, 220].map { folder.noteUse(found, at: time($0)) }
        #expect(isTold == [false, false, true, false, false, true])
        folder.use(key: key, at: time(221))
        #expect(CacheScratch.used(found.entry, in: scratch) == 221)
    }

    @Test func `at the end of the file there are fewer bytes than were asked for`() throws {
        let scratch = try CacheScratch(), written = try #require(store(pattern(5000), in: Self.folder(scratch)))
        var bytes = [UInt8](repeating: 0, count: 9000)
        let offset = written.layout.start(ofBlock: 0)
        let count = try bytes.withUnsafeMutableBytes { space in
            try DiskAccess.waiting.read(written.file.descriptor, at: offset, into: space)
        }
        #expect(Int64(count) == written.file.length - offset)
        #expect(Array(bytes[..<5000]) == pattern(5000))
    }
}

extension CacheScratch {
    fileprivate static func used(_ entry: CacheEntry, in scratch: CacheScratch) -> Int? {
        var status = stat()
        guard stat("\(scratch.inner)/\(entry.name.path)", &status) == 0 else { return nil }
        return status.st_mtim.tv_sec
    }
}
