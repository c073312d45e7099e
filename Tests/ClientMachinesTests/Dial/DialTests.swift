import HTTPBasics
import Testing

@testable import ClientMachines

/// A dial in the hands of a test, which plays resolver, network and clock.
private struct DialBench {
    private(set) var dial: Dial
    private(set) var attempts = ConnectionAttempts()
    private(set) var now = Instant.zero
    private(set) var log: [String] = []
    private(set) var outcome: Dial.Outcome?
    /// Attempts under way, as the world knows them.
    private(set) var running: [ConnectionID] = []
    private(set) var awaited: Set<AddressFamily> = [.v6, .v4]

    init(_ settings: DialSettings = DialSettings()) {
        let route = ConnectionRoute(to: Origin(scheme: "http", host: "a.test", port: 80))
        var client = ClientSettings()
        client.dialling = settings
        dial = Dial(DialID(1), route, client, at: .zero)
    }

    mutating func feed(_ event: Dial.Event) {
        guard outcome == nil else { return }
        var outputs: [ClientOutput] = []
        switch event {
        case .resolved(let family, _), .resolveFailed(let family, _): awaited.remove(family)
        case .connected(let id, _, _), .connectFailed(let id, _): running.removeAll { $0 == id }
        case .timePassed, .secured, .secureFailed, .received, .inputClosed: break
        }
        outcome = dial.handle(event, at: now, &attempts, into: &outputs)
        for output in outputs { note(output) }
        switch outcome {
        case .connected(let attempt): note("won \(attempt.id.value)")
        case .failed(let kind, _, _): note(kind.rawValue)
        case .tunnelling: note("tunnel")
        case .asked: note("asked")
        case .proves: note("proves")
        case nil: break
        }
    }

    /// Lets time go by up to a moment in milliseconds, with every deadline on the way.
    mutating func run(until milliseconds: Int) {
        let end = Instant.zero + .milliseconds(milliseconds)
        while outcome == nil, let deadline = dial.deadline, deadline <= end {
            now = max(now, deadline)
            feed(.timePassed)
        }
        now = max(now, end)
    }

    private mutating func note(_ output: ClientOutput) {
        switch output {
        case .connect(let id, _, let address, _):
            running.append(id)
            note("\(id.value) to \(address.text)")
        case .close(let id):
            running.removeAll { $0 == id }
            note("close \(id.value)")
        case .stopResolving: note("stop")
        default: note("\(output)")
        }
    }

    private mutating func note(_ words: String) { log.append("\(now.nanoseconds / 1_000_000) \(words)") }
}

private func v6(_ names: String...) -> Dial.Event { .resolved(.v6, names.map { NetworkAddress(text: $0, port: 80) }) }
private func v4(_ names: String...) -> Dial.Event { .resolved(.v4, names.map { NetworkAddress(text: $0, port: 80) }) }
private let no6 = Dial.Event.resolveFailed(.v6, detail: "no IPv6")
private let no4 = Dial.Event.resolveFailed(.v4, detail: "no IPv4")
private func up(_ id: Int) -> Dial.Event { .connected(ConnectionID(id)) }
private func down(_ id: Int, _ failure: ConnectFailure = .refused) -> Dial.Event {
    .connectFailed(ConnectionID(id), failure)
}

// BEHAVIOUR 2.F11
@Suite struct DialTests {
    struct Play: CustomTestStringConvertible {
        var testDescription: String
        /// When, in milliseconds, and what.
        var moves: [(Int, Dial.Event)]
        var log: [String]

        init(_ name: String, _ moves: [(Int, Dial.Event)], _ log: [String]) {
            (testDescription, self.moves, self.log) = (name, moves, log)
        }
    }

    private static func log(_ moves: [(Int, Dial.Event)], _ settings: DialSettings = DialSettings()) -> [String] {
        var bench = DialBench(settings)
        for (moment, event) in moves {
            bench.run(until: moment)
            bench.feed(event)
        }
        bench.run(until: 60_000)
        return bench.log
    }

