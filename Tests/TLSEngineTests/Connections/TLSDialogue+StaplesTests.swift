import NIOCore
import TLSBasics
import Testing

@testable import TLSEngine

@Suite struct TLSDialogueStaplesTests {
    private static let response: [UInt8] = Array("whatever the server says".utf8)

    private func pair(
        _ version: TLSVersion, response: [UInt8]? = response, resuming session: TLSSession? = nil,
        context: TLSServerContext? = nil
    ) throws -> TLSPair {
        let server = try context ?? TestContexts.server { $0.stapledResponse = response }
        return try TLSPair(TestContexts.client(version...version), server, resuming: session)
    }

    @Test(arguments: [TLSVersion.tls11, .tls12, .tls13], [1, 50, Int.max])
    func aStapledResponseComesWithTheQuestion(version: TLSVersion, pieces: Int) throws {
        let server = try TestContexts.server(version...version) { $0.stapledResponse = Self.response }
        let pair = try pair(version, context: server)
        pair.cut = { flight in
            let bytes = Array(flight.readableBytesView)
            return stride(from: 0, to: bytes.count, by: min(pieces, bytes.count)).map {
                ByteBuffer(bytes: bytes[$0..<min(bytes.count, $0 + min(pieces, bytes.count))])
            }
        }
        pair.run()
        let chain = try TestContexts.server.get().chain
        #expect(pair.clientEvents.first == .trustAsked(PeerCertificates(chain: chain, stapledResponse: Self.response)))
        #expect(pair.clientEvents.questions == 1)
        #expect(pair.clientEvents.facts != nil)
        #expect(pair.serverEvents.facts != nil)
    }

    @Test(arguments: [TLSVersion.tls12, .tls13])
    func aServerWithoutOneIsAskedAboutWithoutOne(version: TLSVersion) throws {
        let pair = try pair(version, response: nil)
        pair.run()
        #expect(pair.clientEvents.first == .trustAsked(PeerCertificates(chain: try TestContexts.server.get().chain)))
    }

    @Test(arguments: [TLSVersion.tls12, .tls13])
    func oneThatIsTooLongCountsAsNoneOrEndsTheHandshake(version: TLSVersion) throws {
        let pair = try pair(version, response: [UInt8](repeating: 5, count: PeerCertificates.longestResponse + 1))
        pair.run()
        #expect(pair.clientEvents.first == .trustAsked(PeerCertificates(chain: try TestContexts.server.get().chain)))
        // OpenSSL takes no message of TLS 1.2 with more than 16 KiB here.
        #expect((pair.clientEvents.facts == nil) == (version == .tls12))
    }

    @Test(arguments: [TLSVersion.tls12, .tls13])
    func aResumedSessionAsksNothing(version: TLSVersion) throws {
        let server = try TestContexts.server { $0.stapledResponse = Self.response }
        let first = try pair(version, context: server)
        first.run()
        let session = try #require(first.clientEvents.sessions.last as TLSSession?)
        let second = try pair(version, resuming: session, context: server)
        second.run()
        #expect(second.clientEvents.facts?.isResumed == true)
        #expect(second.clientEvents.questions == 0)
    }

    @Test func anEndInTheMiddleOfTheResponseLeavesTheQuestionWithoutOne() throws {
        let client = try TLSConnection(client: TestContexts.client(.tls12 ... .tls12), host: "a.test", resuming: nil)
        let server = try TLSConnection(server: TestContexts.server { $0.stapledResponse = Self.response })
        client.start()
        server.receive(try #require(client.takeCiphertext()))
        #expect(server.nextEvent() == nil)
        let flight = Array(try #require(server.takeCiphertext()).readableBytesView)
        let middle =
            try #require(
                flight.indices.first { flight[$0...].starts(with: Self.response) }) + Self.response.count - 1
        client.receive(ByteBuffer(bytes: flight[..<middle]))
        for _ in 0..<3 { #expect(client.nextEvent() == nil) }
        client.receiveEnd()
        #expect(client.nextEvent() == .trustAsked(PeerCertificates(chain: try TestContexts.server.get().chain)))
        client.answerTrust(true, alert: .internalError)
        guard case .failed(let failure) = client.nextEvent() else { throw TestFailure() }
        #expect(failure.kind == .ended)
    }

    @Test(arguments: [TLSVersion.tls12, .tls13])
    func aRefusalIsToldInItsOwnAlert(version: TLSVersion) throws {
        let pair = try pair(version)
        pair.refusal = .certificateRevoked
        pair.run()
        #expect(pair.clientEvents.failure?.kind == .untrusted)
        #expect(pair.serverEvents.failure?.kind == .refused(.certificateRevoked))
    }
}
