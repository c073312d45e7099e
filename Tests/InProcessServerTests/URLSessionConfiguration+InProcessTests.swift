import Foundation
import Locks
import ScriptedServer
import SessionNetworking
import TestSupport
import Testing

@testable import InProcessServer

@Suite(.endsInTime) struct URLSessionConfigurationInProcessTests {
    // MARK: - As over sockets

    /// A script, and what is asked of it.
    struct Play: Sendable, CustomTestStringConvertible {
        let testDescription: String
        var target = "/a"
        var body: Data?
        /// In seconds.
        var timeout: TimeInterval = 20
        let script: @Sendable (inout ScriptBuilder) -> Void
    }

    static let plays = [
        Play(testDescription: "an answer") { $0.get("/a", reply: "hi") },
        Play(testDescription: "another status") { $0.get("/a", reply: .status(404, "no")) },
        Play(testDescription: "a large body") { $0.get("/a", reply: .ok(.counter(5_000_000))) },
        Play(testDescription: "chunks") { $0.get("/a", reply: .ok(.counter(50_000)).chunked(777).trailer("T", "1")) },
        Play(testDescription: "till the end") { $0.get("/a", reply: .ok(.counter(300_000)).untilClose()) },
        Play(testDescription: "an upload", body: Data(repeating: 7, count: 3_000_000)) {
            $0.post("/a", where: [.body(.bytes([UInt8](repeating: 7, count: 3_000_000)))], reply: .status(201, "in"))
        },
        Play(testDescription: "an upload that is read slowly", body: Data(repeating: 7, count: 600_000)) {
            $0.post("/a", reply: ServerReply.status(201, "in").reading(bytesPerSecond: 3_000_000))
        },
        Play(testDescription: "a slow body") {
            $0.get("/a", reply: .ok(.counter(9_000)).sending(bytesPerSecond: 90_000))
        },
        Play(testDescription: "a redirect") {
            $0.get("/a", reply: .redirect(to: "$origin/b"))
            $0.get("/b", reply: "there")
        },
        Play(testDescription: "FIN in the body") {
            $0.get("/a", reply: .ok(.counter(400_000)).fin(at: .body(100_001)))
        },
        Play(testDescription: "FIN in the head") { $0.get("/a", reply: .ok("hi").fin(at: .head(20))) },
        Play(testDescription: "FIN instead of an answer") { $0.get("/a", times: 2, reply: .fin()) },
        Play(testDescription: "RST instead of an answer") { $0.get("/a", times: 2, reply: .reset()) },
        Play(testDescription: "RST at the head of an upload", body: Data(repeating: 7, count: 3_000_000)) {
            $0.post("/a", reply: .reset(at: .requestHead))
        },
        Play(testDescription: "RST of a body that has no length") {
            $0.get("/a", reply: ServerReply.ok(.counter(3_000)).untilClose().reset(at: .end))
        },
        Play(testDescription: "the end of a body that has no length") {
            $0.get("/a", reply: ServerReply.ok(.counter(3_000)).untilClose().fin(at: .end))
        },
        Play(testDescription: "half-closed") { $0.get("/a", reply: .ok("hi").halfClose(at: .end)) },
        Play(testDescription: "garbage") { $0.get("/a", reply: .garbage()) },
        Play(testDescription: "silence", timeout: 0.4) { $0.get("/a", reply: .stall()) },
        Play(testDescription: "silence in the body", timeout: 0.4) {
            $0.get("/a", reply: .ok(.counter(5_000)).stall(at: .body(1_000)))
        },
        Play(testDescription: "reset when it was accepted") {
            for _ in 0..<2 { $0.accept(then: .reset) }
        },
        Play(testDescription: "ended when it was accepted") {
            for _ in 0..<2 { $0.accept(then: .fin) }
        },
        Play(testDescription: "refused") { $0.refuseConnections(to: "a.test") },
        Play(testDescription: "never accepted", timeout: 0.4) { $0.neverAnswerConnections(to: "a.test") },
        Play(testDescription: "not expected", target: "/b") { $0.get("/a", reply: "hi") },
        Play(testDescription: "answered before it is read", body: Data(repeating: 7, count: 3_000_000)) {
            $0.post("/a", reply: ServerReply.status(413, "no").readingOnly(0))
        },
    ]

