import HTTPBasics
import TestSupport

@testable import ClientMachines

/// A seeded random walk over several routes to one origin, which share its places: none is taken twice or lost, and
/// nobody waits beside one.
struct ScopesWalk {
    struct Violation: Error { let what: String }

    private static let origin = Origin(scheme: "https", host: "a", port: 443)
    private let limit: Int
    private let routes: [ConnectionRoute]
    private var pool: ConnectionPool
    private var random: SeededGenerator
    private var now = Instant.zero
    private var dials: [DialID: ConnectionRoute] = [:]
    private var busy: [ConnectionID: ConnectionRoute] = [:]
    private var idle: [ConnectionID: ConnectionRoute] = [:]
    private var waiting: [TaskID: ConnectionRoute] = [:]
    private var last = 0

    init(seed: UInt64, limit: Int, scopes: Int) {
        self.limit = limit
        routes = (0..<scopes).map { ConnectionRoute(to: Self.origin, trustScope: $0) }
        random = SeededGenerator(seed: seed)
        pool = ConnectionPool(limit: limit, patience: .init(idle: .seconds(5)))
    }

    mutating func step() throws {
        now = now + .milliseconds(Int.random(in: 0...300, using: &random))
        switch Int.random(in: 0..<8, using: &random) {
        case 0, 1, 2: try request()
        case 3: try release()
        case 4: opened()
        case 5: failed()
        case 6: withdraw()
        default: close()
        }
        try takeTurns()
        guard dials.count + busy.count + idle.count <= limit else { throw Violation(what: "more than the limit") }
        let isFull = dials.count + busy.count == limit
        for route in routes where count(waiting, route) > count(dials, route) && !isFull {
            throw Violation(what: "a task of \(route) waits beside a place")
        }
    }

    /// Ends every dial and exchange: everyone is served, and nothing is known any more.
    mutating func settle() throws {
        for _ in 0..<10_000 where !waiting.isEmpty || !dials.isEmpty || !busy.isEmpty {
            opened()
            try takeTurns()
            try release()
            try takeTurns()
        }
        guard waiting.isEmpty else { throw Violation(what: "left waiting: \(waiting)") }
        for (connection, route) in idle { pool.closed(connection, route) }
        _ = pool.hasNextTurn()
        guard pool.routeCount == 0 else { throw Violation(what: "\(pool.routeCount) routes are known for ever") }
    }

    private func count<ID>(_ places: [ID: ConnectionRoute], _ route: ConnectionRoute) -> Int {
        places.values.count { $0 == route }
    }

    private mutating func next() -> Int {
        last += 1
        return last
    }

    private mutating func any<ID: Comparable>(_ places: [ID: ConnectionRoute]) -> (ID, ConnectionRoute)? {
        places.keys.sorted().randomElement(using: &random).flatMap { id in places[id].map { (id, $0) } }
    }

    private mutating func request() throws {
        guard let route = routes.randomElement(using: &random) else { return }
        let task = TaskID(next())
        waiting[task] = route
        let need: ConnectionNeed = Int.random(in: 0..<4, using: &random) == 0 ? .fresh : .any
        try carryOut(pool.request(task, route, need, at: now))
    }

    private mutating func takeTurns() throws {
        while let grant = pool.nextTurn(at: now) { try carryOut(grant) }
        for connection in pool.expired(at: now) {
            guard let route = idle.removeValue(forKey: connection) else { throw Violation(what: "expired while busy") }
            pool.closed(connection, route)
        }
        while let grant = pool.nextTurn(at: now) { try carryOut(grant) }
    }

    private mutating func carryOut(_ grant: ConnectionPool.Grant) throws {
        switch grant {
        case .wait: break
        case .look: throw Violation(what: "nobody is so particular")
        case .use(let connection, let task):
            guard let route = idle.removeValue(forKey: connection), waiting.removeValue(forKey: task) == route else {
                throw Violation(what: "\(task) gets a connection of another route")
            }
            busy[connection] = route
        case .dial(let dial, let route, let closed):
            if let closed, idle.removeValue(forKey: closed) == nil { throw Violation(what: "\(closed) is not idle") }
            dials[dial] = route
        }
    }

    private mutating func opened() {
        guard let (dial, route) = any(dials) else { return }
        dials[dial] = nil
        let connection = ConnectionID(next())
        if let task = pool.opened(dial, route) {
            waiting[task] = nil
            busy[connection] = route
        } else {
            offer(connection, route)
        }
    }

    private mutating func offer(_ connection: ConnectionID, _ route: ConnectionRoute) {
        idle[connection] = route
        _ = pool.offer(connection, route, heard: 0, last: now, at: now)
    }

    private mutating func failed() {
        guard let (dial, route) = any(dials) else { return }
        dials[dial] = nil
        if let task = pool.failed(dial, route) { waiting[task] = nil }
    }

    private mutating func release() throws {
        guard let (connection, route) = any(busy) else { return }
        busy[connection] = nil
        offer(connection, route)
    }

    private mutating func close() {
        guard let (connection, route) = any(busy.merging(idle) { one, _ in one }) else { return }
        busy[connection] = nil
        idle[connection] = nil
        pool.closed(connection, route)
    }

    private mutating func withdraw() {
        guard let (task, route) = any(waiting) else { return }
        waiting[task] = nil
        guard pool.withdraw(task, route), let dial = pool.dials(of: route).last else { return }
        dials[dial] = nil
        pool.ended(dial, route)
    }
}
