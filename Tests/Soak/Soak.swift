import Foundation
import Glibc
import SessionNetworking

/// A session for every request, as people write it: made, used, cancelled and invalidated on several threads at once,
/// against servers that answer, refuse, reset and stall, with and without a delegate. Nothing may be left of any.
///
///     soak 1000000
@main struct Soak {
    private static let threads = 8
    private static let laps = 10
    /// Below that, a leak that matters does not stand out against what an allocator keeps.
    private static let judgedSessions = 100_000

    static func main() throws {
        let sessions = CommandLine.arguments.dropFirst().first.flatMap(Int.init) ?? 20_000
        let servers = try PlainServer.Manner.allCases.map { ($0, try PlainServer($0, threads: threads)) }
        var warm: Footprint?
        for lap in 1...laps {
            let began = Date()
            runLap(lap, sessions / laps, servers)
            let rate = Double(sessions / laps) / Date().timeIntervalSince(began)
            let judgesMemory = sessions >= judgedSessions
            let footprint = Footprint.settled { footprint in
                warm.map { footprint.growth(since: $0, judgesMemory: judgesMemory).isEmpty } ?? false
            }
            print("\(lap * (sessions / laps)) sessions, \(Int(rate)) a second: \(footprint)")
            fflush(nil)
            // The first two laps make what the process keeps: pools of threads, what is known of types, heaps.
            guard let warm else {
                if lap == 2 { warm = footprint }
                continue
            }
            let grown = footprint.growth(since: warm, judgesMemory: judgesMemory)
            guard grown.isEmpty else {
                fail("\(grown.joined(separator: ", ")) grew: \(warm) after \(2 * sessions / laps)")
            }
        }
    }

    private static func runLap(_ lap: Int, _ count: Int, _ servers: [(PlainServer.Manner, PlainServer)]) {
        DispatchQueue.concurrentPerform(iterations: threads) { thread in
            for number in stride(from: thread, to: count, by: threads) {
                let use = SessionUse(lap * count + number)
                let (manner, server) = servers[use.number % servers.count]
                guard let url = server.url(use.number) else { fail("no URL") }
                if let trouble = use.run(url, manner) { fail("session \(use.number), \(manner): \(trouble)") }
            }
        }
    }

    private static func fail(_ text: String) -> Never {
        print("soak: \(text)")
        exit(1)
    }
}
