import ClientMachines
import Foundation
import HTTPBasics
import Locks
import NIOCore
import Testing

@testable import SessionNetworking

@Suite struct UnmadeChangesTests {
    /// The changes of a cache: what changes them can be expected of an object.
    private final class Play {
        private var changes = UnmadeChanges()

        var isEmpty: Bool { changes.isEmpty }
        func add(_ change: DiskChange) -> Bool { changes.add(change) }
        func mustSchedule() -> Bool { changes.mustSchedule() }
        func next() -> DiskChange? { changes.next() }
        func wait(_ job: @escaping @Sendable () -> Void) -> Bool { changes.wait(job) }
        func concern(_ key: CacheKey) -> Bool { changes.concern(key) }
        func version(of key: CacheKey) -> UInt64 { changes.version(of: key) }
        func make(_ change: DiskChange) { for job in changes.isMade(change) { job() } }
    }

    private static func key(_ path: String) throws -> CacheKey {
        try #require(URLReference("http://a.test/\(path)").flatMap { CacheKey($0) })
    }

    private static func head() -> KeptHead {
        let time = UnixTime(seconds: 0)
        return KeptHead(
            StoredResponse(status: 200, fields: Fields(), asked: time, received: time), url: "http://a.test/")
    }

    private static func keep(_ key: CacheKey, bytes: Int = 1) -> DiskChange {
        .keep(head(), Data(count: bytes), for: key)
    }

    @Test func `changes come out in their order, and the writer is called once`() throws {
        let changes = Play()
        let a = try Self.key("a"), b = try Self.key("b")
        #expect(!changes.mustSchedule())
        #expect(changes.add(Self.keep(a)) && changes.add(.forget(b)))
        #expect(changes.mustSchedule() && !changes.mustSchedule())
        let first = try #require(changes.next())
        #expect(first.key == a && changes.concern(a))
        changes.make(first)
        #expect(!changes.concern(a) && changes.concern(b) && !changes.isEmpty)
        let second = try #require(changes.next())
        #expect(second.key == b)
        changes.make(second)
        #expect(changes.isEmpty && changes.next() == nil)
        #expect(changes.add(.forgetAll) && changes.mustSchedule())
        #expect(changes.concern(a) && changes.concern(b))
    }

    @Test func `who waits comes behind what was added before, and not behind what comes later`() throws {
        let turns = Lock<[Int]>([])
        let changes = Play()
        #expect(!changes.wait {})
        for number in 0..<3 {
            let key = try Self.key("\(number)")
            #expect(changes.add(.forget(key)))
            #expect(changes.wait { turns.withLock { $0.append(number) } })
        }
        for number in 0..<3 {
            changes.make(try #require(changes.next()))
            #expect(turns.withLock { $0 } == Array(0...number))
        }
    }

    @Test func `what does not fit is forgotten, and a body whose piece does not fit is refused`() throws {
        let changes = Play()
        let a = try Self.key("a"), b = try Self.key("b")
        #expect(changes.add(Self.keep(a, bytes: UnmadeChanges.mostBytes)))
        #expect(changes.add(Self.keep(b)))
        let body = StreamedBody(Self.head(), for: b)
        #expect(!changes.add(.append(body, ByteBuffer(bytes: [1]))))
        changes.make(try #require(changes.next()))
        guard case .forgetVariant(_, b)? = changes.next() else {
            Issue.record("not forgotten")
            return
        }
        #expect(changes.add(.append(body, ByteBuffer(bytes: [1]))))
    }

    @Test func `where changes pile up, all is forgotten, and nobody waits in vain`() throws {
        let turns = Lock(0)
        let changes = Play()
        let key = try Self.key("a")
        for _ in 0..<UnmadeChanges.mostChanges { #expect(changes.add(.forget(key))) }
        #expect(changes.wait { turns.withLock { $0 += 1 } })
        let body = StreamedBody(Self.head(), for: key)
        #expect(!changes.add(.append(body, ByteBuffer(bytes: [1]))))
        #expect(changes.add(Self.keep(key)))
        #expect(turns.withLock { $0 } == 0)
        guard let first = changes.next(), case .forgetAll = first else {
            Issue.record("not all is forgotten")
            return
        }
        changes.make(first)
        #expect(turns.withLock { $0 } == 1)
        #expect(changes.next()?.key == key)
    }

    @Test func `a key has another version after each change of its answers`() throws {
        let changes = Play()
        let key = try Self.key("a"), before = changes.version(of: key)
        #expect(changes.add(.abandon(StreamedBody(Self.head(), for: key))))
        #expect(changes.version(of: key) == before)
        #expect(changes.add(.forget(key)))
        let then = changes.version(of: key)
        #expect(then != before)
        #expect(changes.add(.forgetAll))
        #expect(changes.version(of: key) != then)
    }
}
