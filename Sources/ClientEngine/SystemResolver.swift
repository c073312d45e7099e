import ClientMachines
import NIOCore
import NIOPosix
import Locks

/// Asks the system (`getaddrinfo`), off the loop. Equal names in flight share one question; IP literals need none.
package final class SystemResolver: Resolver {
    /// One for the process: coalescing works across sessions.
    package static let shared = SystemResolver()

    typealias Lookup = @Sendable (String) -> NameLookup
    typealias Answer = @Sendable (ResolverAnswer) -> Void

    private struct Waiter {
        var port: Int
        var answer: Answer
    }

    private struct Questions {
        /// Everyone who waits for a name, asked or still queued.
        var waiters: [String: [Waiter]] = [:]
        /// Names that no thread has taken up yet.
        var queue: CircularBuffer<String> = []
        var running = 0
    }

    private let questions = Lock(Questions())
    private let threads: NIOThreadPool
    private let limit: Int
    private let lookup: Lookup

    /// At most `limit` lookups run at once: files share the threads, and a dead name server blocks for seconds.
    init(threads: NIOThreadPool = .singleton, limit: Int = 2, lookup: @escaping Lookup = NameLookup.ask) {
        self.threads = threads
        self.limit = limit
        self.lookup = lookup
    }

    package func resolve(host: String, port: Int, answer: @escaping @Sendable (ResolverAnswer) -> Void) {
        if NameLookup.isLiteral(host) { return answer(.addresses([NetworkAddress(text: host, port: port)])) }
        // Names are compared without regard to case (RFC 4343).
        let name = host.lowercased()
        let starts = questions.withLock { questions in
            questions.waiters[name, default: []].append(Waiter(port: port, answer: answer))
            guard questions.waiters[name]?.count == 1 else { return false }
            questions.queue.append(name)
            guard questions.running < limit else { return false }
            questions.running += 1
            return true
        }
        if starts { work() }
    }

    /// Occupies one thread until no name waits.
    private func work() {
        threads.submit { [self] state in
            while let name = next() {
                finish(name, state == .active ? lookup(name) : .failure("the process is ending"))
            }
        }
    }

    private func next() -> String? {
        questions.withLock { questions in
            if let name = questions.queue.popFirst() { return name }
            questions.running -= 1
            return nil
        }
    }

    private func finish(_ name: String, _ result: NameLookup) {
        let waiters = questions.withLock { $0.waiters.removeValue(forKey: name) ?? [] }
        for waiter in waiters {
            switch result {
            case .addresses(let texts):
                waiter.answer(.addresses(texts.map { NetworkAddress(text: $0, port: waiter.port) }))
            case .failure(let words): waiter.answer(.failure(words))
            }
        }
    }
}
