import Foundation
import HTTPBasics
import TLSBasics
import TLSEngine
import TestCertificates
import TestSupport
import Testing

@testable import SessionNetworking

@Suite("Trust: revocation", .endsInTime)
struct SecTrustRevocationTests {
    private struct NoPreset: Error {}

    private static let now = UnixTime(seconds: 1_770_000_000)
    private static let usual = kSecRevocationUseAnyAvailableMethod | kSecRevocationRequirePositiveResponse

    private func response(_ status: OCSPSigner.Statement, about name: String = "valid") throws -> [UInt8] {
        guard let identity = TestCertificates.identity(named: "intermediate"),
            let signer = OCSPSigner(identity, showsItself: false),
            let own = TestCertificates.certificates(named: name).first.flatMap({ X509Certificate($0) }),
            let issuer = identity.chain.first.flatMap({ X509Certificate($0) })
        else { throw NoPreset() }
        let until = UnixTime(seconds: Self.now.seconds + 3_600)
        return try signer.response(status, about: own, of: issuer, from: Self.now, until: until)
    }

    /// As a session makes it.
    private func trust(stapled: [UInt8]? = nil, flags: CFOptionFlags? = nil) throws -> SecTrust {
        let peer = PeerCertificates(chain: TestCertificates.certificates(named: "valid"), stapledResponse: stapled)
        let trust = SecTrust(
            peer, host: "a.test", store: TrustStore(anchors: TestCertificates.authority), date: Self.now)
        if let flags {
            let policy = try #require(SecPolicyCreateRevocation(flags))
            SecTrustSetPolicies(trust, [SecPolicyCreateSSL(true, "a.test" as CFString), policy] as CFArray)
        }
        return trust
    }

    private func code(of trust: SecTrust) -> OSStatus {
        var error: CFError?
        #expect(SecTrustEvaluateWithError(trust, &error) == (error == nil))
        return error.map { OSStatus(CFErrorGetCode($0)) } ?? errSecSuccess
    }

    @Test(
        "Flags decide what must be known",
        arguments: [
            (0, nil), (kSecRevocationUseAnyAvailableMethod, nil), (kSecRevocationOCSPMethod, nil),
            (kSecRevocationCRLMethod, nil), (kSecRevocationPreferCRL | kSecRevocationNetworkAccessDisabled, nil),
            (kSecRevocationRequirePositiveResponse, true), (usual, true), (usual | kSecRevocationPreferCRL, true),
            (kSecRevocationOCSPMethod | kSecRevocationRequirePositiveResponse, true),
            (kSecRevocationCRLMethod | kSecRevocationRequirePositiveResponse, false),
        ] as [(CFOptionFlags, Bool?)])
    func flags(_ flags: CFOptionFlags, _ isMetByAResponse: Bool?) throws {
        let wanting = isMetByAResponse == nil ? errSecSuccess : errSecIncompleteCertRevocationCheck
        #expect(code(of: try trust(flags: flags)) == wanting)
        let met = isMetByAResponse == false ? errSecIncompleteCertRevocationCheck : errSecSuccess
        #expect(code(of: try trust(stapled: try response(.good), flags: flags)) == met)
        #expect(code(of: try trust(stapled: try response(.revoked), flags: flags)) == errSecCertificateRevoked)
    }

    @Test("Other flags make no policy")
    func unknownFlags() {
        #expect(SecPolicyCreateRevocation(1 << 5) == nil)
        #expect(SecPolicyCreateRevocation(Self.usual | .max << 5) == nil)
        #expect(SecPolicyCreateRevocation(Self.usual) == SecPolicyCreateRevocation(Self.usual))
        #expect(SecPolicyCreateRevocation(Self.usual) != SecPolicyCreateRevocation(kSecRevocationOCSPMethod))
        #expect(kSecRevocationUseAnyAvailableMethod == 3 && Self.usual == 11)
        #expect(kSecRevocationPreferCRL == 4 && kSecRevocationNetworkAccessDisabled == 16)
    }

    @Test("A revoked certificate is a fatal failure, with words")
    func words() throws {
        let trust = try trust(stapled: try response(.revoked))
        var error: CFError?
        #expect(!SecTrustEvaluateWithError(trust, &error))
        let told = try #require(error)
        #expect(told.domain == NSOSStatusErrorDomain && told.code == Int(errSecCertificateRevoked))
        #expect(told.localizedDescription == "“Understudy test valid” certificate is revoked")
        #expect(told.localizedFailureReason?.contains("was revoked by its authority since Sun, 01 Feb 2026") == true)
        var result = SecTrustResultType.invalid
        SecTrustGetTrustResult(trust, &result)
        #expect(result == .fatalTrustFailure)
    }

    @Test("What is not known is recoverable, and can be said by anyone who has a response")
    func responses() throws {
        let trust = try trust(flags: Self.usual)
        #expect(code(of: trust) == errSecIncompleteCertRevocationCheck)
        var result = SecTrustResultType.invalid
        SecTrustGetTrustResult(trust, &result)
        #expect(result == .recoverableTrustFailure)
        let good = Data(try response(.good)) as CFData, revoked = Data(try response(.revoked)) as CFData
        let other = Data(try response(.revoked, about: "ecdsa")) as CFData
        #expect(SecTrustSetOCSPResponse(trust, good) == errSecSuccess)
        #expect(code(of: trust) == errSecSuccess)
        #expect(SecTrustSetOCSPResponse(trust, [other, good] as CFArray) == errSecSuccess)
        #expect(code(of: trust) == errSecSuccess)
        #expect(SecTrustSetOCSPResponse(trust, [good, revoked] as CFArray) == errSecSuccess)
        #expect(code(of: trust) == errSecCertificateRevoked)
        #expect(SecTrustSetOCSPResponse(trust, "x" as CFString) == errSecParam)
        #expect(SecTrustSetOCSPResponse(trust, ["x"] as CFArray) == errSecParam)
        #expect(code(of: trust) == errSecCertificateRevoked)
        #expect(SecTrustSetOCSPResponse(trust, nil) == errSecSuccess)
        #expect(code(of: trust) == errSecIncompleteCertRevocationCheck)
    }

    @Test("The date that is set is the one that counts")
    func dates() throws {
        let trust = try trust(stapled: try response(.revoked))
        SecTrustSetVerifyDate(trust, Date(timeIntervalSince1970: 1_770_010_000) as CFDate)
        #expect(code(of: trust) == errSecSuccess)
        SecTrustSetVerifyDate(trust, Date(timeIntervalSince1970: 1_770_000_100) as CFDate)
        #expect(code(of: trust) == errSecCertificateRevoked)
    }

    @Test("Alone, the policy checks neither name nor purpose")
    func alone() throws {
        let client = TestCertificates.certificates(named: "wrong-usage")
        let trust = SecTrust(
            PeerCertificates(chain: client), host: "other.test",
            store: TrustStore(anchors: TestCertificates.authority), date: Self.now)
        #expect(code(of: trust) == errSecInvalidExtendedKeyUsage)
        SecTrustSetPolicies(trust, try #require(SecPolicyCreateRevocation(kSecRevocationOCSPMethod)))
        #expect(code(of: trust) == errSecSuccess)
    }
}
