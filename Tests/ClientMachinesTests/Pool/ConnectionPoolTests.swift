import HTTPBasics
import TestSupport
import Testing

@testable import ClientMachines

/// Who gets which connection.
@Suite struct ConnectionPoolTests {
    private static let route = ConnectionRoute(to: Origin(scheme: "http", host: "a", port: 80))
    private static let other = ConnectionRoute(to: Origin(scheme: "http", host: "b", port: 80))
    private static let start = Instant.zero

    private func makePool(limit: Int = 2) -> ConnectionPool {
        ConnectionPool(limit: limit, patience: .init())
    }

    private func release(
        _ connection: Int, to pool: inout ConnectionPool, heard: Int = 0, at now: Instant = start, hint: Duration? = nil
    ) {
        let isKept = pool.offer(
            ConnectionID(connection), Self.route, heard: heard, last: now, at: now, hint: hint)
        #expect(isKept)
    }

    private func request(
        _ task: Int, _ pool: inout ConnectionPool, _ need: ConnectionNeed = .any, to route: ConnectionRoute = route,
        at now: Instant = start
    ) -> ConnectionPool.Grant {
        pool.request(TaskID(task), route, need, at: now)
    }

    /// Tasks that each have a connection of the same number, in a pool that has begun no dial before.
    private func connect(_ tasks: ClosedRange<Int>, _ pool: inout ConnectionPool) {
        for task in tasks {
            #expect(request(task, &pool) == dial(task))
            #expect(pool.opened(DialID(task), Self.route) == TaskID(task))
        }
    }

    // BEHAVIOUR 2.A32
    @Test func `a connection that becomes one user's serves nobody else, and counts among those of its origin`() {
        var pool = makePool(limit: 1)
        let user = ConnectionUser(Credential(user: "ann", password: "s3cret"), .ntlm, isOfProxy: false)
        let own = ConnectionRoute(to: Self.route.origin, user: user)
        connect(1...1, &pool)
        pool.moved(ConnectionID(1), from: Self.route, to: own)
        let isKept = pool.offer(ConnectionID(1), own, heard: 0, last: Self.start, at: Self.start)
        #expect(isKept)
        // Who is nobody gets another one, for which the user's has to go.
        #expect(request(2, &pool) == dial(2, inPlaceOf: 1))
        #expect(pool.opened(DialID(2), Self.route) == TaskID(2))
        #expect(request(3, &pool, to: own) == .wait)
    }

    // BEHAVIOUR 1.A2-mark-route
    @Test func `a connection serves tasks with its mark, and all count among those of their origin`() {
        var pool = makePool(limit: 1)
        let marked = ConnectionRoute(to: Self.route.origin, codePoint: 46)
        connect(1...1, &pool)
        let isKept = pool.offer(ConnectionID(1), Self.route, heard: 0, last: Self.start, at: Self.start)
        #expect(isKept)
        #expect(request(2, &pool, to: marked) == dial(2, to: marked, inPlaceOf: 1))
        #expect(pool.opened(DialID(2), marked) == TaskID(2))
        #expect(request(3, &pool) == .wait)
    }

    @Test func `a user's connection serves that user's next task`() {
        var pool = makePool()
        let own = ConnectionRoute(
            to: Self.route.origin,
            user: ConnectionUser(Credential(user: "ann", password: "s3cret"), .ntlm, isOfProxy: false))
        connect(1...1, &pool)
        pool.moved(ConnectionID(1), from: Self.route, to: own)
        let isKept = pool.offer(ConnectionID(1), own, heard: 0, last: Self.start, at: Self.start)
        #expect(isKept)
        #expect(request(2, &pool, to: own) == .use(ConnectionID(1), by: TaskID(2)))
    }

    private func dial(_ number: Int, to route: ConnectionRoute = route, inPlaceOf closed: Int? = nil)
        -> ConnectionPool.Grant
    {
        .dial(DialID(number), route, inPlaceOf: closed.map { ConnectionID($0) })
    }

    private func use(_ connection: Int, by task: Int) -> ConnectionPool.Grant {
        .use(ConnectionID(connection), by: TaskID(task))
    }

