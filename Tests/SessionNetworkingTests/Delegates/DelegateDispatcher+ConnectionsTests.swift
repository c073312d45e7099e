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

@Suite(.endsInTime) struct ConnectionChallengeTests {
    /// Remembers which method was called, and accepts what it is asked about.
    private class Recorder: NSObject, @unchecked Sendable {
        // Safety: the calls are behind a lock.
        let calls = Lock<[String]>([])

        func accept(_ challenge: URLAuthenticationChallenge, _ name: String) -> URLCredential? {
            calls.withLock { $0.append(name) }
            return challenge.protectionSpace.serverTrust.map { URLCredential(trust: $0) }
        }
    }

    private final class SessionLevel: Recorder, URLSessionTaskDelegate, @unchecked Sendable {
        // Safety: adds no state.
        func urlSession(
            _ session: URLSession, didReceive challenge: URLAuthenticationChallenge,
            completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
        ) {
            completionHandler(.useCredential, accept(challenge, "session"))
        }

        func urlSession(
            _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
            completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
        ) {
            completionHandler(.useCredential, accept(challenge, "task"))
        }
    }

    private final class AsyncSessionLevel: Recorder, URLSessionDelegate, @unchecked Sendable {
        // Safety: adds no state.
        func urlSession(
            _ session: URLSession, didReceive challenge: URLAuthenticationChallenge
        ) async -> (URLSession.AuthChallengeDisposition, URLCredential?) {
            (.useCredential, accept(challenge, "session, async"))
        }
    }

    private final class TaskLevel: Recorder, URLSessionTaskDelegate, @unchecked Sendable {
        // Safety: adds no state.
        func urlSession(
            _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
            completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
        ) {
            completionHandler(.useCredential, accept(challenge, "task"))
        }
    }

    private final class Silent: NSObject, URLSessionTaskDelegate {}

    private static func server(_ preset: CertificatePreset) async throws -> ScriptedServer {
        let reply = Reply(status: 200)
        var script = Script(routes: [Route(Exchange(RequestMatch("GET", "/a"), reply: reply))])
        script.tls["a.test"] = HostTLS(preset)
        return try await ScriptedServer.start(script: script)
    }

    private static func session(_ delegate: (any URLSessionDelegate)?) -> URLSession {
        let tls = SessionTLS.Surroundings(
            library: .system, store: TrustStore(anchors: TestCertificates.authority))
        return URLSession(
            configuration: .ephemeral, delegate: delegate, delegateQueue: nil, world: .sockets(tls: tls))
    }

    // BEHAVIOUR 2.A2
    @Test func `the session-level method is asked first and the task-level one where there is none`() async throws {
        let server = try await Self.server(.selfSigned)
        let url = try #require(URL(string: server.url + "/a"))
        let recorders: [(any URLSessionDelegate & Recorder, String)] = [
            (SessionLevel(), "session"), (AsyncSessionLevel(), "session, async"), (TaskLevel(), "task"),
        ]
        for (recorder, name) in recorders {
            let session = Self.session(recorder)
            _ = try await session.data(from: url)
            _ = try await session.data(from: url)
            session.invalidateAndCancel()
            #expect(recorder.calls.withLock { $0 } == [name], "one connection, one question")
        }
        try await server.stop()
    }

    // BEHAVIOUR 2.A8
    @Test func `a tasks own delegate is asked before the sessions and the latter if the former has no method`()
        async throws
    {
        let server = try await Self.server(.selfSigned)
        let url = try #require(URL(string: server.url + "/a"))
        let ofSession = SessionLevel(), ofTask = TaskLevel()
        let session = Self.session(ofSession)
        _ = try await session.data(from: url, delegate: ofTask)
        #expect(ofTask.calls.withLock { $0 } == ["task"])
        #expect(ofSession.calls.withLock { $0 } == [])
        _ = try await session.data(from: url, delegate: Silent())
        #expect(ofSession.calls.withLock { $0 } == ["session"])
        session.invalidateAndCancel()
        try await server.stop()
    }