    private func outcome(
        of play: Play, _ server: ScriptedServer, _ configuration: URLSessionConfiguration
    ) async throws -> (TransferOutcome, Verdict) {
        let session = URLSession(configuration: configuration)
        var request = try URLRequest.to(server.url + play.target)
        request.timeoutInterval = play.timeout
        if let body = play.body { (request.httpMethod, request.httpBody) = ("POST", body) }
        let outcome = await session.outcome(of: request)
        session.invalidateAndCancel()
        return (outcome, try await server.stop())
    }

    @Test(arguments: plays)
    func `what a server does is the same with a port and without one`(play: Play) async throws {
        let server = try await ScriptedServer.startInProcess { play.script(&$0) }
        let (without, verdict) = try await outcome(of: play, server, .reaching(server))
        let (with, other) = try await outcome(of: play, ScriptedServer.start { play.script(&$0) }, .ephemeral)
        #expect(without.status == with.status)
        #expect(without.code == with.code)
        #expect(without.body == with.body)
        #expect(verdict.isFulfilled == other.isFulfilled, "\(verdict)")
        #expect(verdict.requests.map(\.description) == other.requests.map(\.description))
    }

    @Test(arguments: [0, 1, 100_001, 399_999])
    func `every byte before a reset arrives`(count: Int) async throws {
        let server = try await ScriptedServer.startInProcess {
            $0.get("/a", reply: .ok(.counter(400_000)).reset(at: .body(count)))
        }
        let session = URLSession(configuration: .reaching(server))
        let outcome = try await session.outcome(of: "http://a.test/a")
        #expect(outcome.status == 200)
        #expect(outcome.body.count == count)
        #expect(outcome.code == .networkConnectionLost)
        #expect(try await server.stop().isFulfilled)
    }

    @Test func `a reset is no end in order`() async throws {
        // Without a length the end of the connection ends the body, but only FIN does.
        let server = try await ScriptedServer.startInProcess {
            $0.get("/fin", reply: ServerReply.ok("hi").untilClose())
            $0.get("/reset", reply: ServerReply.ok("hi").untilClose().reset(at: .body(2)))
        }
        let session = URLSession(configuration: .reaching(server))
        #expect(try await session.outcome(of: "http://a.test/fin").code == nil)
        #expect(try await session.outcome(of: "http://a.test/reset").code == .networkConnectionLost)
        #expect(try await server.stop().isFulfilled)
    }

    // MARK: - TLS

    @Test(arguments: [
        ServerCertificate.valid, .ecdsa, .expired, .notYetValid, .wrongHost, .selfSigned, .untrustedRoot,
    ])
    func `presets of TLS are judged without a delegate`(certificate: ServerCertificate) async throws {
        let code: URLError.Code? = [.valid, .ecdsa].contains(certificate) ? nil : .serverCertificateUntrusted
        let server = try await ScriptedServer.startInProcess {
            $0.secure(certificate)
            $0.route("GET", "/a", reply: "hi")
        }
        let session = URLSession(configuration: .reaching(server))
        #expect(server.url == "https://a.test")
        let outcome = try await session.outcome(of: server.url + "/a")
        #expect(outcome.code == code)
        #expect(outcome.body == (code == nil ? Data("hi".utf8) : Data()))
    }

    @Test func `faults of TLS strike`() async throws {
        let server = try await ScriptedServer.startInProcess {
            $0.secure()
            $0.get("/cut", reply: .ok(.counter(5_000)).truncate(at: .body(1_000)))
            $0.get("/alert", reply: .ok(.counter(5_000)).alert(.internalError, at: .body(1_000)))
            $0.get("/reset", reply: .ok(.counter(5_000)).reset(at: .body(1_000)))
            $0.get("/fine", reply: .ok(.counter(300_000)))
        }
        let session = URLSession(configuration: .reaching(server))
        for target in ["/cut", "/alert", "/reset"] {
            #expect(try await session.outcome(of: "https://a.test\(target)").code != nil, "\(target)")
        }
        #expect(try await session.outcome(of: "https://a.test/fine").body.count == 300_000)
        #expect(try await server.stop().isFulfilled)
    }

    // MARK: - Names

