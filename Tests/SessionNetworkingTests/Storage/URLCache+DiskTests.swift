import CacheFiles
import Foundation
import HTTPBasics
import Testing

@testable import SessionNetworking

/// What a program does with a cache on disk itself; what sessions do is in `scenarios/cache`.
@Suite struct URLCacheDiskTests {
    private final class Folder {
        let path = FileManager.default.temporaryDirectory.appendingPathComponent("cache-\(UUID())").path

        var entries: [String] { (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? [] }

        deinit { try? FileManager.default.removeItem(atPath: path) }
    }

    private let folder = Folder()

    private func cache(memory: Int = 0, disk: Int = 1_000_000) -> URLCache {
        URLCache(memoryCapacity: memory, diskCapacity: disk, directory: URL(fileURLWithPath: folder.path))
    }

    private static func request(_ path: String, _ fields: [String: String] = [:]) throws -> URLRequest {
        var request = URLRequest(url: try #require(URL(string: "http://a.test/\(path)")))
        request.allHTTPHeaderFields = fields
        return request
    }

    private static func answer(
        to request: URLRequest, _ text: String, _ fields: [String: String] = ["X-One": "1"],
        info: [AnyHashable: Any]? = nil, policy: URLCache.StoragePolicy = .allowed
    ) throws -> CachedURLResponse {
        let url = try #require(request.url)
        let response = try #require(
            HTTPURLResponse(url: url, statusCode: 203, httpVersion: nil, headerFields: fields))
        return CachedURLResponse(response: response, data: Data(text.utf8), userInfo: info, storagePolicy: policy)
    }

    private static func text(for request: URLRequest, in cache: URLCache) -> String? {
        cache.cachedResponse(for: request).map { String(decoding: $0.data, as: UTF8.self) }
    }

    @Test func `what one cache has stored another one finds, with all that it has`() throws {
        let first = cache(), request = try Self.request("a")
        first.storeCachedResponse(try Self.answer(to: request, "one"), for: request)
        #expect(first.currentDiskUsage == 4096)
        let found = try #require(cache().cachedResponse(for: request))
        let response = try #require(found.response as? HTTPURLResponse)
        #expect(found.data == Data("one".utf8) && response.statusCode == 203 && response.url == request.url)
        #expect(response.value(forHTTPHeaderField: "x-one") == "1")
        #expect(found.storagePolicy == .allowed && found.userInfo == nil)
    }

    @Test func `a capacity of 0 has removed all before the setter returns, also right after the start`() throws {
        let first = cache()
        for number in 0..<20 {
            let request = try Self.request("\(number)")
            first.storeCachedResponse(try Self.answer(to: request, "a"), for: request)
        }
        #expect(first.currentDiskUsage == 20 * 4096)
        let second = cache()
        #expect(second.currentDiskUsage == 20 * 4096)
        let third = cache()
        third.diskCapacity = 0
        #expect(cache().currentDiskUsage == 0)
    }

    @Test func `what a caller stores is on disk if it takes no more than a fifth`() throws {
        let cache = cache(disk: 100_000), request = try Self.request("a")
        cache.storeCachedResponse(try Self.answer(to: request, String(repeating: "a", count: 20_000)), for: request)
        #expect(cache.currentDiskUsage > 0)
        cache.storeCachedResponse(try Self.answer(to: request, String(repeating: "a", count: 20_001)), for: request)
        #expect(cache.currentDiskUsage == 0)
    }

    @Test func `an answer that is stored for another variant than it was asked for is found for that one`() throws {
        let cache = cache(memory: 100_000)
        let german = try Self.request("a", ["L": "de"]), french = try Self.request("a", ["L": "fr"])
        cache.storeCachedResponse(try Self.answer(to: german, "eins", ["Vary": "L"]), for: german)
        let kept = try #require(cache.cachedResponse(for: german))
        cache.storeCachedResponse(kept, for: french)
        #expect(Self.text(for: french, in: cache) == "eins" && Self.text(for: german, in: cache) == "eins")
    }

    @Test func `a cache finds at once what it has just stored, and not what it has just removed`() throws {
        let cache = cache(), request = try Self.request("a")
        for number in 0..<50 {
            cache.storeCachedResponse(try Self.answer(to: request, "\(number)"), for: request)
            #expect(Self.text(for: request, in: cache) == "\(number)")
        }
        cache.removeCachedResponse(for: request)
        #expect(Self.text(for: request, in: cache) == nil)
        #expect(cache.currentDiskUsage == 0)
    }

