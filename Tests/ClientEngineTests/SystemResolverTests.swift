import ClientMachines
import Dispatch
import NIOPosix
import Locks
import TestSupport
import Testing

@testable import ClientEngine

@Suite(.endsInTime) struct SystemResolverTests {
    /// A lookup that waits until the gate opens and counts who came.
    private final class Gate: Sendable {
        struct State {
            var names: [String] = []
            var inside = 0
            var most = 0
        }

        let state = Lock(State())
        private let gate = DispatchSemaphore(value: 0)
        private let arrivals = AsyncStream.makeStream(of: String.self)

        func lookup(_ question: FamilyName) -> NameLookup {
            let name = question.host
            state.withLock { state in
                state.names.append(name)
                state.inside += 1
                state.most = max(state.most, state.inside)
            }
            arrivals.continuation.yield(name)
            gate.wait()
            state.withLock { $0.inside -= 1 }
            return name.hasPrefix("bad") ? .failure("\(name): unknown") : .addresses(["192.0.2.1", "2001:db8::1"])
        }

        /// Ends when the next name has come.
        func arrival() async -> String? { await arrivals.stream.first { _ in true } }

        func open(for count: Int) { for _ in 0..<count { gate.signal() } }
    }

    private func answers(
        of resolver: SystemResolver, to questions: [(String, Int)], then: () -> Void = {}
    ) async -> [ResolverAnswer] {
        let (stream, continuation) = AsyncStream.makeStream(of: (Int, ResolverAnswer).self)
        for (index, question) in questions.enumerated() {
            _ = resolver.resolve(host: question.0, port: question.1, family: .v4) { continuation.yield((index, $0)) }
        }
        then()
        var answers: [Int: ResolverAnswer] = [:]
        for await (index, answer) in stream {
            answers[index] = answer
            if answers.count == questions.count { break }
        }
        return questions.indices.compactMap { answers[$0] }
    }

    @Test func `equal names in flight share one lookup, each with its own port`() async {
        let gate = Gate()
        let resolver = SystemResolver { gate.lookup($0) }
        let answers = await answers(of: resolver, to: [("a.test", 80), ("A.test", 443), ("a.test", 8080)]) {
            gate.open(for: 3)
        }
        #expect(gate.state.withLock { $0.names } == ["a.test"])
        let expected = [80, 443, 8080].map { port in
            ResolverAnswer.addresses([
                NetworkAddress(text: "192.0.2.1", port: port), NetworkAddress(text: "2001:db8::1", port: port),
            ])
        }
        #expect(answers == expected)
    }

    @Test func `a name is asked again once its answer is out`() async {
        let gate = Gate()
        gate.open(for: 2)
        // The thread of the first question is free again for the second.
        let resolver = SystemResolver(threads: BlockingThreads(limit: 1)) { gate.lookup($0) }
        _ = await answers(of: resolver, to: [("a.test", 80)])
        _ = await answers(of: resolver, to: [("a.test", 80)])
        #expect(gate.state.withLock { $0.names } == ["a.test", "a.test"])
    }

    @Test func `no more lookups run at once than allowed, and none is lost`() async {
        let gate = Gate()
        let resolver = SystemResolver(threads: BlockingThreads(limit: 2)) { gate.lookup($0) }
        let names = (0..<6).map { ("\($0).test", 80) }
        let answers = await answers(of: resolver, to: names) { gate.open(for: 6) }
        #expect(answers.count == 6)
        #expect(gate.state.withLock { $0.most } <= 2)
    }

    @Test func `dead names hold up no other name, and no file`() async throws {
        let gate = Gate()
        let (stream, continuation) = AsyncStream.makeStream(of: ResolverAnswer.self)
        let resolver = SystemResolver(threads: BlockingThreads()) {
            $0.host.hasPrefix("dead") ? gate.lookup($0) : .addresses(["192.0.2.3"])
        }
        for number in 0..<60 { _ = resolver.resolve(host: "dead\(number).test", port: 80, family: .v4) { _ in } }
        _ = resolver.resolve(host: "alive.test", port: 80, family: .v4) { continuation.yield($0) }
        let recorder = InputRecorder()
        let loop = MultiThreadedEventLoopGroup.singleton.next()
        try await loop.run {
            FileActions(eventLoop: loop).perform(.close(renamedTo: nil), of: TaskID(1), for: recorder)
        }
        // Closing what was never opened fails, on a thread for files.
        #expect(await recorder.next() != nil)
        #expect(await stream.first { _ in true } == .addresses([NetworkAddress(text: "192.0.2.3", port: 80)]))
        gate.open(for: 60)
    }

