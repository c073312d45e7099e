import HTTPBasics
import TestSupport
import Testing

@testable import ClientMachines

/// Who gets which connection.
@Suite struct ConnectionPoolTests {
    private static let origin = Origin(scheme: "http", host: "a", port: 80)
    private static let other = Origin(scheme: "http", host: "b", port: 80)
    private static let start = Instant.zero

    private func makePool(limit: Int = 2) -> ConnectionPool {
        ConnectionPool(limit: limit, idleTimeout: .seconds(60))
    }

    @Test func `up to the limit connections are dialled, then tasks wait`() {
        var pool = makePool()
        #expect(pool.request(TaskID(1), origin: Self.origin, fresh: false) == .dial)
        #expect(pool.request(TaskID(2), origin: Self.origin, fresh: false) == .dial)
        #expect(pool.request(TaskID(3), origin: Self.origin, fresh: false) == .wait)
        // The limit is per origin.
        #expect(pool.request(TaskID(4), origin: Self.other, fresh: false) == .dial)
    }

    @Test(arguments: [0, -1, 1]) func `the limit is at least one`(limit: Int) {
        var pool = makePool(limit: limit)
        #expect(pool.request(TaskID(1), origin: Self.origin, fresh: false) == .dial)
        #expect(pool.request(TaskID(2), origin: Self.origin, fresh: false) == .wait)
    }

    @Test func `who waits is served in order`() {
        var pool = makePool(limit: 1)
        _ = pool.request(TaskID(1), origin: Self.origin, fresh: false)
        for task in 2...4 { _ = pool.request(TaskID(task), origin: Self.origin, fresh: false) }
        let first = pool.released(ConnectionID(1), origin: Self.origin, at: Self.start)
        #expect(first == .init(task: TaskID(2), grant: .reuse(ConnectionID(1))))
        let second = pool.closed(ConnectionID(1), origin: Self.origin)
        #expect(second == .init(task: TaskID(3), grant: .dial))
        let third = pool.released(ConnectionID(2), origin: Self.origin, at: Self.start)
        #expect(third == .init(task: TaskID(4), grant: .reuse(ConnectionID(2))))
    }

    @Test func `the connection used last is used first`() {
        var pool = makePool(limit: 3)
        for task in 1...3 { _ = pool.request(TaskID(task), origin: Self.origin, fresh: false) }
        for connection in 1...3 {
            #expect(pool.released(ConnectionID(connection), origin: Self.origin, at: Self.start) == nil)
        }
        #expect(pool.request(TaskID(4), origin: Self.origin, fresh: false) == .reuse(ConnectionID(3)))
        #expect(pool.request(TaskID(5), origin: Self.origin, fresh: false) == .reuse(ConnectionID(2)))
        #expect(pool.request(TaskID(6), origin: Self.other, fresh: false) == .dial)
    }

    @Test func `a fresh connection is dialled beside idle ones, or replaces the oldest of them`() {
        var pool = makePool()
        for task in 1...2 { _ = pool.request(TaskID(task), origin: Self.origin, fresh: false) }
        _ = pool.released(ConnectionID(1), origin: Self.origin, at: Self.start)
        _ = pool.released(ConnectionID(2), origin: Self.origin, at: Self.start)
        #expect(pool.request(TaskID(3), origin: Self.origin, fresh: true) == .replace(ConnectionID(1)))
        _ = pool.closed(ConnectionID(2), origin: Self.origin)
        #expect(pool.request(TaskID(4), origin: Self.origin, fresh: true) == .dial)
    }

    @Test func `whoever waits for a fresh connection replaces the one that comes free`() {
        var pool = makePool(limit: 1)
        _ = pool.request(TaskID(1), origin: Self.origin, fresh: false)
        #expect(pool.request(TaskID(2), origin: Self.origin, fresh: true) == .wait)
        let turn = pool.released(ConnectionID(1), origin: Self.origin, at: Self.start)
        #expect(turn == .init(task: TaskID(2), grant: .replace(ConnectionID(1))))
    }

    @Test func `a task that has left the queue is passed over`() {
        var pool = makePool(limit: 1)
        for task in 1...3 { _ = pool.request(TaskID(task), origin: Self.origin, fresh: false) }
        pool.withdraw(TaskID(2), origin: Self.origin)
        #expect(pool.closed(ConnectionID(1), origin: Self.origin)?.task == TaskID(3))
        #expect(pool.closed(ConnectionID(2), origin: Self.origin) == nil)
    }

    @Test func `after withdrawing all nobody waits`() {
        var pool = makePool(limit: 1)
        for task in 1...3 {
            _ = pool.request(TaskID(task), origin: Self.origin, fresh: false)
            _ = pool.request(TaskID(task + 10), origin: Self.other, fresh: false)
        }
        pool.withdrawAll()
        #expect(pool.closed(ConnectionID(1), origin: Self.origin) == nil)
        #expect(pool.closed(ConnectionID(2), origin: Self.other) == nil)
    }