    @Test func `what was read from disk is in memory then`() throws {
        let request = try Self.request("a"), writer = cache()
        writer.storeCachedResponse(try Self.answer(to: request, "one"), for: request)
        _ = writer.currentDiskUsage
        let cache = cache(memory: 100_000)
        #expect(cache.currentMemoryUsage == 0)
        #expect(Self.text(for: request, in: cache) == "one")
        #expect(cache.currentMemoryUsage > 0)
        cache.removeCachedResponses(since: Date(timeIntervalSinceNow: -3600))
        #expect(Self.text(for: request, in: cache) == nil)
    }

    // BEHAVIOUR 2.D7-slow
    @Test func `who asks for a task waits no longer than the disk's patience, and is answered once`() throws {
        let request = try Self.request("a"), cache = cache(), timers = FakeQueue(), disk = FakeQueue()
        cache.storeCachedResponse(try Self.answer(to: request, "one"), for: request)
        _ = cache.currentDiskUsage
        let slow = URLCache(memoryCapacity: 0, diskCapacity: 0)
        let opened = CacheFolder(path: folder.path, capacity: 1_000_000) {}
        slow.keep(in: opened, writer: disk, later: { span, job in span == .zero ? job() : timers.run(job) })
        let task = FakeWorld().makeSession().dataTask(with: request), answers = Journal()
        for isPatient in [true, false] {
            slow.getCachedResponse(for: task) { kept in answers.note(kept == nil ? "none" : "kept") }
            #expect(answers.take() == [])
            if isPatient { disk.runAll() } else { timers.runAll() }
            #expect(answers.take() == [isPatient ? "kept" : "none"])
            disk.runAll()
            timers.runAll()
            #expect(answers.take() == [])
        }
    }

    @Test func `a disk that cannot keep up keeps what it was given first`() throws {
        let cache = cache(), writer = FakeQueue()
        cache.keep(in: CacheFolder(path: folder.path, capacity: 1_000_000, readsIndexBehind: false), writer: writer)
        for number in 0..<UnmadeChanges.mostChanges + 50 {
            let request = try Self.request("\(number)")
            cache.storeCachedResponse(try Self.answer(to: request, "a"), for: request)
        }
        let changes = cache.state.withLock { state in
            var changes: [DiskChange] = []
            while let change = state.unmade.next() { changes.append(change) }
            return changes
        }
        let kept = changes.compactMap { change in if case .keep(_, _, let key) = change { key.text } else { nil } }
        #expect(changes.count == UnmadeChanges.mostChanges && kept.count == changes.count)
        #expect(kept.last == "http://a.test/\(UnmadeChanges.mostChanges - 1)")
    }

    @Test func `variants lie side by side, and the same one is replaced`() throws {
        let cache = cache()
        for (language, text) in [("de", "old"), ("fr", "deux"), ("de", "zwei")] {
            let request = try Self.request("a", ["Accept-Language": language])
            cache.storeCachedResponse(try Self.answer(to: request, text, ["Vary": "Accept-Language"]), for: request)
        }
        #expect(cache.currentDiskUsage == 2 * 4096)
        #expect(Self.text(for: try Self.request("a", ["Accept-Language": "de"]), in: cache) == "zwei")
        #expect(Self.text(for: try Self.request("a", ["Accept-Language": "fr"]), in: cache) == "deux")
    }

    @Test func `what is for the memory alone is not on disk, and what was there before is gone`() throws {
        let request = try Self.request("a"), key = try Self.request("b", ["X-Api-Key": "one"])
        let cache = cache(memory: 100_000)
        for answer in [
            try Self.answer(to: request, "two", policy: .allowedInMemoryOnly),
            try Self.answer(to: request, "two", info: ["a": 1]),
        ] {
            cache.storeCachedResponse(try Self.answer(to: request, "one"), for: request)
            #expect(cache.currentDiskUsage == 4096)
            cache.storeCachedResponse(answer, for: request)
            #expect(cache.currentDiskUsage == 0 && Self.text(for: request, in: cache) == "two")
        }
        cache.storeCachedResponse(try Self.answer(to: key, "one", ["Vary": "X-Api-Key"]), for: key)
        #expect(cache.currentDiskUsage == 0 && Self.text(for: key, in: cache) == "one")
    }

