import HTTPBasics
import TestSupport

@testable import ClientMachines

/// A seeded random walk over one route's connections, with what must always hold.
struct PoolWalk {
    struct Violation: Error { let what: String }

    private static let route = ConnectionRoute(to: Origin(scheme: "http", host: "a", port: 80))
    private let limit: Int
    private let capacity: Int
    private var pool: ConnectionPool
    private var random: SeededGenerator
    private var now = Instant.zero
    private var dials: [DialID] = []
    /// How many exchanges each connection carries.
    private var exchanges: [ConnectionID: Int] = [:]
    /// Those with room, in the order in which they were heard.
    private var free: [ConnectionID] = []
    private var heard: [ConnectionID: Int] = [:]
    private var waiting: [TaskID] = []
    /// Those that want a connection that was never used.
    private var choosy: Set<TaskID> = []
    private var lastTask = 0
    private var lastConnection = 0

    init(seed: UInt64, limit: Int, capacity: Int) {
        (self.limit, self.capacity) = (limit, capacity)
        random = SeededGenerator(seed: seed)
        pool = ConnectionPool(limit: limit, patience: .init(idle: .seconds(5)))
    }

    private var open: Int { dials.count + exchanges.count }
    private var idle: [ConnectionID] { free.filter { exchanges[$0] == 0 } }
    private var busy: [ConnectionID] { exchanges.filter { $0.value > 0 }.keys.sorted() }

    mutating func step() throws {
        now = now + .milliseconds(Int.random(in: 0...1000, using: &random))
        switch Int.random(in: 0..<9, using: &random) {
        case 0, 1: try request()
        case 2, 3: try release()
        case 4: try close(isIdle: Bool.random(using: &random))
        case 5: try withdraw()
        case 6: try opened()
        case 7: try failed()
        default: try expire()
        }
        try takeTurns()
        guard open <= limit else { throw Violation(what: "limit: \(dials) \(exchanges)") }
        guard waiting.count <= dials.count || open == limit else { throw Violation(what: "starving") }
        // One that waits for a new connection is overtaken by none, or it might wait for ever.
        let next = waiting.prefix(dials.count + 1)
        guard free.isEmpty || next.allSatisfy(choosy.contains) else { throw Violation(what: "waiting beside room") }
        guard idle.isEmpty || waiting.count <= dials.count else { throw Violation(what: "no room was made") }
        for (index, task) in waiting.enumerated() {
            let dial = index < dials.count ? dials[index] : nil
            guard pool.dial(for: task, Self.route) == dial else { throw Violation(what: "\(task) has another dial") }
        }
    }

    /// Ends every dial and exchange: the queue must empty.
    mutating func settle() throws {
        while !busy.isEmpty || !dials.isEmpty {
            try opened()
            try takeTurns()
            try release()
            try takeTurns()
        }
        guard waiting.isEmpty else { throw Violation(what: "left waiting: \(waiting)") }
    }

    private mutating func request() throws {
        lastTask += 1
        if Int.random(in: 0..<4, using: &random) == 0 { choosy.insert(TaskID(lastTask)) }
        try request(TaskID(lastTask))
    }

    private mutating func request(_ task: TaskID) throws {
        let withDials = min(dials.count, waiting.count)
        let grant = pool.request(task, Self.route, choosy.contains(task) ? .fresh : .any, at: now)
        switch grant {
        case .wait: waiting.append(task)
        case .dial: waiting.insert(task, at: withDials)
        case .use, .look: break
        }
        try carryOut(grant, isFromLine: false)
    }

