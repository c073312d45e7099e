import BodyFiles
import Glibc
import HTTPBasics
import MachineContract
import NIOCore
import TestSupport
import Testing

@testable import CacheFiles

/// An own directory per test, gone with it.
final class CacheScratch {
    let path: String

    init() throws {
        var template = Array("/tmp/cache-files-tests-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw Missing() }
        path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    deinit { remove(path) }

    private func remove(_ path: String) {
        if unlink(path) == 0 { return }
        for name in Self.names(in: path) { remove("\(path)/\(name)") }
        _ = rmdir(path)
    }

    static func names(in path: String) -> [String] {
        guard let stream = opendir(path) else { return [] }
        defer { closedir(stream) }
        var names: [String] = []
        while let entry = readdir(stream) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) {
                String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names.sorted()
    }

    struct Missing: Error {}

    var inner: String { "\(path)/\(FolderPlace.name)" }

    func folder(capacity: Int = 1 << 24, _ faults: [DiskFault] = []) -> CacheFolder {
        CacheFolder(path: path, capacity: capacity, readsIndexBehind: false, faults: faults)
    }
}

let key = "GET http://a.test/"

func time(_ seconds: Int64) -> UnixTime { UnixTime(seconds: seconds) }

@discardableResult func store(
    _ body: [UInt8], _ key: String = key, head: String = "head", at seconds: Int64 = 100, in folder: CacheFolder
) -> CacheEntry? {
    let writer = folder.beginEntry(key: key, head: Array(head.utf8), at: time(seconds))
    writer?.append(ByteBuffer(bytes: body))
    return writer?.finish()
}

func body(of entry: CacheEntry, in folder: CacheFolder, pieces: Int = 50_000) throws(CacheTrouble) -> [UInt8] {
    let reader = folder.openBody(of: entry, at: time(200))
    var bytes: [UInt8] = []
    while let piece = try reader.read(upTo: pieces) { bytes += piece.readableBytesView }
    return bytes
}

func head(_ entry: CacheEntry?) -> String? { entry.map { String(decoding: $0.head, as: UTF8.self) } }

func pattern(_ count: Int) -> [UInt8] { (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 7 &+ $0 / 251) } }

@Suite(.endsInTime) struct CacheFolderTests {
    @Test(arguments: [0, 1, 1000, 16_000, 65_535, 65_536, 65_537, 131_072, 300_000])
    func `a body of any length comes back, now and after a new start`(length: Int) throws {
        let scratch = try CacheScratch(), bytes = pattern(length)
        let folder = scratch.folder()
        let stored = try #require(store(bytes, head: "h", in: folder))
        #expect(try body(of: stored, in: folder) == bytes)
        for folder in [folder, scratch.folder()] {
            let found = folder.entries(for: key)
            #expect(found.map(\.id) == [stored.id] && head(found.first) == "h")
            #expect(found.first?.bodyLength == Int64(length) && found.first?.storedAt == time(100))
            #expect(try body(of: #require(found.first), in: folder, pieces: 777) == bytes)
            #expect(folder.entries(for: "GET http://b.test/").isEmpty)
        }
        #expect(CacheScratch.names(in: "\(scratch.inner)/unfinished").isEmpty)
    }

    @Test func `several are found newest first, and 16 of one key are kept`() throws {
        let scratch = try CacheScratch(), folder = scratch.folder()
        for number in 0..<40 { store([], head: "\(number)", at: 100 + Int64(number), in: folder) }
        let heads = folder.entries(for: key).compactMap { head($0) }
        #expect(heads.count == 16 && heads.first == "39" && heads[1] == "38" && heads.last == "24")
        #expect(folder.count == 16)
        let kept = folder.entries(for: key)[3]
        _ = folder.beginEntry(key: key, head: [1], at: time(500))?.finish(replacing: folder.entries(for: key))
        #expect(folder.entries(for: key).map(\.head) == [[1]])
        // Who has it open reads on.
        #expect(head(kept) == "36")
        #expect(try body(of: kept, in: folder) == [])
    }

