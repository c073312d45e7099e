import Judge
import Foundation
import ServerScript
import SessionNetworking
import Locks
import TestSupport
import Testing

@testable import Serving

@Suite("Serving a script", .endsInTime)
struct ServeSessionTests {
    /// Serves on a thread of its own and hands the printed lines over.
    private final class Served: Sendable {
        let lines = Lock<[String]>([])
        let status = Lock<RunStatus?>(nil)
        let listening = StopSignal()
        let ended = StopSignal()
        let stop = StopSignal()
        let listeningAgain = StopSignal()
        let brokenOff = StopSignal()
        let abandoned = StopSignal()
        /// Ends the round by hand.
        let endRound = Lock<@Sendable () -> Void>({})

        /// `hold`: the output is not read until this is raised.
        init(_ script: Script, isOnce: Bool, hold: StopSignal? = nil) {
            var options = ServeSession.Options()
            options.isOnce = isOnce
            let session = ServeSession(script, options: options, stop: stop) { [self] line in
                take(line)
                _ = hold?.wait(atMost: .seconds(60))
            }
            endRound.withLock { $0 = { session.endRound() } }
            let thread = Thread { [self] in
                let status = (try? session.run().status).flatMap(RunStatus.init(rawValue:))
                self.status.withLock { $0 = status }
                ended.raise()
            }
            thread.start()
        }

        private func take(_ line: String) {
            lines.withLock { $0.append(line) }
            if line.hasPrefix("listening on ") { listening.raise() }
            if line == "listening again" { listeningAgain.raise() }
            if line.contains("the client went away") { brokenOff.raise() }
            if line.hasPrefix("ABANDONED") { abandoned.raise() }
        }

        /// The lines that begin so.
        func said(_ beginnings: String...) -> [String] {
            lines.withLock { $0.filter { line in beginnings.contains { line.hasPrefix($0) } } }
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

    private let script = Script(steps: [Self.get("/a", Reply(body: .text("hi")))])

    private static func get(_ target: String, _ reply: Reply) -> Step {
        Step(.exchange(Exchange(RequestMatch("GET", target), reply: reply)))
    }

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
        #expect(served.status.withLock { $0 } == .passed)
    }