    @Test func `any name and any port lead to a server`() async throws {
        let server = try await ScriptedServer.startInProcess {
            $0.hosts("a.test", "b.test")
            $0.route("GET", "/", reply: "first")
            $0.route("GET", "/", host: "b.test", reply: "second")
        }
        let configuration = URLSessionConfiguration.reaching(server)
        configuration.reach(server, as: "api.example.com")
        configuration.reach(server, as: "api.example.com", port: 8080, host: "b.test")
        configuration.reach(server, as: "203.0.113.7", host: "b.test")
        let session = URLSession(configuration: configuration)
        for (url, body) in [
            ("http://a.test/", "first"), ("http://A.TEST:4711/", "first"), ("http://b.test/", "second"),
            ("http://api.example.com/", "first"), ("http://api.example.com:8080/", "second"),
            ("http://203.0.113.7/", "second"),
        ] {
            #expect(try await session.outcome(of: url).body == Data(body.utf8), "\(url)")
        }
        #expect(server.url(of: "b.test") == "http://b.test")
    }

    @Test func `a host without a server is not found, wherever it may be`() async throws {
        let server = try await ScriptedServer.startInProcess { $0.route("GET", "/", reply: "hi") }
        let listening = try await ScriptedServer.start { $0.route("GET", "/", reply: "hi") }
        let session = URLSession(configuration: .reaching(server))
        for url in ["http://b.test/", "http://localhost/", listening.url] {
            #expect(try await session.outcome(of: url).code == .cannotFindHost, "\(url)")
        }
        #expect(listening.requestCount == 0)
        #expect(try await URLSession(configuration: .reaching()).outcome(of: listening.url).code == .cannotFindHost)
        let unknown = URLSessionConfiguration.ephemeral
        unknown.reach(server, as: "a.test", host: "z.test")
        let outcome = try await URLSession(configuration: unknown).outcome(of: "http://a.test/")
        #expect(outcome.code == .cannotConnectToHost)
    }

    @Test func `one server may have every name that no other has`() async throws {
        let all = try await ScriptedServer.startInProcess { $0.route("GET", "/", reply: "all") }
        let one = try await ScriptedServer.startInProcess { $0.route("GET", "/", reply: "one") }
        let configuration = URLSessionConfiguration.reaching(one)
        configuration.reach(all, as: "*")
        let session = URLSession(configuration: configuration)
        #expect(try await session.outcome(of: "http://a.test/").body == Data("one".utf8))
        #expect(try await session.outcome(of: "http://example.com/").body == Data("all".utf8))
    }

    @Test func `a configuration keeps what it reaches, and a session what it had`() async throws {
        let server = try await ScriptedServer.startInProcess { $0.route("GET", "/", reply: "hi") }
        let configuration = URLSessionConfiguration.ephemeral
        let before = URLSession(configuration: configuration)
        configuration.reach(server)
        let copy = configuration.copy() as? URLSessionConfiguration
        let after = URLSession(configuration: try #require(copy), delegate: nil, delegateQueue: nil)
        #expect(try await after.outcome(of: "http://a.test/").body == Data("hi".utf8))
        #expect(before.configuration.network == nil)
        #expect(after.configuration.network != nil)
    }

    @Test func `a server with a port is reached in the process too`() async throws {
        let server = try await ScriptedServer.start {
            $0.route("GET", "/", reply: "hi")
            $0.route("GET", "/old", reply: .redirect(to: "$origin/"))
        }
        let session = URLSession(configuration: .reaching(server))
        #expect(try await session.outcome(of: "http://a.test/").body == Data("hi".utf8))
        #expect(try await session.outcome(of: server.url + "/old").body == Data("hi".utf8))
        #expect(try await server.stop().requestCount == 3)
    }

    @Test func `a proxy of the script is one in the process`() async throws {
        let server = try await ScriptedServer.startInProcess {
            $0.hosts("a.test", "proxy.test")
            $0.httpProxy("proxy.test")
            $0.secure()
            $0.get("/a", reply: "hi")
        }
        let configuration = URLSessionConfiguration.reaching(server)
        configuration.connectionProxyDictionary = ["HTTPSProxy": "proxy.test", "HTTPSPort": 3128]
        let session = URLSession(configuration: configuration)
        #expect(try await session.outcome(of: "https://a.test/a").body == Data("hi".utf8))
        #expect(try await server.stop().isFulfilled)
    }

    // MARK: - Several

    @Test func `two sessions have connections of their own to one server`() async throws {
        let server = try await ScriptedServer.startInProcess { $0.route("GET", "/*", reply: "hi") }
        let sessions = (0..<2).map { _ in URLSession(configuration: .reaching(server)) }
        for (index, session) in sessions.enumerated() {
            for _ in 0..<2 { #expect(try await session.outcome(of: "http://a.test/\(index)").status == 200) }
        }
        let requests = try await server.stop().requests
        #expect(requests.map(\.target) == ["/0", "/0", "/1", "/1"])
        #expect(requests.map(\.connection) == [0, 0, 1, 1])
    }

    @Test func `a thousand requests, some at a time, use few connections`() async throws {
        let server = try await ScriptedServer.startInProcess { $0.route("GET", "/*", reply: .ok(.counter(2_000))) }
        let session = URLSession(configuration: .reaching(server))
        let count = try await withThrowingTaskGroup(of: Bool.self) { group in
            for worker in 0..<10 {
                group.addTask {
                    for number in 0..<100 {
                        let request = try URLRequest.to("http://a.test/\(worker)/\(number)")
                        let (data, _) = try await session.data(for: request)
                        guard data.count == 2_000 else { return false }
                    }
                    return true
                }
            }
            return try await group.reduce(0) { $0 + ($1 ? 100 : 0) }
        }
        #expect(count == 1_000)
        let verdict = try await server.stop()
        #expect(verdict.requestCount == 1_000)
        #expect(Set(verdict.requests.map(\.connection)).count <= 6)
    }

    @Test func `many servers and sessions work side by side`() async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<20 {
                group.addTask {
                    let server = try await ScriptedServer.startInProcess { $0.get("/", reply: .ok(.text("\(number)"))) }
                    let session = URLSession(configuration: .reaching(server))
                    #expect(try await session.outcome(of: "http://a.test/").body == Data("\(number)".utf8))
                    #expect(try await server.stop().isFulfilled)
                }
            }
            try await group.waitForAll()
        }
    }

