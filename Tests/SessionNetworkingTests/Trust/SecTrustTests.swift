import Foundation
import HTTPBasics
import TLSBasics
import TLSEngine
import TestSupport
import Testing

@testable import SessionNetworking

@Suite("Trust: settings and answers", .endsInTime)
struct SecTrustTests {
    let fixture: TrustFixture
    let server, authority: SecCertificate

    init() throws {
        fixture = try TrustFixture.shared.get()
        server = try SecCertificate.certificates(pem: fixture.data("server.pem"))[0]
        authority = try SecCertificate.certificates(pem: fixture.data("authority.pem"))[0]
    }

    /// As a session makes it.
    private func trust(host: String = "api.example.com", days: Int64 = 1) throws -> SecTrust {
        let start = try #require(server.certificate.notBefore)
        return SecTrust(
            PeerCertificates(chain: [server.certificate.bytes]), host: host,
            store: TrustStore(anchors: [authority.certificate.bytes]),
            date: UnixTime(seconds: start.seconds + days * 86_400))
    }

    private func error(of trust: SecTrust) -> CFError? {
        var error: CFError?
        #expect(SecTrustEvaluateWithError(trust, &error) == (error == nil))
        return error
    }

    @Test("A session's trust is evaluated at the world's date")
    func session() throws {
        #expect(error(of: try trust()) == nil)
        #expect(try trust().evaluate() == .success([server, authority].map(\.certificate.bytes)))
        let expired = try #require(error(of: try trust(days: 301)))
        #expect(expired.domain == NSOSStatusErrorDomain && expired.code == Int(errSecCertificateExpired))
        #expect(expired.localizedDescription == "“Test Server” certificate is expired")
        #expect(expired.localizedFailureReason?.contains("it was valid until") == true)
        #expect(error(of: try trust(days: -1))?.code == Int(errSecCertificateNotValidYet))
        let other = try #require(error(of: try trust(host: "x.example")))
        #expect(CFErrorGetCode(other) == Int(errSecHostNameMismatch))
        #expect(CFErrorCopyDescription(other) as String == "“Test Server” certificate name does not match input")
    }

    @Test("Settings change the answer")
    func settings() throws {
        let trust = try trust(days: 400)
        #expect(error(of: trust)?.code == Int(errSecCertificateExpired))
        var result = SecTrustResultType.invalid
        SecTrustGetTrustResult(trust, &result)
        #expect(result == .recoverableTrustFailure)
        let start = try #require(SecCertificateCopyNotValidBeforeDate(server)) as Date
        SecTrustSetVerifyDate(trust, start.addingTimeInterval(86_400) as CFDate)
        #expect(SecTrustGetVerifyTime(trust) == start.timeIntervalSinceReferenceDate + 86_400)
        SecTrustGetTrustResult(trust, &result)
        #expect(result == .invalid)
        #expect(error(of: trust) == nil)
        SecTrustGetTrustResult(trust, &result)
        #expect(result == .unspecified)
        SecTrustSetPolicies(trust, [SecPolicyCreateBasicX509(), SecPolicyCreateSSL(false, nil)] as CFArray)
        #expect(error(of: trust)?.code == Int(errSecInvalidExtendedKeyUsage))
        var policies: CFArray?
        SecTrustCopyPolicies(trust, &policies)
        #expect(policies as? [SecPolicy] == [SecPolicyCreateBasicX509(), SecPolicyCreateSSL(false, nil)])
        SecTrustSetPolicies(trust, SecPolicyCreateBasicX509())
        #expect(error(of: trust) == nil)
    }

    @Test("Anchors replace the store's until one says otherwise")
    func anchors() throws {
        let trust = try trust()
        let other = try #require(SecCertificateCreateWithData(nil, fixture.data("other.cer") as CFData))
        SecTrustSetAnchorCertificates(trust, [other] as CFArray)
        #expect(error(of: trust)?.code == Int(errSecNotTrusted))
        SecTrustSetAnchorCertificatesOnly(trust, false)
        #expect(error(of: trust) == nil)
        SecTrustSetAnchorCertificatesOnly(trust, true)
        SecTrustSetAnchorCertificates(trust, [server] as CFArray)
        #expect(error(of: trust) == nil)
        #expect(SecTrustCopyCertificateChain(trust) as? [SecCertificate] == [server])
        var anchors: CFArray?
        SecTrustCopyCustomAnchorCertificates(trust, &anchors)
        #expect(anchors as? [SecCertificate] == [server])
        SecTrustSetAnchorCertificates(trust, nil)
        #expect(error(of: trust) == nil)
        #expect(SecTrustSetAnchorCertificates(trust, ["x"] as CFArray) == errSecParam)
        #expect(SecTrustGetCertificateCount(trust) == 2)
    }

    @Test("Wrong arguments are told")
    func arguments() throws {
        var trust: SecTrust?
        #expect(SecTrustCreateWithCertificates("x" as CFString, nil, &trust) == errSecParam)
        #expect(SecTrustCreateWithCertificates([] as CFArray, nil, &trust) == errSecParam)
        #expect(SecTrustCreateWithCertificates(server, server, &trust) == errSecParam)
        #expect(trust == nil)
        #expect(SecTrustCreateWithCertificates(server, nil, &trust) == errSecSuccess)
        let made = try #require(trust)
        #expect(error(of: made)?.code == Int(errSecNotTrusted))
        #expect(SecTrustCopyCertificateChain(made) as? [SecCertificate] == [server])
        for date in [
            Date.distantPast, .distantFuture, Date(timeIntervalSince1970: .infinity), Date(timeIntervalSince1970: .nan),
        ] {
            #expect(SecTrustSetVerifyDate(made, date as CFDate) == errSecSuccess)
            #expect(error(of: made) != nil)
        }
    }

    @Test("An answer comes on the queue that is named")
    func asynchronous() async throws {
        let trust = try trust(host: "x.example")
        let code = await withCheckedContinuation { continuation in
            SecTrustEvaluateAsyncWithError(trust, DispatchQueue.global()) { _, isTrusted, error in
                continuation.resume(returning: isTrusted ? 0 : error?.code)
            }
        }
        #expect(code == Int(errSecHostNameMismatch))
    }

    @Test("A challenge without a readable certificate is refused")
    func unreadable() {
        let trust = SecTrust(
            PeerCertificates(chain: [CertificateBytes(der: [1])]), host: "x.example", store: nil,
            date: UnixTime(seconds: 0))
        #expect(error(of: trust)?.code == Int(errSecDecode))
        #expect(SecTrustCopyCertificateChain(trust) == nil && SecTrustCopyKey(trust) == nil)
        #expect(SecTrustGetCertificateCount(trust) == 0)
    }

    @available(*, deprecated)
    private func olderCalls(_ trust: SecTrust) -> (SecTrustResultType, String?) {
        var result = SecTrustResultType.invalid
        SecTrustEvaluate(trust, &result)
        let certificate = SecTrustGetCertificateAtIndex(trust, 0)
        #expect(SecTrustGetCertificateAtIndex(trust, 9) == nil && SecTrustGetCertificateAtIndex(trust, -1) == nil)
        #expect(SecTrustCopyPublicKey(trust) == SecTrustCopyKey(trust))
        return (result, certificate.flatMap(SecCertificateCopySubjectSummary) as String?)
    }

    @Test("The deprecated calls answer too")
    @available(*, deprecated)
    func older() throws {
        let (result, summary) = olderCalls(try trust())
        #expect(result == .unspecified && summary == "Test Server")
    }
}