    @Test func `removing: all, and those since a date, also of what another process has stored`() throws {
        let requests = try (0..<3).map { try Self.request("\($0)") }
        let cache = cache(), other = self.cache()
        for request in requests { other.storeCachedResponse(try Self.answer(to: request, "x"), for: request) }
        #expect(other.currentDiskUsage == 3 * 4096)
        cache.removeCachedResponses(since: Date(timeIntervalSinceNow: 60))
        #expect(Self.text(for: requests[1], in: self.cache()) == "x")
        cache.removeCachedResponses(since: Date(timeIntervalSinceNow: -60))
        #expect(cache.currentDiskUsage == 0)
        #expect(Self.text(for: requests[1], in: self.cache()) == nil)
        other.storeCachedResponse(try Self.answer(to: requests[0], "x"), for: requests[0])
        other.removeAllCachedResponses()
        #expect(other.currentDiskUsage == 0)
    }

    @Test func `lowering the capacity removes at once, 0 all of it, and a higher one brings nothing back`() throws {
        let cache = cache(), body = String(repeating: "x", count: 5000)
        let requests = try (0..<10).map { try Self.request("\($0)") }
        for request in requests { cache.storeCachedResponse(try Self.answer(to: request, body), for: request) }
        #expect(cache.currentDiskUsage == 10 * 8192)
        #expect(Self.text(for: requests[0], in: cache) == body)
        cache.diskCapacity = 5 * 8192
        #expect(cache.currentDiskUsage <= 5 * 8192)
        #expect(Self.text(for: requests[0], in: cache) == body && Self.text(for: requests[1], in: cache) == nil)
        cache.diskCapacity = -1
        #expect(cache.diskCapacity == 0 && cache.currentDiskUsage == 0)
        cache.diskCapacity = 1_000_000
        #expect(Self.text(for: requests[0], in: cache) == nil)
        cache.storeCachedResponse(try Self.answer(to: requests[0], "one"), for: requests[0])
        #expect(Self.text(for: requests[0], in: cache) == "one")
    }

    @Test func `without a disk capacity no directory is made, and later one is`() throws {
        let cache = cache(memory: 100_000, disk: 0), request = try Self.request("a")
        cache.storeCachedResponse(try Self.answer(to: request, "one"), for: request)
        #expect(cache.currentDiskUsage == 0 && folder.entries.isEmpty)
        cache.diskCapacity = 100_000
        cache.storeCachedResponse(try Self.answer(to: request, "two"), for: request)
        #expect(cache.currentDiskUsage == 4096 && !folder.entries.isEmpty)
    }

    @Test func `a directory that cannot be made keeps nothing, and nothing fails`() throws {
        try FileManager.default.createDirectory(atPath: folder.path, withIntermediateDirectories: true)
        let file = folder.path + "/file"
        try Data().write(to: URL(fileURLWithPath: file))
        let cache = URLCache(memoryCapacity: 100_000, diskCapacity: 100_000, diskPath: file + "/below")
        let request = try Self.request("a")
        cache.storeCachedResponse(try Self.answer(to: request, "one"), for: request)
        #expect(cache.currentDiskUsage == 0 && cache.diskCapacity == 100_000)
        #expect(Self.text(for: request, in: cache) == "one")
    }

    @Test func `a relative path is seen from the program's own directory`() {
        let usual = URLCache.usualPlace
        #expect(URLCache.place(of: "mine") == usual.map { $0 + "/mine" })
        #expect(URLCache.place(of: "/mine") == "/mine")
        #expect(usual?.contains("/understudy/") != false)
    }

    @Test func `files are for the user alone`() throws {
        let cache = cache(), request = try Self.request("a")
        cache.storeCachedResponse(try Self.answer(to: request, "one"), for: request)
        _ = cache.currentDiskUsage
        let entries = folder.path + "/entries-2"
        let attributes = try FileManager.default.attributesOfItem(atPath: entries)
        #expect(attributes[.posixPermissions] as? Int == 0o700)
    }

    @Test func `the usual capacities of the shared cache`() {
        #expect(URLCache.shared.memoryCapacity == 4 << 20 && URLCache.shared.diskCapacity == 20 << 20)
        #expect(URLCache().diskCapacity == 0)
    }
}
