import NIOCore
import TLSBasics
import Testing

@testable import TLSEngine

/// What a server says that OpenSSL never says: it must be what a client takes for a record of the connection.
@Suite struct TLSConnectionFaultsTests {
    struct Suite: Sendable, CustomTestStringConvertible {
        var version: TLSVersion
        var name: String
        var testDescription: String { name }
    }

    private static let suites = [
        Suite(version: .tls12, name: "ECDHE-ECDSA-AES128-GCM-SHA256"),
        Suite(version: .tls12, name: "ECDHE-ECDSA-AES256-GCM-SHA384"),
        Suite(version: .tls12, name: "ECDHE-ECDSA-CHACHA20-POLY1305"),
        Suite(version: .tls13, name: "TLS_AES_128_GCM_SHA256"), Suite(version: .tls13, name: "TLS_AES_256_GCM_SHA384"),
        Suite(version: .tls13, name: "TLS_CHACHA20_POLY1305_SHA256"),
    ]

    private static func connect(_ suite: Suite, resuming session: TLSSession? = nil) throws -> TLSPair {
        let context = try TestContexts.server(suite.version...suite.version) {
            if suite.version == .tls13 { $0.cipherSuites = suite.name } else { $0.cipherList = suite.name }
        }
        return try connect(context, resuming: session)
    }

    private static func connect(_ context: TLSServerContext, resuming session: TLSSession? = nil) throws -> TLSPair {
        let pair = try TLSPair(TestContexts.client(), context, resuming: session)
        pair.run()
        try #require(pair.serverEvents.facts != nil)
        return pair
    }

    @Test(arguments: suites, [0, 3])
    private func anAlertIsReadBehindWhateverWasSent(suite: Suite, messages: Int) throws {
        let pair = try Self.connect(suite)
        for _ in 0..<messages { pair.server.send(ByteBuffer(string: "hello")) }
        #expect(pair.server.sendAlert(.accessDenied))
        pair.run()
        #expect(pair.clientEvents.plaintext.readableBytes == 5 * messages)
        #expect(pair.clientEvents.failure?.kind == .refused(.accessDenied))
    }

    @Test(arguments: suites) private func anAlertIsReadOnAConnectionThatGoesOn(suite: Suite) throws {
        let context = try TestContexts.server(suite.version...suite.version)
        let session = try #require(try Self.connect(context).clientEvents.sessions.last)
        let pair = try Self.connect(context, resuming: session)
        #expect(pair.clientEvents.facts?.isResumed == true)
        #expect(pair.server.sendAlert(.internalError))
        pair.run()
        #expect(pair.clientEvents.failure?.kind == .refused(.internalError))
    }

    @Test func newKeysChangeNothingForWhoReads() throws {
        let pair = try Self.connect(Self.suites[3])
        for _ in 0..<3 {
            pair.server.updateKeys()
            pair.server.send(ByteBuffer(string: "hello"))
        }
        pair.run()
        pair.client.send(ByteBuffer(string: "back"))
        pair.run()
        #expect(pair.clientEvents.plaintext == ByteBuffer(string: "hellohellohello"))
        #expect(pair.serverEvents.plaintext == ByteBuffer(string: "back"))
        #expect(pair.server.sendAlert(.internalError))
        pair.run()
        #expect(pair.clientEvents.failure?.kind == .refused(.internalError))
    }

    @Test func theWishToAgreeAnewIsDeclinedAndTheServerGivesUp() throws {
        let pair = try Self.connect(Self.suites[0])
        pair.server.askToRenegotiate()
        pair.run()
        #expect(pair.clientEvents.questions == 1)
        #expect(pair.clientEvents.failure?.kind == .refused(.handshakeFailure))
    }

    @Test func withoutAEADNothingIsSealed() throws {
        let pair = try Self.connect(Suite(version: .tls12, name: "ECDHE-ECDSA-AES128-SHA"))
        #expect(!pair.server.sendAlert(.internalError))
    }
}
