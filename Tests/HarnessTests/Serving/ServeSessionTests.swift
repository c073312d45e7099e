import Judge
import Foundation
import ServerScript
import SessionNetworking
import Locks
import Testing

@testable import Harness

@Suite("Serving a script")
struct ServeSessionTests {
    /// Serves on a thread of its own and hands the printed lines over.
    private final class Served: Sendable {
        let lines = Lock<[String]>([])
        let status = Lock<RunStatus?>(nil)
        let listening = StopSignal()
        let ended = StopSignal()
        let stop = StopSignal()
        let listeningAgain = StopSignal()

        init(_ script: Script, isOnce: Bool) {
            var options = ServeSession.Options()
            options.isOnce = isOnce
            let session = ServeSession(script, options: options, stop: stop) { [self] line in take(line) }
            let thread = Thread { [self] in
                let status = try? session.run()
                self.status.withLock { $0 = status }
                ended.raise()
            }
            thread.start()
        }

        private func take(_ line: String) {
            lines.withLock { $0.append(line) }
            if line.hasPrefix("listening on ") { listening.raise() }
            if line.hasPrefix("listening again on ") { listeningAgain.raise() }
        }

        var url: String {
            _ = listening.wait(atMost: .seconds(20))
            let line = lines.withLock { $0.first { $0.hasPrefix("listening on ") } } ?? ""
            return String(line.dropFirst("listening on ".count))
        }

        func get(_ path: String) async throws -> (Int?, String) {
            let url = try #require(URL(string: url + path))
            let session = URLSession(configuration: .ephemeral)
            defer { session.invalidateAndCancel() }
            let (data, response) = try await session.data(from: url)
            return ((response as? HTTPURLResponse)?.statusCode, String(decoding: data, as: UTF8.self))
        }
    }

    private let script = Script(steps: [Sample.exchange("GET", "/a", Reply(body: .text("hi")))])

    @Test("With --once the verdict is the exit status")
    func once() async throws {
        let served = Served(script, isOnce: true)
        let (status, body) = try await served.get("/a")
        #expect(status == 200 && body == "hi")
        #expect(served.ended.wait(atMost: .seconds(20)))
        #expect(served.status.withLock { $0 } == .passed)
        #expect(served.lines.withLock { $0.contains("fulfilled: 1 request, all as scripted") })
    }

    @Test("A consumed script starts again on the same port")
    func again() async throws {
        let served = Served(script, isOnce: false)
        let first = try await served.get("/a")
        #expect(served.listeningAgain.wait(atMost: .seconds(20)))
        let second = try await served.get("/a")
        #expect(first.1 == "hi" && second.1 == "hi")
        served.stop.raise()
        #expect(served.ended.wait(atMost: .seconds(20)))
    }

    @Test("An unexpected request gets 404 with what came closest, and spoils the verdict")
    func unexpected() async throws {
        let served = Served(script, isOnce: true)
        let (status, body) = try await served.get("/b")
        #expect(status == 404)
        #expect(body.contains("/a"))
        served.stop.raise()
        #expect(served.ended.wait(atMost: .seconds(20)))
        #expect(served.status.withLock { $0 } == .failures)
        #expect(served.lines.withLock { $0.contains { $0.contains("VIOLATION") } })
    }
}