    @Test("A client that comes back at once finds the script again, on a new connection or the same")
    func atOnce() async throws {
        let served = Served(script, isOnce: false)
        for _ in 0..<6 { #expect(try await served.get("/a").1 == "hi") }
        let client = try RawSocket(port: try #require(URL(string: served.url)?.port))
        for _ in 0..<3 {
            client.send("GET /a HTTP/1.1\r\nHost: a\r\n\r\n")
            #expect(String(decoding: client.receiveHead(), as: UTF8.self).hasPrefix("HTTP/1.1 200 "))
            #expect(client.receive(2) == Array("hi".utf8))
        }
        client.finish()
        served.stop.raise()
        #expect(served.ended.wait(atMost: .seconds(20)))
        let verdicts = served.said("fulfilled", "NOT", "9 rounds")
        let fulfilled = Array(repeating: "fulfilled: 1 request, all as scripted", count: 9)
        #expect(verdicts == fulfilled + ["9 rounds: 9 fulfilled"])
    }

    @Test("Routes that nobody has asked for, in no scope and no round, are named at the end")
    func unused() async throws {
        let routes = ["/a", "/b", "/c"].map { Route(Exchange(RequestMatch("GET", $0), reply: Reply())) }
        let served = Served(Script(routes: routes), isOnce: false)
        #expect(try await served.get("/a").0 == 200)
        #expect(try await served.get("/scope:one/c").0 == 200)
        served.endRound.withLock { $0 }()
        #expect(served.listeningAgain.wait(atMost: .seconds(20)))
        served.stop.raise()
        #expect(served.ended.wait(atMost: .seconds(20)))
        #expect(served.said("unused: ") == ["unused: GET /b"])
    }

    @Test("Tests that run side by side have a scope each, and each scope its verdict")
    func scopes() async throws {
        let served = Served(script, isOnce: false)
        #expect(try await served.get("/scope:one/a").1 == "hi")
        #expect(try await served.get("/scope:two/b").0 == 404)
        #expect(try await served.get("/a").1 == "hi")
        served.stop.raise()
        #expect(served.ended.wait(atMost: .seconds(20)))
        #expect(served.status.withLock { $0 } == .failures)
        let fulfilled = "fulfilled: 1 request, all as scripted"
        #expect(served.said(fulfilled).count == 1 && served.said("scope one: " + fulfilled).count == 1)
        #expect(served.said("scope two: NOT fulfilled, 1 request:", "#1 two: GET /b").count == 2)
    }

    @Test("Each round has a seed of its own, so that chance decides anew")
    func seeds() async throws {
        let fault = Fault(at: .headEnd, do: .delay(.milliseconds(1)), percent: 50)
        let served = Served(Script(steps: [Self.get("/a", Reply(faults: [fault]))]), isOnce: false)
        for _ in 0..<12 { _ = try await served.get("/a") }
        served.stop.raise()
        #expect(served.ended.wait(atMost: .seconds(20)))
        let drawn = served.lines.withLock { $0.filter { $0.contains("50% with seed") } }
        #expect(drawn.compactMap { $0.split(separator: " ").last.flatMap { Int($0) } } == Array(0..<12))
        #expect(Set(drawn.map { $0.contains("draws") }).count == 2)
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

    @Test(
        "A client that goes away in the middle of a request leaves a line",
        arguments: [
            ("GET /a HT", "head, after 9 bytes"),
            ("POST /a HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\nabc", "body, after 3 bytes"),
        ])
    func brokenOff(request: (sent: String, wanted: String)) throws {
        let served = Served(Script(routes: [Route(Exchange(RequestMatch("POST", "/a")))]), isOnce: false)
        let port = try #require(URL(string: served.url)?.port)
        let client = try RawSocket(port: port)
        client.send(request.sent)
        client.finish()
        #expect(served.brokenOff.wait(atMost: .seconds(20)))
        served.stop.raise()
        #expect(served.ended.wait(atMost: .seconds(20)))
        let line = "#0 the client went away in the middle of a request's \(request.wanted) of it"
        #expect(served.lines.withLock { $0.contains(line) })
    }

    @Test("What chance decides is told with its seed")
    func chance() async throws {
        let fault = Fault(at: .headEnd, do: .delay(.milliseconds(1)), percent: 99)
        let served = Served(Script(steps: [Self.get("/a", Reply(faults: [fault]))]), isOnce: true)
        _ = try await served.get("/a")
        #expect(served.ended.wait(atMost: .seconds(20)))
        #expect(served.lines.withLock { $0.contains { $0.hasSuffix("at head-end, 99% with seed 0") } })
    }

    @Test("The worst of all rounds decides, however good the last one was")
    func worstRound() async throws {
        let served = Served(script, isOnce: false)
        #expect(try await served.get("/b").0 == 404)
        for _ in 0..<3 { #expect(try await served.get("/a").1 == "hi") }
        served.stop.raise()
        #expect(served.ended.wait(atMost: .seconds(20)))
        #expect(served.status.withLock { $0 } == .failures)
        #expect(served.said("3 rounds") == ["3 rounds: 2 fulfilled, 1 NOT fulfilled"])
    }

    @Test("A connection that asks for nothing is no round")
    func noRound() async throws {
        let served = Served(script, isOnce: false)
        _ = try await served.get("/a")
        #expect(served.listeningAgain.wait(atMost: .seconds(20)))
        let client = try RawSocket(port: try #require(URL(string: served.url)?.port))
        client.finish()
        #expect(client.receiveToEnd().end == .fin)
        served.stop.raise()
        #expect(served.ended.wait(atMost: .seconds(20)))
        #expect(served.status.withLock { $0 } == .passed)
    }

    @Test("What a client gives up does not spoil the next one's script", arguments: [false, true])
    func givenUp(isByHand: Bool) async throws {
        var script = script
        script.steps.append(Self.get("/b", Reply(body: .text("there"))))
        script.roundTimeout = isByHand ? .seconds(3600) : .milliseconds(50)
        let served = Served(script, isOnce: false)
        _ = try await served.get("/a")
        if isByHand { served.endRound.withLock { $0 }() }
        #expect(served.abandoned.wait(atMost: .seconds(20)))
        #expect(try await served.get("/a").1 == "hi")
        #expect(try await served.get("/b").1 == "there")
        served.stop.raise()
        #expect(served.ended.wait(atMost: .seconds(20)))
        #expect(served.status.withLock { $0 } == .abandoned)
        let reason = isByHand ? "SIGHUP" : "nothing happened in its steps for 50ms (round-timeout)"
        #expect(served.said("ABANDONED") == ["ABANDONED after 1 request, \(reason):"])
        #expect(served.said("  did not happen").count == 1)
        #expect(served.said("2 rounds") == ["2 rounds: 1 fulfilled, 1 ABANDONED"])
    }

    @Test("A round that failed weighs more than one that was given up")
    func failedAndGivenUp() async throws {
        var script = script
        script.steps.append(Self.get("/b", Reply()))
        let served = Served(script, isOnce: false)
        for path in ["/a", "/c", "/b", "/a"] { _ = try await served.get(path) }
        served.endRound.withLock { $0 }()
        #expect(served.abandoned.wait(atMost: .seconds(20)))
        served.stop.raise()
        #expect(served.ended.wait(atMost: .seconds(20)))
        #expect(served.said("2 rounds") == ["2 rounds: 1 NOT fulfilled, 1 ABANDONED"])
        #expect(served.status.withLock { $0 } == .failures)
    }

    @Test("What is printed of requests holds no secrets")
    func secrets() async throws {
        let served = Served(script, isOnce: false)
        let answer = try await served.get("/b?access_token=abc&x=1")
        #expect(answer.1.contains("/b?access_token=***&x=1"))
        served.stop.raise()
        #expect(served.ended.wait(atMost: .seconds(20)))
        #expect(served.lines.withLock { $0.contains("#0 GET /b?access_token=***&x=1") })
        #expect(served.said("").allSatisfy { !$0.contains("abc") })
    }

    @Test("What a lenient server passes over leaves a line")
    func noted() throws {
        var script = script
        script.reading = .lenient
        let served = Served(script, isOnce: true)
        let client = try RawSocket(port: try #require(URL(string: served.url)?.port))
        client.send("\r\nGET /a HTTP/1.1\r\nHost: a\r\n\r\n")
        #expect(String(decoding: client.receiveHead(), as: UTF8.self).hasPrefix("HTTP/1.1 200 "))
        #expect(served.ended.wait(atMost: .seconds(20)))
        #expect(served.status.withLock { $0 } == .passed)
        #expect(served.said("#0 noted: an empty line before the request line").count == 1)
        client.finish()
    }

    @Test("With --once a round that is given up is the end")
    func givenUpOnce() async throws {
        var script = script
        script.steps.append(Self.get("/b", Reply()))
        script.roundTimeout = .milliseconds(50)
        let served = Served(script, isOnce: true)
        _ = try await served.get("/a")
        #expect(served.ended.wait(atMost: .seconds(20)))
        #expect(served.status.withLock { $0 } == .abandoned)
        #expect(served.said("ABANDONED").count == 1)
    }

    @Test("Clients do not wait for a reader of the output")
    func unread() async throws {
        let hold = StopSignal()
        let served = Served(script, isOnce: false, hold: hold)
        for _ in 0..<3 { #expect(try await served.get("/a").1 == "hi") }
        #expect(served.lines.withLock { $0.count } == 1)
        hold.raise()
        served.stop.raise()
        #expect(served.ended.wait(atMost: .seconds(20)))
        #expect(served.said("fulfilled").count == 3)
    }
}
