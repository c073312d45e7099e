import Glibc
import HTTPBasics
import MachineContract
import NIOCore
import TestSupport
import Testing

@testable import CacheFiles

/// Disks that fail, files that are others', bytes that change.
@Suite(.endsInTime) struct CacheFolderEdgeTests {
    private static let faults: [DiskFault] = [
        DiskFault(at: .open, do: .denied), DiskFault(at: .write(from: 0), do: .full),
        DiskFault(at: .write(from: 50), do: .broken), DiskFault(at: .write(from: 100_000), do: .full),
        DiskFault(at: .close, do: .broken),
    ]

    @Test(arguments: faults) func `a full or broken disk keeps nothing`(fault: DiskFault) throws {
        let scratch = try CacheScratch(), folder = scratch.folder([fault])
        #expect(store(pattern(200_000), in: folder) == nil)
        #expect(folder.entries(for: key).isEmpty && folder.usage == 0)
        #expect(CacheScratch.names(in: "\(scratch.inner)/unfinished").isEmpty)
    }

    /// Those that are open stay open. Nothing else runs meanwhile.
    private static func withoutDescriptors<Result>(_ body: () throws -> Result) throws -> Result {
        var limit = rlimit()
        let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        try #require(getrlimit(resource, &limit) == 0)
        var none = limit
        none.rlim_cur = 0
        try #require(setrlimit(resource, &none) == 0)
        defer { setrlimit(resource, &limit) }
        return try body()
    }

    @Test func `a process without a descriptor left finds nothing, and forgets nothing`() throws {
        let scratch = try CacheScratch(), folder = scratch.folder()
        _ = try #require(store([1], in: folder))
        let usage = folder.usage
        let (found, opened) = try Self.withoutDescriptors { (folder.entries(for: key).count, scratch.folder()) }
        #expect(found == 0 && folder.usage == usage)
        #expect(folder.entries(for: key).count == 1)
        // Nor does one whose index could not be read: it is, once there is something to do.
        #expect(opened.mayHave(key) && opened.entries(for: key).count == 1)
        opened.waitUntilReady()
        #expect(opened.usage == usage && !opened.mayHave("http://a.test/other"))
    }

    @Test func `what is stored while the index is read is known`() throws {
        for _ in 0..<100 {
            let scratch = try CacheScratch()
            _ = scratch.folder().beginEntry(key: key, head: [], at: time(1))
            let folder = CacheFolder(path: scratch.path, capacity: 1 << 24)
            for number in 0..<10 { store([1], "\(key)\(number)", in: folder) }
            folder.waitUntilReady()
            #expect(folder.count == 10)
        }
    }

    @Test func `what is out of date and cannot be seen, for want of descriptors, goes`() throws {
        let scratch = try CacheScratch(), folder = scratch.folder()
        _ = try #require(store([1], in: folder))
        let left = try Self.withoutDescriptors { folder.entries(for: key, keepsUnseen: false).count }
        #expect(left == 0 && folder.usage == 0)
        #expect(scratch.folder().entries(for: key).isEmpty)
    }

    @Test func `a head that could not be written leaves the old one`() throws {
        let scratch = try CacheScratch()
        let entry = try #require(store([1], in: scratch.folder()))
        for place in [entry.file.length, entry.file.length + 6, entry.file.length + 20] {
            let folder = scratch.folder([DiskFault(at: .write(from: place), do: .full)])
            let found = try #require(folder.entries(for: key).first)
            #expect(folder.replaceHead(of: found, with: pattern(40), at: time(150)) == nil)
            let left = try #require(folder.entries(for: key).first)
            #expect(head(left) == "head")
            #expect(try body(of: left, in: folder) == [1])
        }
        // And the next one goes over what was left of it.
        let folder = scratch.folder()
        let found = try #require(folder.entries(for: key).first)
        #expect(head(folder.replaceHead(of: found, with: [65], at: time(150))) == "A")
        #expect(head(scratch.folder().entries(for: key).first) == "A")
    }

