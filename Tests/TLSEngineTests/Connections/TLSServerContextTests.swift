import NIOCore
import TLSBasics
import TLSEngine
import Testing

@Suite struct TLSServerContextTests {
    // MARK: Certificates of clients

    private func run(
        _ version: TLSVersion, _ demand: TLSServerSettings.ClientCertificate, _ identity: TLSIdentity?,
        anchors: TLSServerSettings.Anchors? = nil
    ) throws -> TLSPair {
        let context = try TestContexts.server {
            $0.clientCertificate = demand
            $0.clientAnchors = anchors
        }
        let pair = try TLSPair(TestContexts.client(version...version), context)
        pair.identity = identity
        pair.run()
        return pair
    }

    @Test(arguments: [TLSVersion.tls12, .tls13])
    func noCertificateIsAskedForUnlessWanted(version: TLSVersion) throws {
        let pair = try run(version, .none, TestContexts.user.get())
        #expect(pair.clientEvents.essence.count == 2)
        pair.client.receiveEnd()
        pair.run()
        #expect(pair.clientEvents.failure?.ownCertificate == .notRequested)
    }

    @Test(arguments: [TLSVersion.tls12, .tls13], [true, false])
    func anOptionalCertificateMayBeMissing(version: TLSVersion, isSent: Bool) throws {
        let pair = try run(version, .optional, isSent ? TestContexts.user.get() : nil)
        #expect(pair.clientEvents.facts != nil && pair.serverEvents.facts != nil)
        pair.client.receiveEnd()
        pair.run()
        #expect(pair.clientEvents.failure?.ownCertificate == (isSent ? .sent : .missing))
    }

    @Test(arguments: [(TLSVersion.tls12, TLSAlert.handshakeFailure), (.tls13, .certificateRequired)])
    func aMissingCertificateIsRefused(version: TLSVersion, alert: TLSAlert) throws {
        let pair = try run(version, .required, nil)
        #expect(pair.serverEvents.failure?.kind == .broken(alert))
        #expect(pair.clientEvents.failure?.kind == .refused(alert))
        #expect(pair.clientEvents.failure?.ownCertificate == .missing)
        // In TLS 1.3 a client is done before the server has looked at its certificate.
        #expect((pair.clientEvents.facts != nil) == (version == .tls13))
    }

    @Test(arguments: [TLSVersion.tls12, .tls13], [TLSAlert.badCertificate, .unknownCA, .certificateExpired])
    func aCertificateIsRefusedWithTheChosenAlert(version: TLSVersion, alert: TLSAlert) throws {
        let pair = try run(version, .refused(alert), TestContexts.user.get())
        #expect(pair.serverEvents.failure?.kind == .untrusted)
        #expect(pair.clientEvents.failure?.kind == .refused(alert))
        #expect(pair.clientEvents.failure?.ownCertificate == .sent)
    }

    @Test(arguments: [TLSVersion.tls12, .tls13])
    func aCertificateMustLeadToAnAnchorAtTheDate(version: TLSVersion) throws {
        let authority = try #require(TestIdentity("authority"))
        let middle = try #require(TestIdentity("middle", by: authority))
        let user = try #require(TestIdentity("user", by: middle)).identity
        func refusal(of identity: TLSIdentity?, anchor: TestIdentity, year: Int64) throws -> TLSFailure.Kind? {
            let anchors = TLSServerSettings.Anchors(
                certificates: Array(anchor.identity.chain.prefix(1)), date: (year - 1970) * 31_557_600)
            return try run(version, .required, identity, anchors: anchors).clientEvents.failure?.kind
        }
        #expect(try refusal(of: user, anchor: authority, year: 2040) == nil)
        #expect(try refusal(of: user, anchor: middle, year: 2040) == nil)
        #expect(try refusal(of: user, anchor: authority, year: 2150) == .refused(.certificateExpired))
        #expect(try refusal(of: user, anchor: authority, year: 2000) == .refused(.badCertificate))
        let stranger = try TestContexts.user.get()
        #expect(try refusal(of: stranger, anchor: authority, year: 2040) == .refused(.unknownCA))
    }

    // MARK: Settings

    private func error(_ change: (inout TLSServerSettings) -> Void) -> TLSSetupError? {
        do {
            _ = try TestContexts.server { change(&$0) }
            return nil
        } catch {
            return error as? TLSSetupError
        }
    }

    @Test func everyMistakeHasItsError() throws {
        let good = try TestContexts.server.get()
        let other = try TestContexts.rsaServer.get()
        let junk = CertificateBytes(der: [1, 2, 3])
        let weak = try #require(TestIdentity("weak", .rsa(bits: 1024))).identity
        func identity(_ chain: [CertificateBytes], _ key: [UInt8]) -> (inout TLSServerSettings) -> Void {
            { $0.identity = TLSIdentity(chain: chain, privateKey: key) }
        }
        #expect(error { _ in } == nil)
        #expect(error(identity([], good.privateKey)) == .noCertificate)
        #expect(error(identity([junk], good.privateKey)) == .unreadableCertificate(0))
        #expect(error(identity(good.chain + [junk], good.privateKey)) == .unreadableCertificate(1))
        let longer = CertificateBytes(der: good.chain[0].der + [0])
        #expect(error(identity([longer], good.privateKey)) == .unreadableCertificate(0))
        #expect(error(identity(good.chain, [1, 2, 3])) == .unreadableKey)
        #expect(error(identity(good.chain, [])) == .unreadableKey)
        #expect(error(identity(good.chain, other.privateKey)) == .keyOfAnotherCertificate)
        #expect(error(identity(good.chain, weak.privateKey)) == .keyOfAnotherCertificate)
        #expect(error(identity(weak.chain, weak.privateKey)) == .unusableIdentity("ee key too small"))
        #expect(error { ($0.identity, $0.securityLevel) = (weak, 0) } == nil)
        #expect(error { $0.cipherList = "nonsense" } == .unknownCiphers("nonsense"))
        #expect(error { $0.cipherSuites = "nonsense" } == .unknownCiphers("nonsense"))
        #expect(error { $0.applicationProtocols = [""] } == .unusableProtocol(""))
        #expect(error { $0.clientCertificate = .refused(.accessDenied) } == .unusableAlert(.accessDenied))
        #expect(error { ($0.clientCertificate, $0.acceptedIssuers) = (.optional, [[1]]) } == .unreadableIssuer(0))
        let anchors = TLSServerSettings.Anchors(certificates: [junk], date: 0)
        #expect(error { ($0.clientCertificate, $0.clientAnchors) = (.optional, anchors) } == .unreadableAnchor(0))
    }

    @Test func aCipherListHoldsForOlderVersions() throws {
        let context = try TestContexts.server(.tls12 ... .tls12) { $0.cipherList = "ECDHE-ECDSA-AES128-GCM-SHA256" }
        let pair = try TLSPair(TestContexts.client(), context)
        pair.run()
        #expect(pair.clientEvents.facts?.cipherSuite == 0xc02b)
    }
}
