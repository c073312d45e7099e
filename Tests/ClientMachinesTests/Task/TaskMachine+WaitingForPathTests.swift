import HTTPBasics
import MachineContract
import TestSupport
import Testing

@testable import ClientMachines

/// Tasks that go out on some networks only, or wait for one.
@Suite struct WaitingForPathTests {
    private static let online = NetworkPath(through: "a")
    private static let waiting = {
        var demands = PathDemands()
        demands.waits = true
        return demands
    }()
    private static let acquired = "acquire http://example.com"

    private static func play(
        _ demands: PathDemands, on path: SessionPath, suspended: Bool = false,
        _ body: (Playbook<TaskMachine>) throws -> Void
    ) throws {
        var builder = TaskBuilder()
        builder.plan.demands = demands
        builder.plan.requestTimeout = .seconds(5)
        builder.plan.resourceTimeout = .seconds(100)
        let start = Moment(instant: .zero, date: UnixTime(seconds: 784_111_777), entropy: 0)
        let machine = TaskMachine(
            plan: builder.plan, settings: SharedSettings(builder.settings), path: path, at: start)
        try Playbook.play(machine, describeOutput: { $0.summary }) { book in
            book.feed(.start(suspended: suspended))
            try body(book)
        }
    }

    private static func told(_ path: NetworkPath?) -> SessionPath {
        let told = SessionPath()
        if let path { _ = told.told(path) }
        told.isWatched = path != nil
        return told
    }

    // BEHAVIOUR 1.B16-watch
    @Test func `a task without demands looks at no network`() throws {
        try Self.play(.none, on: Self.told(nil)) { book in
            try book.check("outputs", book.take().map(\.summary), is: [Self.acquired])
        }
    }

    // BEHAVIOUR 1.B16, 1.B16-once, 1.B16-timers
    @Test func `a task waits for a network, says so once, and has its silence counted from there`() throws {
        let path = Self.told(nil)
        try Self.play(Self.waiting, on: path) { book in
            try book.check("outputs", book.take().map(\.summary), is: ["watch path"])
            _ = path.told(.offline)
            book.feed(.pathTold)
            try book.check("outputs", book.take().map(\.summary), is: ["tell waiting for connectivity"])
            try book.expectDeadline(in: .seconds(100))
            book.feed(.pathTold)
            try book.check("outputs", book.take().map(\.summary), is: [])
            try book.advance(by: .seconds(50))
            _ = path.told(Self.online)
            book.feed(.pathTold)
            try book.check("outputs", book.take().map(\.summary), is: [Self.acquired])
            try book.expectDeadline(in: .seconds(5))
        }
    }

    // BEHAVIOUR 1.B16
    @Test func `no route to the server is waited for, too`() throws {
        let path = Self.told(Self.online)
        try Self.play(Self.waiting, on: path) { book in
            _ = book.take()
            book.feed(.connectFailed(.notConnectedToInternet, detail: "No route."))
            try book.check("outputs", book.take().map(\.summary), is: ["tell waiting for connectivity"])
            book.feed(.pathTold)
            try book.check("outputs", book.take().map(\.summary), is: [Self.acquired])
            book.feed(.connectFailed(.cannotConnectToHost, detail: "Refused."))
            try book.check(
                "outputs", book.take().map(\.summary).suffix(2), is: ["tell complete cannotConnectToHost", "finished"])
        }
    }

    // BEHAVIOUR 1.B16-reason
    @Test(arguments: [
        (NetworkPath.offline, PathObstacle.offline), (NetworkPath(through: "a", isCellular: true), .cellular),
        (NetworkPath(through: "a", isExpensive: true), .expensive),
        (NetworkPath(through: "a", isConstrained: true), .constrained),
        (NetworkPath(through: "a", isCellular: true, isExpensive: true, isConstrained: true), .cellular),
        (NetworkPath(through: "a", isExpensive: true, isConstrained: true), .expensive),
    ]) func `what is not allowed is the reason`(path: NetworkPath, obstacle: PathObstacle) throws {
        var demands = PathDemands()
        (demands.allowsCellular, demands.allowsExpensive, demands.allowsConstrained) = (false, false, false)
        #expect(demands.obstacle(on: path) == obstacle)
        #expect(demands.obstacle(on: Self.online) == nil)
        #expect(PathDemands.none.obstacle(on: path) == (path.interface == nil ? .offline : nil))
        try Self.play(demands, on: Self.told(path)) { book in
            let last = book.take().compactMap { output -> Failure? in
                if case .tell(.complete(let failure)) = output { failure } else { nil }
            }
            try book.check("kind", last.map(\.kind), is: [.notConnectedToInternet])
            try book.check("obstacle", last.map(\.obstacle), is: [obstacle])
        }
    }

    // BEHAVIOUR 1.B16
    @Test func `a task that waits can be suspended, and cancelled`() throws {
        let path = Self.told(.offline)
        try Self.play(Self.waiting, on: path) { book in
            _ = book.take()
            book.feed(.suspend)
            _ = path.told(Self.online)
            book.feed(.pathTold)
            try book.check("outputs", book.take().map(\.summary), is: [])
            _ = path.told(.offline)
            book.feed(.resume)
            try book.check("outputs", book.take().map(\.summary), is: [])
            book.feed(.cancel(keepingResumeData: false))
            try book.check("outputs", book.take().map(\.summary), is: ["tell complete cancelled", "finished"])
        }
    }

    // BEHAVIOUR 1.B16-loopback
    @Test(arguments: ["localhost", "a.localhost", "127.0.0.1", "127.9.9.9", "::1", "localhost.a", "10.0.0.1", "::2"])
    func `this machine is reached without a network`(host: String) {
        #expect(ProxyExceptions.isThisMachine(host) == !["localhost.a", "10.0.0.1", "::2"].contains(host))
    }
}