    @Test func `up to the limit connections are dialled, then tasks wait`() {
        var pool = makePool()
        #expect(request(1, &pool) == dial(1))
        #expect(request(2, &pool) == dial(2))
        #expect(request(3, &pool) == .wait)
        // The limit is per origin.
        #expect(request(4, &pool, to: Self.other) == dial(3, to: Self.other))
    }

    @Test(arguments: [0, -1, 1]) func `the limit is at least one`(limit: Int) {
        var pool = makePool(limit: limit)
        #expect(request(1, &pool) == dial(1))
        #expect(request(2, &pool) == .wait)
    }

    @Test func `tasks that wait are served in order`() {
        var pool = makePool(limit: 1)
        connect(1...1, &pool)
        for task in 2...4 { #expect(request(task, &pool) == .wait) }
        release(1, to: &pool)
        #expect(pool.nextTurn(at: Self.start) == use(1, by: 2))
        pool.closed(ConnectionID(1), Self.route)
        #expect(pool.nextTurn(at: Self.start) == dial(2))
        #expect(pool.opened(DialID(2), Self.route) == TaskID(3))
        release(2, to: &pool)
        #expect(pool.nextTurn(at: Self.start) == use(2, by: 4))
        #expect(pool.nextTurn(at: Self.start) == nil)
    }

    // BEHAVIOUR 2.F1-line
    @Test func `the first in line takes the connection that is ready first`() {
        var pool = makePool(limit: 3)
        for task in 1...3 { #expect(request(task, &pool) == dial(task)) }
        #expect(pool.opened(DialID(3), Self.route) == TaskID(1))
        #expect(pool.dial(for: TaskID(2), Self.route) == DialID(1))
        #expect(pool.dial(for: TaskID(3), Self.route) == DialID(2))
        release(1, to: &pool)
        #expect(pool.nextTurn(at: Self.start) == use(1, by: 2))
        #expect(pool.opened(DialID(1), Self.route) == TaskID(3))
        // Its task was served already.
        #expect(pool.task(waitingFor: DialID(2), Self.route) == nil)
        #expect(pool.opened(DialID(2), Self.route) == nil)
    }

    // BEHAVIOUR 2.F1-line
    @Test func `a dial that fails is the failure of the first in line, unless there are dials for all`() {
        var pool = makePool(limit: 3)
        connect(1...1, &pool)
        for task in 2...3 { #expect(request(task, &pool) == dial(task)) }
        #expect(pool.failed(DialID(3), Self.route) == TaskID(2))
        release(1, to: &pool)
        #expect(pool.nextTurn(at: Self.start) == use(1, by: 3))
        #expect(request(4, &pool) == .wait)
        #expect(request(5, &pool) == dial(4))
        release(1, to: &pool)
        #expect(pool.nextTurn(at: Self.start) == use(1, by: 4))
        #expect(pool.failed(DialID(2), Self.route) == nil)
        #expect(pool.failed(DialID(4), Self.route) == TaskID(5))
    }

    // BEHAVIOUR 2.F1-spare
    @Test func `a task takes over the dial that no other one waits for`() {
        var pool = makePool(limit: 2)
        connect(1...1, &pool)
        #expect(request(2, &pool) == dial(2))
        release(1, to: &pool)
        #expect(pool.nextTurn(at: Self.start) == use(1, by: 2))
        #expect(pool.task(waitingFor: DialID(2), Self.route) == nil)
        #expect(request(3, &pool) == .wait)
        #expect(pool.task(waitingFor: DialID(2), Self.route) == TaskID(3))
        #expect(pool.opened(DialID(2), Self.route) == TaskID(3))
    }

    // BEHAVIOUR 2.F11-end
    @Test func `a task that leaves the line leaves its dial to the next, unless there is one too many`() {
        var pool = makePool(limit: 3)
        for task in 1...3 { #expect(request(task, &pool) == dial(task)) }
        #expect(request(4, &pool) == .wait)
        #expect(pool.withdraw(TaskID(2), Self.route) == false)
        let isOneTooMany = pool.withdraw(TaskID(1), Self.route)
        #expect(isOneTooMany)
        pool.ended(DialID(3), Self.route)
        // It does not wait any more.
        #expect(pool.withdraw(TaskID(1), Self.route) == false)
        #expect(pool.opened(DialID(2), Self.route) == TaskID(3))
        #expect(pool.opened(DialID(1), Self.route) == TaskID(4))
    }

    @Test(.timeLimit(.minutes(1))) func `who leaves a long line costs one look`() {
        var pool = makePool(limit: 6)
        for task in 0..<50_000 { _ = request(task, &pool) }
        for task in 6..<25_000 {
            _ = pool.withdraw(TaskID(task), Self.route)
            #expect(pool.nextTurn(at: Self.start) == nil)
        }
        #expect(pool.failed(DialID(1), Self.route) == TaskID(0))
    }

    @Test func `a connection with room for more serves as many as it has room for`() {
        var pool = makePool(limit: 1)
        #expect(request(1, &pool) == dial(1))
        for task in 2...4 { #expect(request(task, &pool, task == 4 ? .fresh : .any) == .wait) }
        #expect(pool.opened(DialID(1), Self.route) == TaskID(1))
        for task in 2...3 {
            _ = pool.offer(ConnectionID(1), Self.route, isIdle: false, heard: 0, last: Self.start, at: Self.start)
            #expect(pool.nextTurn(at: Self.start) == use(1, by: task))
        }
        // Not idle: it neither runs out nor makes room.
        _ = pool.offer(ConnectionID(1), Self.route, isIdle: false, heard: 0, last: Self.start, at: Self.start)
        #expect(pool.nextTurn(at: Self.start) == nil)
        #expect(pool.deadline == nil)
        // However long it was silent, its end would have been heard.
        #expect(request(5, &pool, .young, at: Self.start + .seconds(9)) == use(1, by: 5))
        release(1, to: &pool)
        #expect(pool.nextTurn(at: Self.start) == dial(2, inPlaceOf: 1))
    }

    // BEHAVIOUR 2.F4-last
    @Test func `the connection heard last is used first, whenever it came back`() {
        var pool = makePool(limit: 3)
        connect(1...3, &pool)
        for (connection, heard) in [(1, 5), (3, 7), (2, 6)] {
            release(connection, to: &pool, heard: heard)
        }
        #expect(request(4, &pool) == use(3, by: 4))
        #expect(request(5, &pool) == use(2, by: 5))
        #expect(request(6, &pool, to: Self.other) == dial(4, to: Self.other))
    }

    @Test func `a fresh connection is dialled beside idle ones`() {
        var pool = makePool()
        connect(1...2, &pool)
        release(1, to: &pool)
        pool.closed(ConnectionID(2), Self.route)
        #expect(request(2, &pool, .fresh) == dial(3))
    }

    /// It would wait for the idle connection to run out otherwise, and perhaps for ever (BEHAVIOUR 1.E1).
    @Test func `a fresh connection takes the place of an idle one that nobody else wants`() {
        var pool = makePool(limit: 2)
        connect(1...2, &pool)
        for number in 1...2 { release(number, to: &pool) }
        #expect(request(3, &pool, .fresh) == dial(3, inPlaceOf: 1))
        #expect(request(4, &pool) == use(2, by: 4))
        #expect(request(5, &pool) == .wait)
        #expect(pool.expired(at: Self.start + .seconds(3600)).isEmpty)
    }

    @Test func `who waits for a fresh connection is not given a used one`() {
        var pool = makePool(limit: 1)
        connect(1...1, &pool)
        #expect(request(2, &pool, .fresh) == .wait)
        release(1, to: &pool)
        #expect(pool.nextTurn(at: Self.start) == dial(2, inPlaceOf: 1))
    }

    @Test(arguments: [true, false])
    func `a task that gives up a place and wants one at once gets it before those that wait`(isLost: Bool) {
        var pool = makePool(limit: 1)
        connect(1...1, &pool)
        #expect(request(2, &pool) == .wait)
        if isLost {
            pool.closed(ConnectionID(1), Self.route)
        } else {
            release(1, to: &pool)
        }
        #expect(request(1, &pool, isLost ? .fresh : .any) == (isLost ? dial(2) : use(1, by: 1)))
        #expect(pool.nextTurn(at: Self.start) == nil)
        if isLost { #expect(pool.opened(DialID(2), Self.route) == TaskID(1)) }
    }

    @Test func `a task that has left the queue is passed over`() {
        var pool = makePool(limit: 1)
        connect(1...1, &pool)
        for task in 2...3 { #expect(request(task, &pool) == .wait) }
        _ = pool.withdraw(TaskID(2), Self.route)
        release(1, to: &pool)
        #expect(pool.nextTurn(at: Self.start) == use(1, by: 3))
        pool.closed(ConnectionID(1), Self.route)
        #expect(pool.nextTurn(at: Self.start) == nil)
    }

    // BEHAVIOUR 2.F4-idle
    @Test func `of too many unused connections the one goes whose time is up first`() {
        var pool = ConnectionPool(limit: 6, mostIdle: 2, patience: .init())
        connect(1...3, &pool)
        release(1, to: &pool)
        release(2, to: &pool, hint: .seconds(5))
        #expect(pool.surplus(besides: ConnectionID(2)) == nil)
        release(3, to: &pool)
        #expect(pool.surplus(besides: ConnectionID(3)) == ConnectionID(2))
        pool.closed(ConnectionID(2), Self.route)
        #expect(pool.surplus(besides: ConnectionID(3)) == nil)
        // One in use is none.
        #expect(request(4, &pool) == use(3, by: 4))
        #expect(pool.surplus(besides: ConnectionID(3)) == nil)
    }

    // BEHAVIOUR 2.F4-idle
    @Test func `the connection that was used last is none too many, however short its time`() {
        var pool = ConnectionPool(limit: 6, mostIdle: 2, patience: .init())
        connect(1...3, &pool)
        for connection in 1...2 { release(connection, to: &pool) }
        release(3, to: &pool, hint: .seconds(5))
        #expect(pool.surplus(besides: ConnectionID(3)) == ConnectionID(1))
        pool.closed(ConnectionID(1), Self.route)
        #expect(pool.deadline == Self.start + .seconds(4))
        #expect(request(4, &pool) == use(3, by: 4))
    }

    @Test(.timeLimit(.minutes(1)))
    func `many hosts whose places nobody waits for cost one look each`() {
        var pool = makePool(limit: 1)
        let routes = (0..<20_000).map { ConnectionRoute(to: Origin(scheme: "http", host: "h\($0)", port: 80)) }
        for (task, route) in routes.enumerated() {
            for number in 2 * task...2 * task + 1 { _ = request(number, &pool, to: route) }
        }
        for (task, route) in routes.enumerated() {
            #expect(pool.failed(DialID(task + 1), route) == TaskID(2 * task))
        }
        for (task, route) in routes.enumerated() {
            _ = pool.withdraw(TaskID(2 * task + 1), route)
            #expect(pool.hasNextTurn() == (task + 1 < routes.count))
        }
        #expect(pool.routeCount == 0)
    }

    @Test func `nothing is kept of a host whose dials failed and whose tasks have left`() {
        var pool = makePool(limit: 1)
        for task in 1...2 { _ = request(task, &pool) }
        #expect(pool.failed(DialID(1), Self.route) == TaskID(1))
        _ = pool.withdraw(TaskID(2), Self.route)
        #expect(pool.nextTurn(at: Self.start) == nil)
        #expect(pool.routeCount == 0)
    }

    @Test func `idle connections run out one by one, busy ones never`() {
        var pool = makePool(limit: 3)
        connect(1...3, &pool)
        #expect(pool.deadline == nil)
        release(1, to: &pool)
        release(2, to: &pool, at: Self.start + .seconds(10))
        #expect(pool.deadline == Self.start + .seconds(60))
        // Used again meanwhile: its old expiry counts no more.
        #expect(request(4, &pool) == use(2, by: 4))
        #expect(pool.expired(at: Self.start + .milliseconds(59_999)).isEmpty)
        #expect(pool.expired(at: Self.start + .seconds(60)) == [ConnectionID(1)])
        #expect(pool.deadline == nil)
        release(2, to: &pool, at: Self.start + .seconds(61))
        #expect(pool.deadline == Self.start + .seconds(121))
        pool.closed(ConnectionID(2), Self.route)
        #expect(pool.deadline == nil)
    }

    /// BEHAVIOUR 2.F5-hint.
    @Test func `a server's hint shortens the time and never makes it longer`() {
        var pool = makePool(limit: 3)
        connect(1...3, &pool)
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
        connect(1...1, &pool)
        release(1, to: &pool, hint: .seconds(seconds))
        #expect(pool.deadline == Self.start + .milliseconds(kept))
    }

    /// Its server counts from its last byte, however long the user took to answer a question after it.
    @Test(arguments: [(0, 0, false), (1, 499, true), (1, 500, false), (5, 3999, true), (5, 4000, false)])
    func `a connection whose time is over is not taken back`(seconds: Int64, silence: Int, isKept: Bool) {
        var pool = makePool()
        connect(1...1, &pool)
        let answer = pool.offer(
            ConnectionID(1), Self.route, heard: 0, last: Self.start, at: Self.start + .milliseconds(silence),
            hint: .seconds(seconds))
        #expect(answer == isKept)
        #expect((pool.deadline != nil) == isKept)
    }

    /// BEHAVIOUR 1.E1-young: how long it was silent, what its server promised, who asks.
    @Test(arguments: [
        (100, nil, ConnectionNeed.young, ConnectionPool.Grant.use(ConnectionID(1), by: TaskID(2))),
        (101, nil, .young, .look(ConnectionID(1), for: TaskID(2))),
        (4000, nil, .young, .look(ConnectionID(1), for: TaskID(2))), (4001, nil, .young, .dial(DialID(2), route)),
        (4001, 60, .young, .look(ConnectionID(1), for: TaskID(2))),
        (59_999, nil, .any, .use(ConnectionID(1), by: TaskID(2))), (0, nil, .fresh, .dial(DialID(2), route)),
    ])
    func `what may not be sent twice goes out on a young connection`(
        silence: Int, hint: Int64?, need: ConnectionNeed, grant: ConnectionPool.Grant
    ) {
        var pool = makePool()
        connect(1...1, &pool)
        release(1, to: &pool, hint: hint.map { .seconds($0) })
        let now = Self.start + .milliseconds(silence)
        #expect(request(2, &pool, need, at: now) == grant)
    }

    @Test func `an old connection makes room for a young one`() {
        var pool = makePool(limit: 1)
        connect(1...1, &pool)
        release(1, to: &pool)
        #expect(request(2, &pool, .young, at: Self.start + .seconds(5)) == dial(2, inPlaceOf: 1))
    }

    /// A small model beside the pool: what is dialled, busy or idle, and who waits.
    @Test(arguments: 1...20 as ClosedRange<UInt64>, [1, 3])
    func `under any order of events no route has more connections than the limit, and no task starves`(
        seed: UInt64, capacity: Int
    ) throws {
        var walk = PoolWalk(seed: seed, limit: 3, capacity: capacity)
        for _ in 0..<2000 { try walk.step() }
        try walk.settle()
    }

    // BEHAVIOUR 2.F1-scopes
    @Test(arguments: 1...20 as ClosedRange<UInt64>, [(1, 3), (3, 2), (3, 8)])
    func `routes to one origin share its places under any order of events`(
        seed: UInt64, size: (limit: Int, scopes: Int)
    ) throws {
        var walk = ScopesWalk(seed: seed, limit: size.limit, scopes: size.scopes)
        for _ in 0..<2000 { try walk.step() }
        try walk.settle()
    }

    // BEHAVIOUR 2.F1-scopes
    @Test func `a thousand routes with one place are served one after another`() {
        var pool = makePool(limit: 1)
        let origin = Origin(scheme: "https", host: "a", port: 443)
        var dials: [(DialID, ConnectionRoute)] = []
        for number in 0..<1000 {
            let grant = request(number, &pool, to: ConnectionRoute(to: origin, trustScope: number))
            if case .dial(let dial, let route, _) = grant { dials.append((dial, route)) }
        }
        var served: [TaskID] = []
        while let (dial, route) = dials.popLast() {
            if let task = pool.opened(dial, route) { served.append(task) }
            pool.closed(ConnectionID(served.count), route)
            while case .dial(let dial, let route, _)? = pool.nextTurn(at: Self.start) { dials.append((dial, route)) }
        }
        #expect(served == (0..<1000).map { TaskID($0) })
    }
}
