import ClientTLS
import Foundation
import Locks
import ScriptedServer
import ServerScript
import TLSEngine
import TestCertificates
import TestSupport
import Testing

@testable import SessionNetworking

@Suite(.endsInTime) struct FloodDuringAQuestionTests {
    /// Answers when it is told to.
    private final class Hesitant: NSObject, URLSessionDelegate, @unchecked Sendable {
        // Safety: what it keeps is behind a lock.
        typealias Answer = @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
        private let answer = Lock<Answer?>(nil)
        let asked = AsyncStream<Void>.makeStream()

        func urlSession(
            _ session: URLSession, didReceive challenge: URLAuthenticationChallenge,
            completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
        ) {
            answer.withLock { $0 = completionHandler }
            asked.continuation.finish()
        }

        func cancel() { answer.withLock { $0 }?(.cancelAuthenticationChallenge, nil) }
    }

    /// What the kernel has of a server's bytes that the client has not read: a line of /proc/net/tcp has both ends'
    /// addresses as `IP:PORT`, a state, and what waits to be sent and to be read, all in hexadecimal.
    private static func unread(from port: Int) throws -> Int {
        // `String(contentsOfFile:)` takes the first page for all of a file that does not know its length.
        let file = try FileHandle(forReadingFrom: URL(fileURLWithPath: "/proc/net/tcp"))
        let text = String(decoding: try file.readToEnd() ?? Data(), as: UTF8.self)
        return text.split(separator: "\n").dropFirst().reduce(0) { sum, line in
            let words = line.split(separator: " ")
            guard words.count > 4 else { return sum }
            let ends = words[1...2].map { $0.split(separator: ":").last.flatMap { Int($0, radix: 16) } }
            let queues = words[4].split(separator: ":").map { Int($0, radix: 16) ?? 0 }
            guard queues.count == 2, words[3] == "01" else { return sum }
            return sum + (ends[0] == port ? queues[0] : ends[1] == port ? queues[1] : 0)
        }
    }

    private static func server(flooding: Bool) async throws -> ScriptedServer {
        var script = Script(routes: [Route(Exchange(RequestMatch("GET", "/a"), reply: Reply(status: 200)))])
        if flooding {
            script.tls["a.test"] = HostTLS()
            script.tls["a.test"]?.fault = HandshakeFault(at: .serverHello, do: .flood)
        }
        return try await ScriptedServer.start(script: script)
    }

    // BEHAVIOUR 2.B1-bound
    @Test func `of a mebibyte that a server sends while it is looked at little is read`() async throws {
        let flooding = try await Self.server(flooding: true), other = try await Self.server(flooding: false)
        let url = try #require(URL(string: flooding.url + "/a")), plain = try #require(URL(string: other.url + "/a"))
        let port = try #require(url.port), delegate = Hesitant()
        let tls = SessionTLS.Surroundings(library: .system, store: TrustStore(anchors: TestCertificates.authority))
        let session = URLSession(
            configuration: .ephemeral, delegate: delegate, delegateQueue: nil, world: .sockets(tls: tls))
        let task = Task { try await session.data(from: url) }
        for await _ in delegate.asked.stream {}
        // 64 KiB, and what one read may bring beyond that.
        let least = (1 << 20) - (192 << 10)
        var turns = 0
        // The session's loop has a turn for each of these requests, in which it could read on.
        while try Self.unread(from: port) < least, turns < 1_000 {
            _ = try await session.data(from: plain)
            turns += 1
        }
        for _ in 0..<50 { _ = try await session.data(from: plain) }
        let unread = try Self.unread(from: port)
        #expect(unread >= least, "\(unread) bytes are unread")
        delegate.cancel()
        await #expect(throws: URLError.self) { try await task.value }
        session.invalidateAndCancel()
        try await flooding.stop()
        try await other.stop()
    }
}
