import Foundation
import ScriptedServer
import Testing

#if PARITY_FOUNDATION
import FoundationNetworking
#else
import SessionNetworking
#endif

/// What needs a server.
@Suite("Served")
struct ServedParity {
    private static func server(_ reply: ServerReply) async throws -> ScriptedServer {
        try await ScriptedServer.start { $0.otherwise(reply) }
    }

    private func request(_ path: String, of server: ScriptedServer) throws -> URLRequest {
        URLRequest(url: try url(server.url + path))
    }

    // BEHAVIOUR 1.B1-12
    @Test func `the delegate of an asynchronous call hears its body, the session's does not`() async throws {
        try await played {
            let server = try await Self.server(.ok("sixsix"))
            let other = Listener()
            let session = URLSession(configuration: .ephemeral, delegate: other, delegateQueue: nil)
            var post = try request("/in", of: server)
            post.httpMethod = "POST"
            let (loaded, sent, saved) = (Listener(), Listener(), Listener())
            #expect(try await session.data(for: request("/a", of: server), delegate: loaded).0.count == 6)
            #expect(try await session.upload(for: post, from: Data([1]), delegate: sent).0.count == 6)
            let (file, _) = try await session.download(for: request("/b", of: server), delegate: saved)
            try? FileManager.default.removeItem(at: file)
            for listener in [loaded, sent, saved] { #expect(await listener.heard(6) == 6) }
            #expect(other.heardSoFar == 0)
            session.invalidateAndCancel()
            try await server.stop()
        }
    }

    // BEHAVIOUR 1.H1-cancel, 1.H1-all
    @Test func `right after invalidateAndCancel no task reads running, and none is listed`() async throws {
        try await played {
            let server = try await Self.server(.ok("sixsix").stall(at: .body(3)))
            let listener = Listener()
            let session = URLSession(configuration: .ephemeral, delegate: listener, delegateQueue: nil)
            let tasks = try ["/a", "/b"].map { session.dataTask(with: try request($0, of: server)) }
            tasks[0].resume()
            // FoundationNetworking traps when it is invalidated while a task begins.
            #expect(await listener.heard(3) == 3)
            session.invalidateAndCancel()
            for task in tasks { #expect(task.state == .canceling || task.state == .completed) }
            let listed = await withCheckedContinuation { continuation in
                session.getAllTasks { continuation.resume(returning: $0.count) }
            }
            #expect(listed == 0)
            try await server.stop()
        }
    }

    // BEHAVIOUR 1.A6-text
    @Test func `a cancelled task and a loop of redirects describe themselves in Foundation's words`() async throws {
        try await played {
            let server = try await ScriptedServer.start { script in
                script.route("GET", "/loop", reply: .redirect(to: "/loop"))
                script.route("GET", "/silent", reply: .stall())
            }
            let session = URLSession(configuration: .ephemeral)
            func text(of request: URLRequest, cancelled: Bool) async -> String? {
                await withCheckedContinuation { continuation in
                    let task = session.dataTask(with: request) { _, _, error in
                        continuation.resume(returning: error?.localizedDescription)
                    }
                    task.resume()
                    if cancelled { task.cancel() }
                }
            }
            #expect(await text(of: try request("/loop", of: server), cancelled: false) == "too many HTTP redirects")
            #expect(await text(of: try request("/silent", of: server), cancelled: true) == "cancelled")
            session.invalidateAndCancel()
            try await server.stop()
        }
    }

    // BEHAVIOUR 1.C1-305
    @Test(arguments: [305, 306]) func `whether an old status redirects`(status: Int) async throws {
        try await played {
            let server = try await ScriptedServer.start { script in
                script.route("GET", "/start", reply: .redirect(to: "/end", status: status))
                script.route("GET", "/end", reply: "end")
            }
            let (_, response) = try await URLSession(configuration: .ephemeral).data(for: request("/start", of: server))
            #if PARITY_FOUNDATION
            #expect((response as? HTTPURLResponse)?.statusCode == 200)
            #else
            #expect((response as? HTTPURLResponse)?.statusCode == status)
            #endif
            try await server.stop()
        }
    }

    // BEHAVIOUR 2.I13
    @Test(arguments: [200, 299, 600, 999]) func `a status of three digits is one`(status: Int) async throws {
        try await played {
            let server = try await Self.server(.status(status, "body"))
            let (_, response) = try await URLSession(configuration: .ephemeral).data(for: request("/", of: server))
            #expect((response as? HTTPURLResponse)?.statusCode == status)
            try await server.stop()
        }
    }

    private static func vault() async throws -> ScriptedServer {
        try await ScriptedServer.start { script in
            script.route("GET", "/", where: [.basic(user: "ann", password: "s3cret")], reply: "open")
            script.otherwise(.basicChallenge(realm: "vault"))
        }
    }

    // BEHAVIOUR 2.A8
    @Test func `a task's own delegate is asked before the session's`() async throws {
        try await played {
            let server = try await Self.vault()
            let (own, other) = (Listener(), Listener())
            let session = URLSession(configuration: .ephemeral, delegate: other, delegateQueue: nil)
            let request = try request("/", of: server)
            let body = await withCheckedContinuation { continuation in
                let task = session.dataTask(with: request) { data, _, _ in continuation.resume(returning: data) }
                task.delegate = own
                task.resume()
            }
            #expect(body == Data("open".utf8))
            #expect(own.challenges == 1)
            #expect(other.challenges == 0)
            session.invalidateAndCancel()
            try await server.stop()
        }
    }

    // BEHAVIOUR 2.A8
    @Test func `whose delegate an asynchronous call asks`() async throws {
        try await played {
            let server = try await Self.vault()
            let request = try request("/", of: server)
            let (own, other, alone) = (Listener(), Listener(), Listener())
            let session = URLSession(configuration: .ephemeral, delegate: other, delegateQueue: nil)
            let (body, _) = try await session.data(for: request, delegate: own)
            #expect(body == Data("open".utf8))
            let bare = URLSession(configuration: .ephemeral)
            #if PARITY_FOUNDATION
            #expect(own.challenges == 0 && other.challenges == 1)
            await #expect(throws: StandsStill.self) {
                try await played(within: 1) { _ = try await bare.data(for: request, delegate: alone) }
            }
            #else
            #expect(own.challenges == 1 && other.challenges == 0)
            #expect(try await bare.data(for: request, delegate: alone).0 == body)
            #expect(alone.challenges == 1)
            #endif
            session.invalidateAndCancel()
            try await server.stop()
        }
    }

    // BEHAVIOUR 2.A17
    @Test func `whether a server's space is equal to one that the app makes`() async throws {
        try await played {
            let server = try await Self.vault()
            let listener = Listener()
            let session = URLSession(configuration: .ephemeral, delegate: listener, delegateQueue: nil)
            session.dataTask(with: try request("/", of: server)).resume()
            await listener.completion()
            let space = try #require(listener.space)
            let same = URLProtectionSpace(
                host: space.host, port: space.port, protocol: "http", realm: "vault",
                authenticationMethod: NSURLAuthenticationMethodHTTPBasic)
            #expect(space.protocol == "http" && space.realm == "vault")
            #if PARITY_FOUNDATION
            #expect(space != same)
            #else
            #expect(space == same)
            #endif
            session.invalidateAndCancel()
            try await server.stop()
        }
    }

    // BEHAVIOUR 2.F20
    @Test func `what a request says of its client`() async throws {
        try await played {
            let server = try await Self.server(.ok())
            _ = try await URLSession(configuration: .ephemeral).data(for: request("/", of: server))
            let first = try #require(server.requests.first)
            #if PARITY_FOUNDATION
            #expect(first.header("User-Agent")?.contains("curl/") == true)
            #expect(first.header("Accept-Encoding")?.contains("br") == true)
            #else
            #expect(first.header("User-Agent")?.contains("Understudy/") == true)
            #expect(first.header("Accept-Encoding") == "gzip, deflate")
            #endif
            try await server.stop()
        }
    }

    // BEHAVIOUR 2.G4
    @Test func `whether metrics are told`() async throws {
        try await played {
            let server = try await Self.server(.ok("body"))
            let listener = Listener()
            let session = URLSession(configuration: .ephemeral, delegate: listener, delegateQueue: nil)
            let task = session.dataTask(with: try request("/", of: server))
            task.resume()
            #expect(await listener.heard(4) == 4)
            await listener.completion()
            #if PARITY_FOUNDATION
            #expect(listener.metrics == 0)
            #else
            #expect(listener.metrics == 1)
            #endif
            session.invalidateAndCancel()
            try await server.stop()
        }
    }
}

/// Counts what it is told and asked.
private final class Listener: NSObject, URLSessionDataDelegate, URLSessionDownloadDelegate, @unchecked Sendable {
    // Safety: all of it is behind the lock.
    private let lock = NSLock()
    private var bytes: Int64 = 0
    private var asking: [URLProtectionSpace] = []
    private var measured = 0
    private var isComplete = false
    private var waiting: (isOver: (Listener) -> Bool, continuation: CheckedContinuation<Void, Never>)?