    @Test func `it is the user's alone`() throws {
        let scratch = try CacheScratch()
        let folder = CacheFolder(path: "\(scratch.path)/deep/er", capacity: 1 << 20, readsIndexBehind: false)
        let name = try #require(store([1], in: folder)).name
        func mode(_ path: String) -> mode_t {
            var status = stat()
            return lstat("\(scratch.path)/deep\(path)", &status) == 0 ? status.st_mode & 0o777 : 0
        }
        #expect(mode("") == 0o700 && mode("/er") == 0o700 && mode("/er/\(FolderPlace.name)") == 0o700)
        let bucket = "/er/\(FolderPlace.name)/\(EntryName.folder(name.hash.bucket))"
        #expect(mode(bucket) == 0o700 && mode("\(bucket)/\(name.text)") == 0o600)
    }

    @Test func `an unfinished entry is not found, and an abandoned one leaves nothing`() throws {
        let scratch = try CacheScratch(), folder = scratch.folder()
        let writer = try #require(folder.beginEntry(key: key, head: [], at: time(1)))
        writer.append(ByteBuffer(bytes: pattern(200_000)))
        #expect(CacheScratch.names(in: "\(scratch.inner)/unfinished").count == 1)
        // A start does not take it for one that a killed writer has left.
        #expect(scratch.folder().entries(for: key).isEmpty)
        #expect(CacheScratch.names(in: "\(scratch.inner)/unfinished").count == 1)
        writer.abandon()
        #expect(writer.isAbandoned && writer.finish() == nil)
        #expect(CacheScratch.names(in: "\(scratch.inner)/unfinished").isEmpty)
        var dropped = folder.beginEntry(key: key, head: [], at: time(1))
        dropped?.append(ByteBuffer(bytes: pattern(70_000)))
        dropped = nil
        #expect(CacheScratch.names(in: "\(scratch.inner)/unfinished").isEmpty && folder.count == 0)
    }

    @Test func `what a killed writer has left goes at the next start, and nothing else`() throws {
        let scratch = try CacheScratch()
        store([], head: "", at: 1, in: scratch.folder())
        let folder = "\(scratch.inner)/unfinished"
        for name in ["0123456789abcdef", "notes.txt"] { close(open("\(folder)/\(name)", O_CREAT | O_WRONLY, 0o600)) }
        _ = scratch.folder()
        #expect(CacheScratch.names(in: folder) == ["notes.txt"])
    }