    private static let names = [
        Play("IPv6 does not wait for IPv4", [(0, v6("a"))], ["0 1 to a", "10000 close 1"]),
        Play("IPv4 waits for IPv6", [(0, v4("x"))], ["50 1 to x", "10050 close 1"]),
        Play("no longer than it takes", [(0, v4("x")), (30, v6("a")), (60, up(1))], ["30 1 to a", "60 won 1"]),
        Play("not for an answer that is no", [(0, v4("x")), (30, no6)], ["30 1 to x"]),
        Play("nor for one that has come", [(0, no6), (20, v4("x"))], ["20 1 to x"]),
        Play(
            "a family without addresses is no error", [(0, v4("x")), (1, v6()), (2, up(1))], ["1 1 to x", "2 won 1"]),
        Play("only IPv6", [(0, no4), (40, v6("a")), (50, up(1))], ["40 1 to a", "50 won 1"]),
        Play("no name", [(0, no4), (40, no6)], ["40 cannotFindHost"]),
        Play("no address", [(0, v4()), (40, v6())], ["40 cannotFindHost"]),
        Play("a name that never resolves", [(0, no4)], []),
        Play("nobody answers", [], []),
        Play(
            "the one that won ends the question about the others", [(0, v4("x")), (90, up(1))],
            ["50 1 to x", "90 stop", "90 won 1"]),
        Play(
            "IPv6 that comes late is next", [(0, v4("x", "y")), (100, v6("a")), (700, up(2))],
            ["50 1 to x", "300 2 to a", "550 3 to y", "700 close 1", "700 close 3", "700 won 2"]),
    ]

    private static let attempts = [
        Play(
            "a head start of 250 ms", [(0, v6("a")), (0, v4("x")), (260, up(2))],
            ["0 1 to a", "250 2 to x", "260 close 1", "260 won 2"]),
        Play(
            "a failure is the end of it", [(0, v6("a")), (0, v4("x")), (5, down(1)), (9, up(2))],
            ["0 1 to a", "5 2 to x", "9 won 2"]),
        Play(
            "the families take turns", [(0, v6("a", "b", "c")), (0, v4("x"))],
            ["0 1 to a", "250 2 to x", "500 3 to b", "750 4 to c", "10000 close 1", "10250 close 2", "10500 close 3"]),
        Play(
            "the first to answer wins", [(0, v6("a")), (0, v4("x")), (300, up(1)), (301, up(2))],
            ["0 1 to a", "250 2 to x", "300 close 2", "300 won 1"]),
        Play(
            "a failure of one changes nothing for the other",
            [(0, v6("a")), (0, v4("x")), (300, down(1)), (400, up(2))],
            ["0 1 to a", "250 2 to x", "400 won 2"]),
        Play(
            "a late address has no head start left to wait for", [(0, v6("a")), (700, v4("x"))],
            ["0 1 to a", "700 2 to x", "10000 close 1"]),
        Play(
            "all that failed wait for the other family", [(0, v6("a")), (5, down(1)), (90, v4("x")), (95, down(2))],
            ["0 1 to a", "90 2 to x", "95 cannotConnectToHost"]),
        Play("all have failed", [(0, v6("a")), (0, no4), (5, down(1))], ["0 1 to a", "5 cannotConnectToHost"]),
        Play(
            "an attempt that waits for a family is given up", [(0, v4("x")), (12_000, v6("a")), (12_001, up(2))],
            ["50 1 to x", "10050 close 1", "12000 2 to a", "12001 won 2"]),
        Play("the last hope is not given up", [(0, v6("a")), (0, no4), (55_000, up(1))], ["0 1 to a", "55000 won 1"]),
        Play(
            "but where another address was refused", [(0, v6("a")), (0, v4("x")), (300, down(2))],
            ["0 1 to a", "250 2 to x", "10000 close 1", "10000 cannotConnectToHost"]),
        Play(
            "a family that the machine does not have says nothing of the host",
            [(0, v6("a")), (0, v4("x")), (0, down(1, .networkUnreachable)), (50_000, up(2))],
            ["0 1 to a", "0 2 to x", "50000 won 2"]),
    ]

    @Test(arguments: names + attempts) func `each order has its course`(play: Play) {
        #expect(Self.log(play.moves) == play.log)
    }

