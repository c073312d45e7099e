import Dispatch
import Glibc
import Locks
import TestSupport
import Testing

@testable import ClientEngine

@Suite(.endsInTime) struct BlockingThreadsTests {
    /// Runs so many jobs, each of which waits until all that can run at once do, and says how many that were.
    private func mostAtOnce(_ jobs: Int, limit: Int) async -> Int {
        let threads = BlockingThreads(limit: limit, patience: .seconds(0))
        let (stream, continuation) = AsyncStream.makeStream(of: Void.self)
        let inside = Lock((now: 0, most: 0))
        let gate = DispatchSemaphore(value: 0)
        for _ in 0..<jobs {
            threads.submit {
                let isFull = inside.withLock { inside in
                    inside.now += 1
                    inside.most = max(inside.most, inside.now)
                    return inside.now == min(jobs, limit)
                }
                if isFull { for _ in 0..<jobs { gate.signal() } }
                gate.wait()
                inside.withLock { $0.now -= 1 }
                continuation.yield()
            }
        }
        var ended = 0
        for await _ in stream {
            ended += 1
            if ended == jobs { break }
        }
        return inside.withLock { $0.most }
    }

    @Test(arguments: [(1, 64), (64, 64), (100, 64), (3, 1)])
    func `as many run at once as are stuck, and no more than allowed`(jobs: Int, limit: Int) async {
        #expect(await mostAtOnce(jobs, limit: limit) == min(jobs, limit))
    }

    @Test(arguments: [DispatchTimeInterval.seconds(10), .never, .seconds(0)])
    func `one job after another is done, by idle threads or new ones`(patience: DispatchTimeInterval) async {
        let threads = BlockingThreads(limit: 2, patience: patience)
        for _ in 0..<500 {
            await withCheckedContinuation { continuation in threads.submit { continuation.resume() } }
        }
    }

    @Test func `threads that are idle for long enough end, and all goes with them`() async {
        var threads: BlockingThreads? = BlockingThreads(limit: 4, patience: .milliseconds(1))
        weak let pool = threads
        for _ in 0..<4 {
            await withCheckedContinuation { continuation in threads?.submit { continuation.resume() } }
        }
        threads = nil
        while pool != nil { await Task.yield() }
    }

    @Test func `a thread that is idle is used again`() async {
        let threads = BlockingThreads(limit: 1, patience: .never)
        var seen: Set<UInt> = []
        for _ in 0..<20 {
            let thread = await withCheckedContinuation { continuation in
                threads.submit { continuation.resume(returning: UInt(pthread_self())) }
            }
            seen.insert(thread)
        }
        #expect(seen.count == 1)
    }
}