    private mutating func carryOut(_ grant: ConnectionPool.Grant, isFromLine: Bool) throws {
        switch grant {
        case .wait: break
        case .look: throw Violation(what: "nobody is so particular")
        case .use(let connection, let task):
            guard free.last == connection else { throw Violation(what: "not the one heard last") }
            guard !choosy.contains(task) else { throw Violation(what: "a used connection for a second attempt") }
            if isFromLine {
                let next = waiting.prefix(dials.count + 1).first { !choosy.contains($0) }
                guard next == task else { throw Violation(what: "\(task) before its turn") }
                waiting.removeAll { $0 == task }
            }
            free.removeLast()
            carry(connection)
        case .dial(let dial, Self.route, let closed):
            if let closed {
                guard idle.first == closed else { throw Violation(what: "not the one heard first") }
                guard open == limit else { throw Violation(what: "replaced without need") }
                free.removeAll { $0 == closed }
                exchanges[closed] = nil
            }
            dials.append(dial)
            guard waiting.count >= dials.count else { throw Violation(what: "a dial for no task") }
        case .dial: throw Violation(what: "another route")
        }
    }

    private mutating func carry(_ connection: ConnectionID) {
        exchanges[connection, default: 0] += 1
        if exchanges[connection] ?? 0 < capacity { offer(connection) }
    }

    private mutating func offer(_ connection: ConnectionID) {
        let number = heard[connection] ?? 0
        free.removeAll { $0 == connection }
        free.insert(connection, at: free.lastIndex { heard[$0] ?? 0 <= number }.map { $0 + 1 } ?? 0)
        _ = pool.offer(
            connection, Self.route, isIdle: exchanges[connection] == 0, heard: number, last: now, at: now)
    }

    private mutating func takeTurns() throws {
        while let grant = pool.nextTurn(at: now) {
            guard grant != .wait else { throw Violation(what: "a turn that waits") }
            try carryOut(grant, isFromLine: true)
        }
    }

    private mutating func opened() throws {
        guard let dial = dials.randomElement(using: &random) else { return }
        dials.removeAll { $0 == dial }
        lastConnection += 1
        let connection = ConnectionID(lastConnection)
        let task = pool.opened(dial, Self.route)
        guard task == waiting.first else { throw Violation(what: "\(dial) is not the first's") }
        exchanges[connection] = 0
        guard task != nil else { return offer(connection) }
        waiting.removeFirst()
        carry(connection)
    }

    private mutating func failed() throws {
        guard let dial = dials.randomElement(using: &random) else { return }
        dials.removeAll { $0 == dial }
        let task = pool.failed(dial, Self.route)
        guard task == (waiting.count > dials.count ? waiting.first : nil) else {
            throw Violation(what: "\(dial) is not the first's")
        }
        if task != nil { waiting.removeFirst() }
    }

    private mutating func release() throws {
        guard let connection = busy.randomElement(using: &random) else { return }
        exchanges[connection, default: 0] -= 1
        heard[connection] = Int.random(in: 0..<5, using: &random)
        offer(connection)
    }

    private mutating func close(isIdle: Bool) throws {
        guard let connection = (isIdle ? idle : busy).randomElement(using: &random) else { return }
        exchanges[connection] = nil
        free.removeAll { $0 == connection }
        pool.closed(connection, Self.route)
        // A second attempt, perhaps: it has the place before those that wait, on a connection of its own.
        guard !isIdle, Bool.random(using: &random) else { return }
        lastTask += 1
        choosy.insert(TaskID(lastTask))
        try request(TaskID(lastTask))
    }

    private mutating func withdraw() throws {
        guard let task = waiting.randomElement(using: &random) else { return }
        waiting.removeAll { $0 == task }
        let isOneTooMany = waiting.count < dials.count
        guard pool.withdraw(task, Self.route) == isOneTooMany else { throw Violation(what: "a dial too many") }
        guard isOneTooMany, let dial = dials.randomElement(using: &random) else { return }
        dials.removeAll { $0 == dial }
        pool.ended(dial, Self.route)
    }

    private mutating func expire() throws {
        for connection in pool.expired(at: now) {
            guard idle.contains(connection) else { throw Violation(what: "\(connection) expired while busy") }
            free.removeAll { $0 == connection }
            exchanges[connection] = nil
            pool.closed(connection, Self.route)
            try takeTurns()
        }
        if let deadline = pool.deadline, deadline <= now { throw Violation(what: "an expiry was left over") }
    }
}
