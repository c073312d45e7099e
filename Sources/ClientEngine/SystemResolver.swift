import ClientMachines
import DequeModule
import Locks

/// Asks the system (`getaddrinfo`), off the loop. Equal names in flight share one question; IP literals need none.
///
/// A look-up that runs cannot be stopped. One that is not awaited any more keeps no caller alive: its thread and its
/// name are all that is left of it.
package final class SystemResolver: Resolver {
    /// One for the process: coalescing works across sessions.
    package static let shared = SystemResolver()

    typealias Lookup = @Sendable (FamilyName) -> NameLookup
    typealias Answer = @Sendable (ResolverAnswer) -> Void

    private struct Waiter {
        var port: Int
        var answer: Answer
    }

    private struct Question {
        var waiters: [UInt64: Waiter] = [:]
        /// Where it stands in the queue; nil once a thread has taken it up.
        var place: UInt64?
    }

    private struct Questions {
        var asked: [FamilyName: Question] = [:]
        /// Names that no thread has taken up yet, in order. An entry counts if its place is still that of its question.
        var queue: Deque<(name: FamilyName, place: UInt64)> = []
        /// How many entries of the queue count.
        var queued = 0
        /// Threads that are at work, or about to be.
        var threads = 0
        var last: UInt64 = 0

        /// The waiter's number, and whether the name is new.
        mutating func add(_ waiter: Waiter, for name: FamilyName) -> (number: UInt64, isNew: Bool) {
            last += 1
            let isNew = asked[name] == nil
            if isNew {
                queue.append((name, last))
                queued += 1
            }
            asked[name, default: Question(place: last)].waiters[last] = waiter
            return (last, isNew)
        }

        mutating func remove(_ waiter: UInt64, of name: FamilyName) -> Waiter? {
            guard let removed = asked[name]?.waiters.removeValue(forKey: waiter) else { return nil }
            if let question = asked[name], question.waiters.isEmpty, question.place != nil {
                asked[name] = nil
                queued -= 1
                sweep()
            }
            return removed
        }

        /// Entries that count no more leave when they outnumber those that do: withdrawing costs the same for all.
        private mutating func sweep() {
            guard queue.count > 64, queue.count > 2 * queued else { return }
            queue = queue.filter { asked[$0.name]?.place == $0.place }
        }

        /// The next name to be looked up.
        mutating func next() -> FamilyName? {
            while let entry = queue.popFirst() {
                guard asked[entry.name]?.place == entry.place else { continue }
                asked[entry.name]?.place = nil
                queued -= 1
                return entry.name
            }
            return nil
        }
    }

    private let questions = Lock(Questions())
    private let threads: BlockingThreads
    private let lookup: Lookup

    init(threads: BlockingThreads = .names, lookup: @escaping Lookup = NameLookup.ask) {
        self.threads = threads
        self.lookup = lookup
    }

    /// Names that wait for a thread, and those who wait for an answer: a leak check for tests.
    var counts: (queued: Int, waiters: Int) {
        questions.withLock { ($0.queue.count, $0.asked.values.reduce(0) { $0 + $1.waiters.count }) }
    }

    package func resolve(
        host: String, port: Int, family: AddressFamily, answer: @escaping @Sendable (ResolverAnswer) -> Void
    ) -> NameWaiter? {
        if let known = NameLookup.literal(host, family) {
            answer(ResolverAnswer(known, port: port))
            return nil
        }
        let name = FamilyName(host, family)
        let (number, starts) = questions.withLock { questions in
            let (number, isNew) = questions.add(Waiter(port: port, answer: answer), for: name)
            guard isNew, questions.threads < threads.limit else { return (number, false) }
            questions.threads += 1
            return (number, true)
        }
        if starts { threads.submit { [self] in work() } }
        return NameWaiter(name: name, number: number)
    }

    package func withdraw(_ waiter: NameWaiter) {
        // What it holds is let go outside the lock.
        let removed = questions.withLock { $0.remove(waiter.number, of: waiter.name) }
        _ = removed
    }

    /// Occupies one thread until no name waits.
    private func work() {
        while let name = next() { finish(name, lookup(name)) }
    }

    private func next() -> FamilyName? {
        questions.withLock { questions in
            if let name = questions.next() { return name }
            questions.threads -= 1
            return nil
        }
    }

    private func finish(_ name: FamilyName, _ result: NameLookup) {
        let waiters = questions.withLock { $0.asked.removeValue(forKey: name)?.waiters ?? [:] }
        for (_, waiter) in waiters.sorted(by: { $0.key < $1.key }) {
            waiter.answer(ResolverAnswer(result, port: waiter.port))
        }
    }
}

extension ResolverAnswer {
    fileprivate init(_ lookup: NameLookup, port: Int) {
        switch lookup {
        case .addresses(let texts): self = .addresses(texts.map { NetworkAddress(text: $0, port: port) })
        case .failure(let words): self = .failure(words)
        }
    }
}