    // BEHAVIOUR 2.B1-info
    @Test func `an error shows the certificates and says what is wrong with them`() async throws {
        let server = try await Self.server(.expired)
        let session = Self.session(nil)
        let url = try #require(URL(string: server.url + "/a"))
        let error = await #expect(throws: URLError.self) { try await session.data(from: url) }
        #expect(error?.code == .serverCertificateUntrusted)
        let chain = error?.userInfo["NSErrorPeerCertificateChainKey"] as? [SecCertificate]
        #expect(chain?.count == 2)
        let trust = error?.userInfo[NSURLErrorFailingURLPeerTrustErrorKey] as? SecTrust
        #expect(trust.map(SecTrustGetCertificateCount) == 2)
        let reason = error?.userInfo[NSLocalizedFailureReasonErrorKey] as? String
        #expect(reason?.contains("2019") == true, "\(reason ?? "")")
        let underlying = error?.userInfo[NSUnderlyingErrorKey] as? NSError
        #expect(underlying?.code == Int(errSecCertificateExpired))
        session.invalidateAndCancel()
        try await server.stop()
    }

    // BEHAVIOUR 2.B1-codes: a scenario cannot say it, as its server finds fault with such a client.
    @Test func `TLS on a port of plain HTTP is not secure`() async throws {
        let script = Script(routes: [Route(Exchange(RequestMatch("GET", "/a"), reply: Reply(status: 200)))])
        let server = try await ScriptedServer.start(script: script)
        let session = Self.session(nil)
        let url = try #require(URL(string: server.url.replacing("http://", with: "https://") + "/a"))
        let error = await #expect(throws: URLError.self) { try await session.data(from: url) }
        #expect(error?.code == .secureConnectionFailed)
        session.invalidateAndCancel()
        _ = try await server.stop()
    }

    /// Shows no certificate, and remembers which issuers were wanted and what was agreed upon.
    private final class Witness: NSObject, URLSessionTaskDelegate, @unchecked Sendable {
        // Safety: what it keeps is behind locks.
        let issuers = Lock<[Data]?>(nil)
        let suites = Lock<[tls_ciphersuite_t?]>([])

        func urlSession(
            _ session: URLSession, didReceive challenge: URLAuthenticationChallenge,
            completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
        ) {
            if let names = challenge.protectionSpace.distinguishedNames { issuers.withLock { $0 = names } }
            completionHandler(.performDefaultHandling, nil)
        }

        func urlSession(
            _ session: URLSession, task: URLSessionTask, didFinishCollecting metrics: URLSessionTaskMetrics
        ) {
            suites.withLock { $0 = metrics.transactionMetrics.map(\.negotiatedTLSCipherSuite) }
        }
    }

    // BEHAVIOUR 2.B1-client
    @Test func `a delegate is told the issuers that a server accepts and metrics the suite that was agreed upon`()
        async throws
    {
        var script = Script(routes: [Route(Exchange(RequestMatch("GET", "/a"), reply: Reply(status: 200)))])
        script.tls["a.test"] = HostTLS(.valid)
        script.tls["a.test"]?.clientCertificate = .optional
        script.tls["a.test"]?.versions = .tls12 ... .tls12
        let server = try await ScriptedServer.start(script: script)
        let witness = Witness()
        let session = Self.session(witness)
        _ = try await session.data(from: #require(URL(string: server.url + "/a")))
        let issuers = TestCertificates.clientAuthority.compactMap { X509Certificate($0)?.subject.der }
        #expect(witness.issuers.withLock { $0 } == issuers.map { Data($0) })
        session.finishTasksAndInvalidate()
        #expect(witness.suites.withLock { $0 } == [.ECDHE_RSA_WITH_AES_256_GCM_SHA384])
        _ = try await server.stop()
    }
}