    @Test func `the capacity holds, and what was not used for longest goes first`() throws {
        let scratch = try CacheScratch(), folder = scratch.folder(capacity: 10 * 4096)
        for number in 0..<10 { store([1], "k\(number)", at: Int64(number), in: folder) }
        #expect(folder.usage == 10 * 4096 && folder.count == 10)
        folder.use(try #require(folder.entries(for: "k0").first), at: time(100))
        store([1], "new", at: 101, in: folder)
        #expect(folder.usage == 10 * 4096)
        #expect(folder.entries(for: "k1").isEmpty && !folder.entries(for: "k0").isEmpty)
        folder.setCapacity(2 * 4096)
        #expect(folder.count == 2 && !folder.entries(for: "k0").isEmpty && !folder.entries(for: "new").isEmpty)
        // Uses are known to the next start.
        let again = scratch.folder(capacity: 4096)
        #expect(again.count == 1 && !again.entries(for: "new").isEmpty)
        folder.setCapacity(0)
        #expect(folder.count == 0 && folder.usage == 0 && store([1], in: folder) == nil)
    }

    @Test func `what is larger than the capacity is given up while it is written`() throws {
        let scratch = try CacheScratch(), folder = scratch.folder(capacity: 150_000)
        let writer = try #require(folder.beginEntry(key: key, head: [], at: time(1)))
        for _ in 0..<4 { writer.append(ByteBuffer(bytes: pattern(60_000))) }
        #expect(writer.isAbandoned && CacheScratch.names(in: "\(scratch.inner)/unfinished").isEmpty)
    }

    @Test func `a key or a head beyond the bounds is not kept`() throws {
        let scratch = try CacheScratch(), folder = scratch.folder()
        let long = String(repeating: "k", count: EntryLayout.maximumKey)
        #expect(store([1], long, in: folder) != nil && folder.entries(for: long).count == 1)
        #expect(store([1], long + "k", in: folder) == nil && folder.entries(for: long + "k").isEmpty)
        let head = String(repeating: "h", count: EntryLayout.maximumHead)
        #expect(store([1], head: head, in: folder) != nil)
        #expect(folder.entries(for: key).first?.head.count == head.utf8.count)
        #expect(store([1], "b", head: head + "h", in: folder) == nil)
    }

    @Test func `removal by entry, key and time, and of all`() throws {
        let scratch = try CacheScratch(), folder = scratch.folder()
        for number in 0..<6 { store([1], "k\(number)", at: Int64(number), in: folder) }
        folder.remove(try #require(folder.entries(for: "k0").first))
        folder.remove(key: "k1")
        folder.remove(since: time(4))
        #expect((0..<6).map { folder.entries(for: "k\($0)").count } == [0, 0, 1, 1, 0, 0])
        folder.removeAll()
        #expect(folder.count == 0 && folder.usage == 0 && scratch.folder().count == 0)
    }

    @Test func `another head stays in place of the first, as often as one likes`() throws {
        let scratch = try CacheScratch(), folder = scratch.folder(), bytes = pattern(100_000)
        var entry = try #require(store(bytes, in: folder))
        for number in 0..<30 {
            let text = "\(number)" + String(repeating: "x", count: 200_000)
            entry = try #require(folder.replaceHead(of: entry, with: Array(text.utf8), at: time(150)))
            #expect(head(entry) == text && entry.storedAt == time(100))
        }
        for folder in [folder, scratch.folder()] {
            let found = try #require(folder.entries(for: key).first)
            #expect(found.head == entry.head && folder.entries(for: key).count == 1)
            #expect(try body(of: found, in: folder) == bytes)
            #expect(folder.usage < 5 << 20)
        }
        folder.remove(entry)
        #expect(folder.replaceHead(of: entry, with: [1], at: time(150)) == nil)
    }

    @Test func `two on one folder see each other's entries and removals`() throws {
        let scratch = try CacheScratch(), one = scratch.folder(), other = scratch.folder()
        store([1], in: one)
        #expect(other.entries(for: key).count == 1)
        let second = try #require(store([2], "b", in: other))
        one.remove(key: "b")
        #expect(other.entries(for: "b").isEmpty && other.count == 1)
        #expect(try body(of: second, in: other) == [2])
        other.removeAll()
        #expect(one.entries(for: key).isEmpty)
    }

    @Test func `what another process uses is not evicted, and what it stores counts`() throws {
        let scratch = try CacheScratch(), one = scratch.folder(capacity: 8 * 4096), other = scratch.folder()
        for number in 0..<8 { store([1], "k\(number)", at: Int64(number), in: one) }
        other.use(try #require(other.entries(for: "k0").first), at: time(500))
        store([1], "new", at: 600, in: one)
        #expect(!one.entries(for: "k0").isEmpty && one.entries(for: "k1").isEmpty)
        for number in 0..<20 { store([1], "other \(number)", at: 700, in: other) }
        for number in 0..<512 { store([1], "own \(number % 3)", at: 800, in: one) }
        #expect(scratch.folder().usage <= 8 * 4096)
    }

    @Test func `the folder may be removed at any moment`() throws {
        let scratch = try CacheScratch(), folder = scratch.folder()
        store([1], in: folder)
        for name in CacheScratch.names(in: scratch.inner) {
            for file in CacheScratch.names(in: "\(scratch.inner)/\(name)") {
                unlink("\(scratch.inner)/\(name)/\(file)")
            }
            rmdir("\(scratch.inner)/\(name)")
        }
        rmdir(scratch.inner)
        #expect(folder.entries(for: key).isEmpty)
        store([2], in: folder)
        #expect(folder.entries(for: key).count == 1)
    }

    @Test(arguments: ["", "a\0b", "/proc/none/a"]) func `without a folder nothing is kept`(path: String) {
        let folder = CacheFolder(path: path, capacity: 1 << 20)
        #expect(store([1], in: folder) == nil && folder.entries(for: key).isEmpty && folder.usage == 0)
        folder.waitUntilReady()
        folder.removeAll()
    }

    @Test func `the index is read behind, and a key is found before`() throws {
        let scratch = try CacheScratch()
        let first = scratch.folder()
        for number in 0..<300 { store([1], "k\(number)", in: first) }
        let folder = CacheFolder(path: scratch.path, capacity: 1 << 24)
        #expect(folder.entries(for: "k7").count == 1)
        folder.waitUntilReady()
        #expect(folder.count == 300 && folder.usage == 300 * 4096)
    }
}