    @Test func `idle connections run out one by one, busy ones never`() {
        var pool = makePool(limit: 3)
        for task in 1...3 { _ = pool.request(TaskID(task), origin: Self.origin, fresh: false) }
        #expect(pool.deadline == nil)
        _ = pool.released(ConnectionID(1), origin: Self.origin, at: Self.start)
        _ = pool.released(ConnectionID(2), origin: Self.origin, at: Self.start + .seconds(10))
        #expect(pool.deadline == Self.start + .seconds(60))
        // Used again meanwhile: its old expiry counts no more.
        #expect(pool.request(TaskID(4), origin: Self.origin, fresh: false) == .reuse(ConnectionID(2)))
        #expect(pool.expired(at: Self.start + .milliseconds(59_999)).isEmpty)
        #expect(pool.expired(at: Self.start + .seconds(60)) == [ConnectionID(1)])
        #expect(pool.deadline == nil)
        _ = pool.released(ConnectionID(2), origin: Self.origin, at: Self.start + .seconds(61))
        #expect(pool.deadline == Self.start + .seconds(121))
        _ = pool.closed(ConnectionID(2), origin: Self.origin)
        #expect(pool.deadline == nil)
    }

    /// A small model beside the pool: who is dialled or busy, who is idle, who waits.
    @Test(arguments: 1...20 as ClosedRange<UInt64>)
    func `under any order of events no origin has more connections than the limit, and nobody starves`(
        seed: UInt64
    ) throws {
        var walk = PoolWalk(seed: seed, limit: 3)
        for _ in 0..<2000 { try walk.step() }
        try walk.settle()
    }
}

/// A seeded random walk over one origin's connections, with what must always hold.
private struct PoolWalk {
    struct Violation: Error { let what: String }

    private static let origin = Origin(scheme: "http", host: "a", port: 80)
    private let limit: Int
    private var pool: ConnectionPool
    private var random: SeededGenerator
    private var now = Instant.zero
    private var busy: [ConnectionID: TaskID] = [:]
    private var idle: [ConnectionID] = []
    private var waiting: [TaskID] = []
    private var lastTask = 0
    private var lastConnection = 0

    init(seed: UInt64, limit: Int) {
        self.limit = limit
        random = SeededGenerator(seed: seed)
        pool = ConnectionPool(limit: limit, idleTimeout: .seconds(5))
    }

    mutating func step() throws {
        now = now + .milliseconds(Int.random(in: 0...1000, using: &random))
        switch Int.random(in: 0..<7, using: &random) {
        case 0, 1: try request()
        case 2, 3: try release()
        case 4: try close(isIdle: Bool.random(using: &random))
        case 5: withdraw()
        default: try expire()
        }
        guard busy.count + idle.count <= limit else { throw Violation(what: "limit: \(busy) \(idle)") }
        guard waiting.isEmpty || busy.count + idle.count == limit else { throw Violation(what: "starving") }
        guard idle.isEmpty || waiting.isEmpty else { throw Violation(what: "waiting beside idle connections") }
    }

    /// Ends every exchange: the queue must empty.
    mutating func settle() throws {
        while !busy.isEmpty { try release() }
        guard waiting.isEmpty else { throw Violation(what: "left waiting: \(waiting)") }
    }

    private mutating func request() throws {
        lastTask += 1
        let task = TaskID(lastTask)
        let grant = pool.request(task, origin: Self.origin, fresh: Int.random(in: 0..<4, using: &random) == 0)
        if grant == .wait { waiting.append(task) } else { try carryOut(grant, task) }
    }

    private mutating func carryOut(_ grant: ConnectionPool.Grant, _ task: TaskID) throws {
        switch grant {
        case .wait: throw Violation(what: "a turn that waits")
        case .reuse(let connection):
            guard idle.last == connection else { throw Violation(what: "not the one used last") }
            idle.removeLast()
            busy[connection] = task
        case .replace(let connection):
            guard idle.first == connection else { throw Violation(what: "not the oldest") }
            idle.removeFirst()
            dial(task)
        case .dial: dial(task)
        }
    }

    private mutating func dial(_ task: TaskID) {
        lastConnection += 1
        busy[ConnectionID(lastConnection)] = task
    }

    private mutating func take(_ turn: ConnectionPool.Turn?) throws {
        guard let turn else { return }
        guard turn.task == waiting.first else { throw Violation(what: "\(turn.task) before its turn") }
        waiting.removeFirst()
        try carryOut(turn.grant, turn.task)
    }

    private mutating func release() throws {
        guard let connection = busy.keys.sorted().randomElement(using: &random) else { return }
        busy[connection] = nil
        idle.append(connection)
        try take(pool.released(connection, origin: Self.origin, at: now))
    }

    private mutating func close(isIdle: Bool) throws {
        let choice = isIdle ? idle : busy.keys.sorted()
        guard let connection = choice.randomElement(using: &random) else { return }
        busy[connection] = nil
        idle.removeAll { $0 == connection }
        try take(pool.closed(connection, origin: Self.origin))
    }

    private mutating func withdraw() {
        guard let task = waiting.randomElement(using: &random) else { return }
        waiting.removeAll { $0 == task }
        pool.withdraw(task, origin: Self.origin)
    }

    private mutating func expire() throws {
        for connection in pool.expired(at: now) {
            guard idle.contains(connection) else { throw Violation(what: "\(connection) expired while busy") }
            idle.removeAll { $0 == connection }
            try take(pool.closed(connection, origin: Self.origin))
        }
        if let deadline = pool.deadline, deadline <= now { throw Violation(what: "an expiry was left over") }
    }
}