    @Test func `a name that nobody wants any more is not asked, and holds nobody`() async {
        final class Owner: Sendable {}
        let gate = Gate()
        let resolver = SystemResolver(threads: BlockingThreads(limit: 1)) { gate.lookup($0) }
        weak var asking: Owner?
        weak var waiting: Owner?
        do {
            let owners = (Owner(), Owner())
            (asking, waiting) = owners
            let running = resolver.resolve(host: "stuck.test", port: 80, family: .v4) { [owner = owners.0] _ in
                _ = owner
            }
            // Withdrawn before a thread has it, it would leave the thread to the other name.
            #expect(await gate.arrival() == "stuck.test")
            let queued = resolver.resolve(host: "queued.test", port: 80, family: .v4) { [owner = owners.1] _ in
                _ = owner
            }
            running.map(resolver.withdraw)
            queued.map(resolver.withdraw)
        }
        #expect(asking == nil && waiting == nil)
        #expect(resolver.counts.waiters == 0)
        // Whoever asks for a name whose old look-up still runs gets the answer of that one.
        let answers = await answers(of: resolver, to: [("stuck.test", 80), ("next.test", 80)]) { gate.open(for: 2) }
        #expect(answers.count == 2)
        #expect(gate.state.withLock { $0.names } == ["stuck.test", "next.test"])
    }

    @Test func `names that are withdrawn by the thousand leave the queue`() {
        let gate = Gate()
        let resolver = SystemResolver(threads: BlockingThreads(limit: 1)) { gate.lookup($0) }
        _ = resolver.resolve(host: "stuck.test", port: 80, family: .v4) { _ in }
        let waiters = (0..<10_000).map { number in
            resolver.resolve(host: "\(number).test", port: 80, family: .v4) { _ in }
        }
        for case let waiter? in waiters { resolver.withdraw(waiter) }
        #expect(resolver.counts.queued <= 65)
        gate.open(for: 1)
    }

    @Test func `names that were answered count for nothing when others are withdrawn`() async {
        let gate = Gate()
        let resolver = SystemResolver(threads: BlockingThreads(limit: 1)) { gate.lookup($0) }
        _ = await answers(of: resolver, to: (0..<200).map { ("\($0).test", 80) }) { gate.open(for: 200) }
        _ = resolver.resolve(host: "stuck.test", port: 80, family: .v4) { _ in }
        let waiters = (0..<200).map { resolver.resolve(host: "other\($0).test", port: 80, family: .v4) { _ in } }
        for case let waiter? in waiters { resolver.withdraw(waiter) }
        #expect(resolver.counts.queued <= 65)
        gate.open(for: 1)
    }

    @Test func `a failure reaches everyone in the system's words`() async {
        let gate = Gate()
        gate.open(for: 1)
        let resolver = SystemResolver { gate.lookup($0) }
        #expect(await answers(of: resolver, to: [("bad.test", 80)]) == [.failure("bad.test: unknown")])
    }

    @Test func `each family of a name is a question of its own`() async {
        let gate = Gate()
        let resolver = SystemResolver { gate.lookup($0) }
        let (stream, continuation) = AsyncStream.makeStream(of: AddressFamily.self)
        for family in AddressFamily.allCases {
            _ = resolver.resolve(host: "a.test", port: 80, family: family) { _ in continuation.yield(family) }
        }
        gate.open(for: 2)
        var families: Set<AddressFamily> = []
        for await family in stream where families.insert(family).inserted && families.count == 2 { break }
        #expect(gate.state.withLock { $0.names } == ["a.test", "a.test"])
    }

    @Test(arguments: [("127.0.0.1", AddressFamily.v4), ("::1", .v6), ("2001:db8::7", .v6)])
    func `an address is answered at once and without a lookup`(text: String, own: AddressFamily) {
        let gate = Gate()
        let resolver = SystemResolver { gate.lookup($0) }
        for family in AddressFamily.allCases {
            let answer = Lock<ResolverAnswer?>(nil)
            _ = resolver.resolve(host: text, port: 80, family: family) { value in answer.withLock { $0 = value } }
            let expected =
                family == own
                ? ResolverAnswer.addresses([NetworkAddress(text: text, port: 80)])
                : .failure("\(text): an address of the other family")
            #expect(answer.withLock { $0 } == expected)
        }
        #expect(gate.state.withLock { $0.names }.isEmpty)
    }

    @Test func `the system knows localhost`() async throws {
        let answer = await answers(of: SystemResolver(), to: [("localhost", 80)])
        guard case .addresses(let addresses)? = answer.first else {
            Issue.record("localhost is unknown: \(answer)")
            return
        }
        #expect(addresses.allSatisfy { $0.port == 80 && $0.text.hasPrefix("127.") })
    }

    @Test func `a name that cannot exist fails with the system's words`() {
        guard case .failure(let words) = NameLookup.ask(FamilyName(String(repeating: "a", count: 300), .v4)) else {
            Issue.record("a label of 300 letters has an address")
            return
        }
        #expect(words.contains(": "))
    }

    @Test func `a fixed name is answered from memory, others elsewhere`() async {
        let gate = Gate()
        gate.open(for: 1)
        let resolver = FixedResolver(["a.test": "127.0.0.2"], otherwise: SystemResolver { gate.lookup($0) })
        let (stream, continuation) = AsyncStream.makeStream(of: ResolverAnswer.self)
        _ = resolver.resolve(host: "A.TEST", port: 81, family: .v4) { continuation.yield($0) }
        _ = resolver.resolve(host: "bad.test", port: 81, family: .v4) { continuation.yield($0) }
        var answers = stream.makeAsyncIterator()
        #expect(await answers.next() == .addresses([NetworkAddress(text: "127.0.0.2", port: 81)]))
        #expect(await answers.next() == .failure("bad.test: unknown"))
    }
}