    private func path(_ entry: CacheEntry, _ scratch: CacheScratch) -> String { "\(scratch.inner)/\(entry.name.path)" }

    private func contents(_ path: String) throws -> [UInt8] {
        let file = open(path, O_RDONLY)
        defer { close(file) }
        return try EntryFile.read(file, at: 0, count: 1 << 20)
    }

    private func put(_ bytes: [UInt8], _ path: String) {
        let file = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
        defer { close(file) }
        #expect(Glibc.write(file, bytes, bytes.count) == bytes.count)
    }

    /// What comes back is right or nothing.
    private func isRight(_ scratch: CacheScratch, _ bytes: [UInt8]) -> Bool {
        let folder = scratch.folder()
        return folder.entries(for: key).allSatisfy { entry in
            guard head(entry) == "head", entry.storedAt == time(100) else { return false }
            guard let read = try? body(of: entry, in: folder) else { return folder.entries(for: key).isEmpty }
            return read == bytes
        }
    }

    @Test(arguments: [300, 70_000]) func `no flipped bit and no cut gives a wrong byte`(length: Int) throws {
        let scratch = try CacheScratch(), bytes = pattern(length)
        let file = path(try #require(store(bytes, in: scratch.folder())), scratch)
        let whole = try contents(file)
        let step = max(1, whole.count / 100)
        for place in Array(stride(from: 0, to: whole.count, by: step)) + Array(0..<60) + Array(whole.indices.suffix(30))
        {
            var changed = whole
            changed[place] ^= 1 << UInt8(place % 8)
            put(changed, file)
            #expect(isRight(scratch, bytes), "byte \(place)")
            put(Array(whole.prefix(place)), file)
            #expect(isRight(scratch, bytes), "cut at \(place)")
            put(whole + changed.prefix(place % 50), file)
            #expect(isRight(scratch, bytes), "more behind it, \(place)")
        }
        put(whole, file)
        #expect(scratch.folder().entries(for: key).count == 1)
    }

    @Test func `a damaged entry is removed and its bytes are not handed out`() throws {
        let scratch = try CacheScratch(), bytes = pattern(200_000), folder = scratch.folder()
        let entry = try #require(store(bytes, in: folder))
        var changed = try contents(path(entry, scratch))
        changed[150_000] ^= 4
        put(changed, path(entry, scratch))
        let reader = folder.openBody(of: try #require(folder.entries(for: key).first), at: time(1))
        var read: [UInt8] = []
        #expect(throws: CacheTrouble.damaged) {
            while let piece = try reader.read(upTo: 10_000) { read += piece.readableBytesView }
        }
        #expect(read == Array(bytes.prefix(2 * 65_536)))
        #expect(throws: CacheTrouble.damaged) { try reader.read(upTo: 1) }
        #expect(folder.entries(for: key).isEmpty && folder.usage == 0)
    }

    @Test func `an entry under another's name is none`() throws {
        let scratch = try CacheScratch(), folder = scratch.folder()
        let mine = try #require(store([1], in: folder)), other = try #require(store([2], "other", in: folder))
        let bytes = try contents(path(other, scratch))
        put(bytes, path(mine, scratch))
        let again = scratch.folder()
        #expect(again.entries(for: key).isEmpty && again.entries(for: "other").count == 1)
    }

    @Test func `foreign files are neither read nor removed`() throws {
        let scratch = try CacheScratch(), folder = scratch.folder()
        let entry = try #require(store([1], in: folder))
        let bucket = "\(scratch.inner)/\(EntryName.folder(entry.name.hash.bucket))"
        func strange(_ tag: UInt64) -> String {
            "\(bucket)/\(EntryName(hash: entry.name.hash, stored: time(900), tag: tag).text)"
        }
        #expect(symlink(path(entry, scratch), strange(5)) == 0 && mkfifo(strange(6), 0o600) == 0)
        #expect(mkdir(strange(7), 0o700) == 0)
        for name in ["notes", entry.name.text.uppercased(), entry.name.text + "x"] { put([1, 2], "\(bucket)/\(name)") }
        put([3], "\(scratch.path)/readme")
        let found = scratch.folder()
        #expect(found.count == 1 && found.entries(for: key).map(\.id) == [entry.id])
        found.removeAll()
        #expect(CacheScratch.names(in: bucket).count == 6 && CacheScratch.names(in: scratch.path).contains("readme"))
    }

    @Test func `a link in place of a folder is not followed`() throws {
        let scratch = try CacheScratch(), other = try CacheScratch()
        let entry = try #require(store([1], in: scratch.folder()))
        let bucket = "\(scratch.inner)/\(EntryName.folder(entry.name.hash.bucket))"
        #expect(rename(bucket, "\(other.path)/bucket") == 0 && symlink("\(other.path)/bucket", bucket) == 0)
        #expect(scratch.folder().entries(for: key).isEmpty)
        #expect(rename(scratch.inner, "\(other.path)/inner") == 0)
        #expect(symlink("\(other.path)/inner", scratch.inner) == 0)
        #expect(store([1], in: scratch.folder()) == nil)
    }

    @Test func `a file of any size is only not found`() throws {
        let scratch = try CacheScratch(), folder = scratch.folder()
        let entry = try #require(store([1], in: folder))
        for bits in [30, 42, 62] where truncate(path(entry, scratch), 1 << bits) == 0 {
            let again = scratch.folder(capacity: .max)
            #expect(again.entries(for: key).isEmpty && again.count == 0)
        }
    }

    @Test func `many threads store, read and remove at once`() async throws {
        let scratch = try CacheScratch(), folder = scratch.folder(capacity: 40 * 4096)
        await withTaskGroup(of: Bool.self) { group in
            for thread in 0..<4 {
                group.addTask {
                    (0..<200).allSatisfy { number in
                        let key = "k\(number % 13)", bytes = [UInt8](repeating: UInt8(number % 13), count: number * 40)
                        if number % 7 == thread { folder.remove(key: key) }
                        store(bytes, key, head: "\(bytes.count)", at: Int64(number), in: folder)
                        return folder.entries(for: key).allSatisfy { entry in
                            guard let read = try? body(of: entry, in: folder) else { return false }
                            return read == [UInt8](repeating: UInt8(number % 13), count: Int(head(entry) ?? "") ?? -1)
                        }
                    }
                }
            }
            for await isRight in group { #expect(isRight) }
        }
        #expect(folder.usage <= 40 * 4096 && scratch.folder(capacity: .max).usage <= 40 * 4096)
    }

    @Test func `killed at any moment, what is there is whole`() throws {
        let scratch = try CacheScratch()
        let program = "\(programFolder())/cache-writer"
        var pid: pid_t = 0
        let line = [program, "kills", scratch.path, "24"]
        var words: [UnsafeMutablePointer<CChar>?] = line.map { strdup($0) } + [nil]
        defer { words.forEach { free($0) } }
        try #require(posix_spawn(&pid, program, nil, nil, &words, environ) == 0)
        var status: Int32 = 0
        while waitpid(pid, &status, 0) < 0, errno == EINTR {}
        #expect(status == 0)
    }

    /// Where the programs are: beside the tests.
    private func programFolder() -> String {
        var path = [UInt8](repeating: 0, count: 4096)
        let count = path.withUnsafeMutableBytes { space in
            space.withMemoryRebound(to: CChar.self) { chars in
                chars.baseAddress.map { readlink("/proc/self/exe", $0, chars.count) } ?? 0
            }
        }
        let own = String(decoding: path[..<max(0, count)], as: UTF8.self)
        let tests = CommandLine.arguments.first { $0.hasSuffix(".xctest") } ?? own
        return tests.split(separator: "/", omittingEmptySubsequences: false).dropLast().joined(separator: "/")
    }
}
