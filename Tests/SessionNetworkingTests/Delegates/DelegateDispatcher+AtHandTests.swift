import CacheFiles
import ClientMachines
import Foundation
import HTTPBasics
import Testing

@testable import SessionNetworking

/// BEHAVIOUR 2.D4-memory: what is in memory is told without the engine, and until it is told everything else that
/// happens to the task leads it there.
@Suite(.endsInTime) struct AtHandTests {
    private let world = FakeWorld()

    private static func answer(_ fields: [String: String]) throws -> CachedURLResponse {
        let answer = try #require(
            HTTPURLResponse(url: Sample.url, statusCode: 200, httpVersion: nil, headerFields: fields))
        return CachedURLResponse(response: answer, data: Data("abc".utf8))
    }

    private func session(
        delegate: (any URLSessionDelegate)? = nil, fields: [String: String] = ["Cache-Control": "max-age=600"],
        cache: URLCache = URLCache(memoryCapacity: 1 << 20, diskCapacity: 0, directory: nil)
    ) throws -> URLSession {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.urlCache = cache
        cache.storeCachedResponse(try Self.answer(fields), for: URLRequest(url: Sample.url))
        let session = world.makeSession(delegate: delegate, configuration: configuration)
        _ = world.engine.takeInputs()
        return session
    }

    private func resumed(_ session: URLSession) -> URLSessionDataTask {
        let task = session.dataTask(with: Sample.url)
        task.resume()
        return task
    }

    private static let whole = [
        "s didReceive response 200", "s didReceive data 3", "s didFinishCollecting 1, state running",
        "s didComplete no error, state completed",
    ]

    @Test func `a delegate is told in one job, and the engine hears nothing`() throws {
        let task = resumed(try session(delegate: world.spy("s")))
        #expect(world.queue.count == 1)
        world.queue.runAll()
        #expect(world.journal.take().suffix(4) == Self.whole)
        #expect(world.engine.takeWords().isEmpty && !world.engine.isOwedWake)
        #expect(task.countOfBytesReceived == 3)
    }

    @Test func `so is one whose answer is on disk, and it is in memory then`() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("at-hand-\(UUID())")
        defer { try? FileManager.default.removeItem(at: folder) }
        let cache = URLCache(memoryCapacity: 1 << 20, diskCapacity: 0, directory: nil)
        let session = try session(delegate: world.spy("s"), cache: cache)
        cache.keep(
            in: CacheFolder(path: folder.path, capacity: 1 << 20, readsIndexBehind: false, waitsAtHand: true),
            writer: SerialExecutor())
        cache.storeCachedResponse(try Self.answer(["Cache-Control": "max-age=600"]), for: URLRequest(url: Sample.url))
        #expect(cache.currentDiskUsage == 4096)
        cache.memoryCapacity = 0
        cache.memoryCapacity = 1 << 20
        _ = world.engine.takeInputs()
        _ = resumed(session)
        #expect(cache.currentMemoryUsage == 0)
        world.queue.runAll()
        #expect(world.journal.take().suffix(4) == Self.whole)
        #expect(world.engine.takeWords().allSatisfy { !$0.hasPrefix("start") })
        #expect(cache.currentMemoryUsage > 0)
    }

    @Test func `an async caller without a delegate has it before anything else runs`() async throws {
        let session = try session()
        let (data, response) = try await session.data(from: Sample.url)
        #expect(data == Data("abc".utf8) && (response as? HTTPURLResponse)?.statusCode == 200)
        #expect(world.queue.count == 0 && world.engine.takeWords().isEmpty)
    }

    @Test func `what has to be asked about goes to the engine`() throws {
        _ = resumed(try session(fields: ["Cache-Control": "no-cache", "ETag": "\"1\""]))
        #expect(world.engine.takeWords() == ["start 1"] && world.queue.count == 0)
    }

    @Test func `a task for which nothing is kept need not be looked up again`() throws {
        let task = try session().dataTask(with: Sample.url.appendingPathComponent("other"))
        task.resume()
        #expect(world.engine.takePlans().map(\.lookup) == [.nothing])
    }

    @Test func `a task that is cancelled before it is told is the engine's`() throws {
        let task = resumed(try session(delegate: world.spy("s")))
        _ = world.journal.take()
        task.cancel()
        #expect(world.engine.takeWords() == ["start 1", "cancel 1"])
        world.queue.runAll()
        #expect(world.journal.take().isEmpty)
    }

    @Test(arguments: [false, true])
    func `so is one whose session is invalidated`(cancelling: Bool) throws {
        let session = try session(delegate: world.spy("s"))
        _ = resumed(session)
        _ = world.journal.take()
        if cancelling { session.invalidateAndCancel() } else { session.finishTasksAndInvalidate() }
        #expect(world.engine.takeWords() == ["start 1", cancelling ? "invalidate, cancelling" : "invalidate"])
        world.queue.runAll()
        #expect(world.journal.take().isEmpty)
    }

    @Test func `a delegate that says no has said so to the engine, too, and is not asked again`() throws {
        let spy = SpyDelegate("s", world.journal, SpyDelegate.Answers(response: .cancel))
        let task = resumed(try session(delegate: spy))
        world.queue.runAll()
        #expect(world.journal.take().last == "s didReceive response 200")
        let plans = world.engine.takePlans()
        guard case .answer(let kept)? = plans.first?.lookup else { throw Missing() }
        #expect(plans.count == 1 && kept.status == 200)
        world.ask(task, 1, .response(Sample.ok))
        world.queue.runAll()
        #expect(world.journal.take().isEmpty)
        #expect(world.engine.takeWords() == ["answer 1 deny"])
    }

    private final class TwiceCache: URLCache, @unchecked Sendable {
        override func getCachedResponse(
            for dataTask: URLSessionDataTask, completionHandler: @escaping @Sendable (CachedURLResponse?) -> Void
        ) {
            completionHandler(cachedResponse(for: URLRequest(url: Sample.url)))
            completionHandler(nil)
        }
    }

    @Test func `a cache of the caller's that answers twice has answered once`() throws {
        let task = resumed(try session(cache: TwiceCache()))
        _ = world.engine.takeWords()
        world.ask(task, 1, .kept(try #require(URLReference(Sample.url.absoluteString).flatMap { CacheKey($0) })))
        world.queue.runAll()
        #expect(world.engine.takeWords() == ["?"])
        #expect(task.shared.withLock { $0.offered.count } == 1)
    }

    private struct Missing: Error {}
}
