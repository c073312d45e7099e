import Foundation
import ScriptedServer
import SessionNetworking
import TestSupport
import Testing

// snippet
final class OwnAuthority: NSObject, URLSessionDelegate {
    let authority: SecCertificate

    init(_ authority: SecCertificate) { self.authority = authority }

    func urlSession(
        _ session: URLSession, didReceive challenge: URLAuthenticationChallenge
    ) async -> (URLSession.AuthChallengeDisposition, URLCredential?) {
        guard let trust = challenge.protectionSpace.serverTrust else { return (.performDefaultHandling, nil) }
        _ = SecTrustSetAnchorCertificates(trust, [authority] as CFArray)
        _ = SecTrustSetAnchorCertificatesOnly(trust, true)
        guard SecTrustEvaluateWithError(trust, nil) else { return (.cancelAuthenticationChallenge, nil) }
        return (.useCredential, URLCredential(trust: trust))
    }
}
// end

// snippet
final class PinnedKey: NSObject, URLSessionTaskDelegate {
    let key: Data

    init(_ key: Data) { self.key = key }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge
    ) async -> (URLSession.AuthChallengeDisposition, URLCredential?) {
        guard let trust = challenge.protectionSpace.serverTrust else { return (.performDefaultHandling, nil) }
        let shown = SecTrustCopyKey(trust).flatMap { SecKeyCopyExternalRepresentation($0, nil) } as Data?
        guard shown == key else { return (.cancelAuthenticationChallenge, nil) }
        // The key is the right one; the rules have to agree, too.
        return (.performDefaultHandling, nil)
    }
}
// end

// snippet
final class RevocationRequired: NSObject, URLSessionDelegate {
    func urlSession(
        _ session: URLSession, didReceive challenge: URLAuthenticationChallenge
    ) async -> (URLSession.AuthChallengeDisposition, URLCredential?) {
        let space = challenge.protectionSpace
        guard let trust = space.serverTrust,
            let revocation = SecPolicyCreateRevocation(
                kSecRevocationUseAnyAvailableMethod | kSecRevocationRequirePositiveResponse)
        else { return (.performDefaultHandling, nil) }
        _ = SecTrustSetPolicies(trust, [SecPolicyCreateSSL(true, space.host as CFString), revocation] as CFArray)
        guard SecTrustEvaluateWithError(trust, nil) else { return (.cancelAuthenticationChallenge, nil) }
        return (.useCredential, URLCredential(trust: trust))
    }
}
// end

/// Trusts the authority of the tests, and asks the other one.
private final class Anchored: NSObject, URLSessionDelegate {
    let authority: SecCertificate
    let inner = RevocationRequired()

    init(_ authority: SecCertificate) { self.authority = authority }

    func urlSession(
        _ session: URLSession, didReceive challenge: URLAuthenticationChallenge
    ) async -> (URLSession.AuthChallengeDisposition, URLCredential?) {
        challenge.protectionSpace.serverTrust.map { _ = SecTrustSetAnchorCertificates($0, [authority] as CFArray) }
        return await inner.urlSession(session, didReceive: challenge)
    }
}

@Suite(.endsInTime) struct TrustSnippets {
    private static func load(
        _ delegate: some URLSessionDelegate, staple: StapledResponse? = nil
    ) async throws -> String {
        let server = try await ScriptedServer.start {
            $0.secure(staple: staple)
            $0.get("/", reply: "hello")
        }
        let url = try #require(URL(string: server.url))
        let session = URLSession(configuration: .ephemeral, delegate: delegate, delegateQueue: nil)
        defer { session.invalidateAndCancel() }
        do {
            let (data, _) = try await session.data(from: url)
            #expect(try await server.stop().isFulfilled)
            return String(decoding: data, as: UTF8.self)
        } catch {
            _ = try await server.stop()
            throw error
        }
    }

    private static func authority() throws -> SecCertificate {
        try #require(SecCertificateCreateWithData(nil, Data(ServerCertificate.authority) as CFData))
    }

    @Test func `a server of the own authority is trusted, another one is not`() async throws {
        #expect(try await Self.load(OwnAuthority(Self.authority())) == "hello")
    }

    @Test func `a key that is not the pinned one ends the task`() async throws {
        let error = await #expect(throws: URLError.self) { try await Self.load(PinnedKey(Data([1, 2, 3]))) }
        #expect(error?.code == .cancelled)
    }

    @Test func `a response that is required must be there, and be good`() async throws {
        let anchored = try Anchored(Self.authority())
        for staple in [StapledResponse.good, .delegated] {
            #expect(try await Self.load(anchored, staple: staple) == "hello")
        }
        for staple in [
            nil, .revoked, .unknown, .expired, .notYetValid, .wrongSigner, .wrongUsage, .wrongCertificate, .malformed,
        ] as [StapledResponse?] {
            let error = await #expect(throws: URLError.self) { try await Self.load(anchored, staple: staple) }
            #expect(error?.code == .cancelled)
        }
    }

    @Test func `an identity is read from two files`() throws {
        var folder = URL(fileURLWithPath: #filePath)
        for _ in 0..<3 { folder.deleteLastPathComponent() }
        let certificate = try Data(contentsOf: folder.appendingPathComponent("certs/client.pem"))
        let key = try Data(contentsOf: folder.appendingPathComponent("certs/client.key"))
        // snippet
        let identity = try SecIdentity(certificatePEM: certificate, privateKeyPEM: key)
        let credential = URLCredential(identity: identity, certificates: nil, persistence: .forSession)
        // end
        #expect(credential.identity === identity)
    }
}