    var heardSoFar: Int64 { lock.withLock { bytes } }
    var challenges: Int { lock.withLock { asking.count } }
    var space: URLProtectionSpace? { lock.withLock { asking.last } }
    var metrics: Int { lock.withLock { measured } }

    /// FoundationNetworking tells a body of a call that has returned already.
    func heard(_ count: Int64) async -> Int64 {
        await wait { $0.bytes >= count }
        return heardSoFar
    }

    func completion() async { await wait { $0.isComplete } }

    private func wait(until isOver: @escaping (Listener) -> Bool) async {
        await withCheckedContinuation { continuation in
            let isOverNow = lock.withLock {
                if isOver(self) { return true }
                waiting = (isOver, continuation)
                return false
            }
            if isOverNow { continuation.resume() }
        }
    }

    private func note(_ change: () -> Void) {
        let over = lock.withLock { () -> CheckedContinuation<Void, Never>? in
            change()
            guard let waiting, waiting.isOver(self) else { return nil }
            self.waiting = nil
            return waiting.continuation
        }
        over?.resume()
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        note { bytes += Int64(data.count) }
    }

    func urlSession(
        _ session: URLSession, downloadTask: URLSessionDownloadTask, didWriteData bytesWritten: Int64,
        totalBytesWritten: Int64, totalBytesExpectedToWrite: Int64
    ) {
        note { bytes += bytesWritten }
    }

    func urlSession(
        _ session: URLSession, downloadTask: URLSessionDownloadTask, didFinishDownloadingTo location: URL
    ) {}

    func urlSession(
        _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        note { asking.append(challenge.protectionSpace) }
        completionHandler(.useCredential, URLCredential(user: "ann", password: "s3cret", persistence: .none))
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, didFinishCollecting metrics: URLSessionTaskMetrics
    ) {
        note { measured += 1 }
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        note { isComplete = true }
    }
}