    @Test(arguments: [
        ([ConnectFailure.refused, .timedOut], Failure.Kind.cannotConnectToHost),
        ([.timedOut, .refused], .cannotConnectToHost),
        ([.networkUnreachable, .refused], .cannotConnectToHost),
        ([.refused, .networkUnreachable], .cannotConnectToHost),
        ([.networkUnreachable, .timedOut], .timedOut), ([.timedOut, .hostUnreachable], .cannotConnectToHost),
        ([.networkUnreachable, .other(code: 1)], .cannotConnectToHost),
        ([.networkUnreachable, .networkUnreachable], .notConnectedToInternet),
        ([.reset, .timedOut], .networkConnectionLost), ([.refused, .reset], .networkConnectionLost),
    ])
    func `the failure that tells most of the host is the dial's`(failures: [ConnectFailure], kind: Failure.Kind) {
        let moves = [(0, v6("a")), (0, v4("x"))] + failures.enumerated().map { (1, down($0.offset + 1, $0.element)) }
        #expect(Self.log(moves).last == "1 \(kind.rawValue)")
    }

    @Test func `addresses and attempts have a bound`() {
        let many = (0..<100).map { NetworkAddress(text: "\($0)", port: 80) }
        let log = Self.log([(0, .resolved(.v6, many)), (0, .resolved(.v4, many))])
        #expect(log.filter { $0.contains("to") }.count == 32)
        // Nothing but what is given up makes room for the ninth.
        #expect(log[8...9] == ["10000 close 1", "10000 9 to 4"])
        let last = (1...32).first { id in !log.contains { $0.hasSuffix("close \(id)") } }
        #expect(last == 32)
    }

    // BEHAVIOUR 2.F11-next
    @Test(arguments: [AddressFamily.v6, .v4], [ConnectFailure.networkUnreachable, .timedOut])
    func `the many addresses of a dead family take no place of the other's`(
        dead: AddressFamily, failure: ConnectFailure
    ) {
        var bench = DialBench()
        let many = (0..<100).map { NetworkAddress(text: "\($0)", port: 80) }
        bench.feed(.resolved(dead, many))
        bench.feed(.resolved(dead == .v6 ? .v4 : .v6, [NetworkAddress(text: "alive", port: 80)]))
        while !bench.log.contains(where: { $0.hasSuffix(" to alive") }), let id = bench.running.first {
            bench.feed(.connectFailed(id, failure))
        }
        #expect(bench.log.contains { $0.hasSuffix(" to alive") })
    }

    @Test func `whoever gives up closes all attempts and withdraws the questions`() {
        var bench = DialBench()
        bench.feed(v6("a", "b"))
        bench.run(until: 300)
        var dial = bench.dial, attempts = bench.attempts
        var outputs: [ClientOutput] = []
        dial.end(&attempts, into: &outputs)
        #expect(outputs == [.close(ConnectionID(1)), .close(ConnectionID(2)), .stopResolving(DialID(1))])
        #expect(attempts.count == 0)
    }

    /// All orders of what may happen to two addresses in each family, time included.
    @Test func `in no order anything is left over, used twice or forgotten`() {
        var settings = DialSettings()
        settings.mostAttempts = 3
        var ends = 0
        Self.explore(DialBench(settings), depth: 9, ends: &ends)
        #expect(ends > 2_000)
    }

    private static func explore(_ bench: DialBench, depth: Int, ends: inout Int) {
        if let outcome = bench.outcome {
            ends += 1
            #expect(bench.running.isEmpty && bench.attempts.count == 0, "\(bench.log)")
            let stopped = bench.log.contains { $0.hasSuffix("stop") }
            if case .connected = outcome {
                #expect(stopped == !bench.awaited.isEmpty, "\(bench.log)")
            } else {
                #expect(!stopped && bench.awaited.isEmpty, "\(bench.log)")
            }
            return
        }
        #expect(bench.running.count <= 3 && bench.attempts.count == bench.running.count, "\(bench.log)")
        // Something is still to come: an answer, a moment, or the one last attempt.
        #expect(!bench.awaited.isEmpty || bench.dial.deadline != nil || bench.running.count == 1, "\(bench.log)")
        guard depth > 0 else { return }
        var events: [Dial.Event] = []
        if bench.awaited.contains(.v6) { events += [v6("a", "b"), no6] }
        if bench.awaited.contains(.v4) { events += [v4("x", "y"), v4()] }
        for id in bench.running { events += [.connected(id), .connectFailed(id, .refused)] }
        for event in events {
            var next = bench
            next.feed(event)
            explore(next, depth: depth - 1, ends: &ends)
        }
        guard let deadline = bench.dial.deadline else { return }
        var next = bench
        next.run(until: Int(deadline.nanoseconds / 1_000_000))
        explore(next, depth: depth - 1, ends: &ends)
    }
}