    // MARK: - Ends

    @Test func `a server that stops ends its connections and takes no others`() async throws {
        let server = try await ScriptedServer.startInProcess {
            $0.get("/a", reply: .ok(.counter(5_000)).stall(at: .body(1_000)))
        }
        let session = URLSession(configuration: .reaching(server))
        async let outcome = session.outcome(of: "http://a.test/a")
        while server.requestCount == 0 { await Task.yield() }
        _ = try await server.stop()
        #expect(try await outcome.code == .networkConnectionLost)
        #expect(try await session.outcome(of: "http://a.test/a").code == .cannotConnectToHost)
    }

    @Test func `a session that is invalidated ends its connections, those that are not answered too`() async throws {
        let server = try await ScriptedServer.startInProcess {
            $0.hosts("a.test", "b.test")
            $0.route("GET", "/a", reply: .stall())
            $0.neverAnswerConnections(to: "b.test")
        }
        let session = URLSession(configuration: .reaching(server))
        async let stalled = session.outcome(of: "http://a.test/a")
        async let unanswered = session.outcome(of: "http://b.test/a")
        while server.requestCount == 0 { await Task.yield() }
        session.invalidateAndCancel()
        #expect(try await stalled.code == .cancelled)
        #expect(try await unanswered.code == .cancelled)
        while !server.journal.contains(where: { $0.kind == .closed(byClient: true) }) { await Task.yield() }
        #expect(try await server.stop().isFulfilled)
    }

    // MARK: - Metrics

    // BEHAVIOUR 2.G3
    @Test func `metrics have the name and the port of the URL in the place of an address`() async throws {
        let server = try await ScriptedServer.startInProcess { $0.route("GET", "/*", reply: "hi") }
        let session = URLSession(configuration: .reaching(server))
        for isReused in [false, true] {
            let collector = OutcomeCollector()
            let task = session.dataTask(with: try URLRequest.to("http://a.test:8080/a"))
            #expect(await collector.outcome(of: task).code == nil)
            let transaction = try #require(collector.metrics?.transactionMetrics.first)
            #expect(transaction.remoteAddress == "a.test")
            #expect(transaction.remotePort == 8080)
            #expect(transaction.localAddress == nil)
            #expect(transaction.localPort == nil)
            #expect(transaction.isReusedConnection == isReused)
            #expect(transaction.networkProtocolName == "http/1.1")
            #expect((transaction.connectStartDate == nil) == isReused)
        }
    }
}
