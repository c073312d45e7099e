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
        ConnectionPool(limit: limit, patience: .init())
    }

    private func release(
        _ connection: Int, to pool: inout ConnectionPool, heard: Int = 0, at now: Instant = start, hint: Duration? = nil
    ) {
        let isKept = pool.released(
            ConnectionID(connection), origin: Self.origin, heard: heard, last: now, at: now, hint: hint)
        #expect(isKept)
    }

    @Test func `up to the limit connections are dialled, then tasks wait`() {
        var pool = makePool()
        #expect(pool.request(TaskID(1), origin: Self.origin, .any, at: Self.start) == .dial)
        #expect(pool.request(TaskID(2), origin: Self.origin, .any, at: Self.start) == .dial)
        #expect(pool.request(TaskID(3), origin: Self.origin, .any, at: Self.start) == .wait)
        // The limit is per origin.
        #expect(pool.request(TaskID(4), origin: Self.other, .any, at: Self.start) == .dial)
    }

    @Test(arguments: [0, -1, 1]) func `the limit is at least one`(limit: Int) {
        var pool = makePool(limit: limit)
        #expect(pool.request(TaskID(1), origin: Self.origin, .any, at: Self.start) == .dial)
        #expect(pool.request(TaskID(2), origin: Self.origin, .any, at: Self.start) == .wait)
    }

    @Test func `who waits is served in order`() {
        var pool = makePool(limit: 1)
        _ = pool.request(TaskID(1), origin: Self.origin, .any, at: Self.start)
        for task in 2...4 { _ = pool.request(TaskID(task), origin: Self.origin, .any, at: Self.start) }
        release(1, to: &pool)
        #expect(pool.nextTurn(at: Self.start) == turn(2, .reuse(ConnectionID(1))))
        pool.closed(ConnectionID(1), origin: Self.origin)
        #expect(pool.nextTurn(at: Self.start) == turn(3, .dial))
        release(2, to: &pool)
        #expect(pool.nextTurn(at: Self.start) == turn(4, .reuse(ConnectionID(2))))
        #expect(pool.nextTurn(at: Self.start) == nil)
    }

    private func turn(_ task: Int, _ grant: ConnectionPool.Grant) -> ConnectionPool.Turn {
        ConnectionPool.Turn(task: TaskID(task), origin: Self.origin, grant: grant)
    }

    // BEHAVIOUR 2.F4-last
    @Test func `the connection heard last is used first, whenever it came back`() {
        var pool = makePool(limit: 3)
        for task in 1...3 { _ = pool.request(TaskID(task), origin: Self.origin, .any, at: Self.start) }
        for (connection, heard) in [(1, 5), (3, 7), (2, 6)] {
            release(connection, to: &pool, heard: heard)
        }
        #expect(pool.request(TaskID(4), origin: Self.origin, .any, at: Self.start) == .reuse(ConnectionID(3)))
        #expect(pool.request(TaskID(5), origin: Self.origin, .any, at: Self.start) == .reuse(ConnectionID(2)))
        #expect(pool.request(TaskID(6), origin: Self.other, .any, at: Self.start) == .dial)
    }

    @Test func `a fresh connection is dialled beside idle ones`() {
        var pool = makePool()
        for task in 1...2 { _ = pool.request(TaskID(task), origin: Self.origin, .any, at: Self.start) }
        release(1, to: &pool)
        pool.closed(ConnectionID(2), origin: Self.origin)
        #expect(pool.request(TaskID(2), origin: Self.origin, .fresh, at: Self.start) == .dial)
    }

    /// It would wait for the idle connection to run out otherwise, and perhaps for ever (BEHAVIOUR 1.E1).
    @Test func `a fresh connection takes the place of an idle one that nobody else wants`() {
        var pool = makePool(limit: 2)
        for task in 1...2 { _ = pool.request(TaskID(task), origin: Self.origin, .any, at: Self.start) }
        for number in 1...2 { release(number, to: &pool) }
        #expect(pool.request(TaskID(3), origin: Self.origin, .fresh, at: Self.start) == .replace(ConnectionID(1)))
        #expect(pool.request(TaskID(4), origin: Self.origin, .any, at: Self.start) == .reuse(ConnectionID(2)))
        #expect(pool.request(TaskID(5), origin: Self.origin, .any, at: Self.start) == .wait)
        #expect(pool.expired(at: Self.start + .seconds(3600)).isEmpty)
    }

    @Test func `who waits for a fresh connection is not given a used one`() {
        var pool = makePool(limit: 1)
        _ = pool.request(TaskID(1), origin: Self.origin, .any, at: Self.start)
        #expect(pool.request(TaskID(2), origin: Self.origin, .fresh, at: Self.start) == .wait)
        release(1, to: &pool)
        #expect(
            pool.nextTurn(at: Self.start)
                == ConnectionPool.Turn(task: TaskID(2), origin: Self.origin, grant: .replace(ConnectionID(1))))
    }

    @Test(arguments: [true, false])
    func `whoever gives up a place and wants one at once gets it before those that wait`(isLost: Bool) {
        var pool = makePool(limit: 1)
        for task in 1...2 { _ = pool.request(TaskID(task), origin: Self.origin, .any, at: Self.start) }
        if isLost {
            pool.closed(ConnectionID(1), origin: Self.origin)
        } else {
            release(1, to: &pool)
        }
        let grant = pool.request(TaskID(1), origin: Self.origin, isLost ? .fresh : .any, at: Self.start)
        #expect(grant == (isLost ? .dial : .reuse(ConnectionID(1))))
        #expect(pool.nextTurn(at: Self.start) == nil)
    }

    @Test func `a task that has left the queue is passed over`() {
        var pool = makePool(limit: 1)
        for task in 1...3 { _ = pool.request(TaskID(task), origin: Self.origin, .any, at: Self.start) }
        pool.withdraw(TaskID(2), origin: Self.origin)
        pool.closed(ConnectionID(1), origin: Self.origin)
        #expect(pool.nextTurn(at: Self.start)?.task == TaskID(3))
        pool.closed(ConnectionID(2), origin: Self.origin)
        #expect(pool.nextTurn(at: Self.start) == nil)
    }

    // BEHAVIOUR 2.F4-idle
    @Test func `of too many unused connections the one goes whose time is up first`() {
        var pool = ConnectionPool(limit: 6, mostIdle: 2, patience: .init())
        for task in 1...3 { _ = pool.request(TaskID(task), origin: Self.origin, .any, at: Self.start) }
        release(1, to: &pool)
        release(2, to: &pool, hint: .seconds(5))
        #expect(pool.surplus(besides: ConnectionID(2)) == nil)
        release(3, to: &pool)
        #expect(pool.surplus(besides: ConnectionID(3)) == ConnectionID(2))
        pool.closed(ConnectionID(2), origin: Self.origin)
        #expect(pool.surplus(besides: ConnectionID(3)) == nil)
        // One in use is none.
        #expect(pool.request(TaskID(4), origin: Self.origin, .any, at: Self.start) == .reuse(ConnectionID(3)))
        #expect(pool.surplus(besides: ConnectionID(3)) == nil)
    }

    // BEHAVIOUR 2.F4-idle
    @Test func `the connection that was used last is none too many, however short its time`() {
        var pool = ConnectionPool(limit: 6, mostIdle: 2, patience: .init())
        for task in 1...3 { _ = pool.request(TaskID(task), origin: Self.origin, .any, at: Self.start) }
        for connection in 1...2 { release(connection, to: &pool) }
        release(3, to: &pool, hint: .seconds(5))
        #expect(pool.surplus(besides: ConnectionID(3)) == ConnectionID(1))
        pool.closed(ConnectionID(1), origin: Self.origin)
        #expect(pool.deadline == Self.start + .seconds(4))
        #expect(pool.request(TaskID(4), origin: Self.origin, .any, at: Self.start) == .reuse(ConnectionID(3)))
    }

    @Test(.timeLimit(.minutes(1)))
    func `many hosts whose places nobody waits for cost one look each`() {
        var pool = makePool(limit: 1)
        let origins = (0..<20_000).map { Origin(scheme: "http", host: "h\($0)", port: 80) }
        for (task, origin) in origins.enumerated() {
            _ = pool.request(TaskID(2 * task), origin: origin, .any, at: Self.start)
            _ = pool.request(TaskID(2 * task + 1), origin: origin, .any, at: Self.start)
        }
        for origin in origins { pool.dialFailed(origin: origin) }
        for (task, origin) in origins.enumerated() {
            pool.withdraw(TaskID(2 * task + 1), origin: origin)
            #expect(pool.hasNextTurn() == (task + 1 < origins.count))
        }
        #expect(pool.hostCount == 0)
    }

    @Test func `nothing is kept of a host whose dials failed and whose tasks have left`() {
        var pool = makePool(limit: 1)
        for task in 1...2 { _ = pool.request(TaskID(task), origin: Self.origin, .any, at: Self.start) }
        pool.dialFailed(origin: Self.origin)
        pool.withdraw(TaskID(2), origin: Self.origin)
        #expect(pool.nextTurn(at: Self.start) == nil)
        #expect(pool.hostCount == 0)
    }

    @Test func `idle connections run out one by one, busy ones never`() {
        var pool = makePool(limit: 3)
        for task in 1...3 { _ = pool.request(TaskID(task), origin: Self.origin, .any, at: Self.start) }
        #expect(pool.deadline == nil)
        release(1, to: &pool)
        release(2, to: &pool, at: Self.start + .seconds(10))
        #expect(pool.deadline == Self.start + .seconds(60))
        // Used again meanwhile: its old expiry counts no more.
        #expect(pool.request(TaskID(4), origin: Self.origin, .any, at: Self.start) == .reuse(ConnectionID(2)))
        #expect(pool.expired(at: Self.start + .milliseconds(59_999)).isEmpty)
        #expect(pool.expired(at: Self.start + .seconds(60)) == [ConnectionID(1)])
        #expect(pool.deadline == nil)
        release(2, to: &pool, at: Self.start + .seconds(61))
        #expect(pool.deadline == Self.start + .seconds(121))
        pool.closed(ConnectionID(2), origin: Self.origin)
        #expect(pool.deadline == nil)
    }

    /// BEHAVIOUR 2.F5-hint.
    @Test func `a server's hint shortens the time and never makes it longer`() {
        var pool = makePool(limit: 3)
        for task in 1...3 { _ = pool.request(TaskID(task), origin: Self.origin, .any, at: Self.start) }
        release(1, to: &pool)
        release(2, to: &pool, hint: .seconds(5))
        release(3, to: &pool, hint: .seconds(Int64.max))
        #expect(pool.deadline == Self.start + .seconds(4))
        #expect(pool.expired(at: Self.start + .seconds(4)) == [ConnectionID(2)])
        #expect(pool.expired(at: Self.start + .seconds(60)) == [ConnectionID(1), ConnectionID(3)])
    }

    /// A second less than it says, or half of it (BEHAVIOUR 2.F5-hint).
    @Test(arguments: [(1, 500), (2, 1000), (3, 2000), (5, 4000), (61, 60_000), (62, 60_000), (Int64.max, 60_000)])
    func `a hint is used with a margin`(seconds: Int64, kept: Int) {
        var pool = makePool()
        _ = pool.request(TaskID(1), origin: Self.origin, .any, at: Self.start)
        release(1, to: &pool, hint: .seconds(seconds))
        #expect(pool.deadline == Self.start + .milliseconds(kept))
    }

    /// Its server counts from its last byte, however long the user took to answer a question after it.
    @Test(arguments: [(0, 0, false), (1, 499, true), (1, 500, false), (5, 3999, true), (5, 4000, false)])
    func `a connection whose time is over is not taken back`(seconds: Int64, silence: Int, isKept: Bool) {
        var pool = makePool()
        _ = pool.request(TaskID(1), origin: Self.origin, .any, at: Self.start)
        let answer = pool.released(
            ConnectionID(1), origin: Self.origin, heard: 0, last: Self.start, at: Self.start + .milliseconds(silence),
            hint: .seconds(seconds))
        #expect(answer == isKept)
        #expect((pool.deadline != nil) == isKept)
    }

    /// BEHAVIOUR 1.E1-young: how long it was silent, what its server promised, who asks.
    @Test(arguments: [
        (100, nil, ConnectionNeed.young, ConnectionPool.Grant.reuse(ConnectionID(1))),
        (101, nil, .young, .look(ConnectionID(1))), (4000, nil, .young, .look(ConnectionID(1))),
        (4001, nil, .young, .dial), (4001, 60, .young, .look(ConnectionID(1))),
        (59_999, nil, .any, .reuse(ConnectionID(1))),
        (0, nil, .fresh, .dial),
    ])
    func `what may not be sent twice goes out on a young connection`(
        silence: Int, hint: Int64?, need: ConnectionNeed, grant: ConnectionPool.Grant
    ) {
        var pool = makePool()
        _ = pool.request(TaskID(1), origin: Self.origin, .any, at: Self.start)
        release(1, to: &pool, hint: hint.map { .seconds($0) })
        let now = Self.start + .milliseconds(silence)
        #expect(pool.request(TaskID(2), origin: Self.origin, need, at: now) == grant)
    }

    @Test func `an old connection makes room for a young one`() {
        var pool = makePool(limit: 1)
        _ = pool.request(TaskID(1), origin: Self.origin, .any, at: Self.start)
        release(1, to: &pool)
        let grant = pool.request(TaskID(2), origin: Self.origin, .young, at: Self.start + .seconds(5))
        #expect(grant == .replace(ConnectionID(1)))
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
    private var heard: [ConnectionID: Int] = [:]
    private var waiting: [TaskID] = []
    /// Those that want a connection that was never used.
    private var choosy: Set<TaskID> = []
    private var lastTask = 0
    private var lastConnection = 0

    init(seed: UInt64, limit: Int) {
        self.limit = limit
        random = SeededGenerator(seed: seed)
        pool = ConnectionPool(limit: limit, patience: .init(idle: .seconds(5)))
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
        let fresh = Int.random(in: 0..<4, using: &random) == 0
        if fresh { choosy.insert(task) }
        let grant = pool.request(task, origin: Self.origin, fresh ? .fresh : .any, at: now)
        if grant == .wait { waiting.append(task) } else { try carryOut(grant, task) }
    }

    private mutating func carryOut(_ grant: ConnectionPool.Grant, _ task: TaskID) throws {
        switch grant {
        case .wait: throw Violation(what: "a turn that waits")
        case .look: throw Violation(what: "nobody is so particular")
        case .reuse(let connection):
            guard idle.last == connection else { throw Violation(what: "not the one heard last") }
            guard !choosy.contains(task) else { throw Violation(what: "a used connection for a second attempt") }
            idle.removeLast()
            busy[connection] = task
        case .dial: dial(task)
        case .replace(let connection):
            guard idle.first == connection else { throw Violation(what: "not the one heard first") }
            guard idle.count + busy.count == limit else { throw Violation(what: "replaced without need") }
            idle.removeFirst()
            dial(task)
        }
    }

    private mutating func dial(_ task: TaskID) {
        lastConnection += 1
        busy[ConnectionID(lastConnection)] = task
    }

    private mutating func takeTurns() throws {
        while let turn = pool.nextTurn(at: now) {
            guard turn.task == waiting.first else { throw Violation(what: "\(turn.task) before its turn") }
            waiting.removeFirst()
            try carryOut(turn.grant, turn.task)
        }
    }

    private mutating func release() throws {
        guard let connection = busy.keys.sorted().randomElement(using: &random) else { return }
        busy[connection] = nil
        heard[connection] = Int.random(in: 0..<5, using: &random)
        idle.append(connection)
        idle = (0..<5).flatMap { number in idle.filter { heard[$0] == number } }
        _ = pool.released(connection, origin: Self.origin, heard: heard[connection] ?? 0, last: now, at: now)
        try takeTurns()
    }

    private mutating func close(isIdle: Bool) throws {
        let choice = isIdle ? idle : busy.keys.sorted()
        guard let connection = choice.randomElement(using: &random) else { return }
        busy[connection] = nil
        idle.removeAll { $0 == connection }
        pool.closed(connection, origin: Self.origin)
        // A second attempt, perhaps: it has the place before those that wait, on a connection of its own.
        if !isIdle, Bool.random(using: &random) {
            guard pool.request(TaskID(0), origin: Self.origin, .fresh, at: now) == .dial else {
                throw Violation(what: "a second attempt lost its place")
            }
            dial(TaskID(0))
        }
        try takeTurns()
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
            pool.closed(connection, origin: Self.origin)
            try takeTurns()
        }
        if let deadline = pool.deadline, deadline <= now { throw Violation(what: "an expiry was left over") }
    }
}
