import NIOCore
import TLSBasics
import TLSEngine
import Testing

@Suite struct TLSFailureOpenSSLTests {
    @Test(arguments: [
        "HTTP/1.1 400 Bad Request\r\n\r\n", "SSH-2.0-OpenSSH_9.2\r\n", "220 mail.test ESMTP\r\n", "+OK\r\n",
        "<html><body>no</body></html>", "GET / HTTP/1.1\r\nHost: a.test\r\n\r\n", "CONNECT a.test:443 HTTP/1.1\r\n\r\n",
    ])
    func plaintextIsNotTLS(text: String) throws {
        let client = try TLSConnection(client: TestContexts.client(), host: "a.test", resuming: nil)
        let server = try TLSConnection(server: TestContexts.server())
        client.start()
        for end in [client, server] {
            end.receive(ByteBuffer(string: text))
            end.receiveEnd()
            guard case .failed(let failure) = end.nextEvent() else { throw TestFailure() }
            #expect(failure.kind == .notTLS)
            #expect(end.nextEvent() == nil)
        }
    }

    @Test(arguments: [TLSVersion.tls12, .tls13])
    func garbageLaterBreaksTheConnection(version: TLSVersion) throws {
        let pair = try TLSPair(TestContexts.client(version...version), TestContexts.server())
        pair.run()
        pair.client.receive(ByteBuffer(bytes: [23, 3, 3, 0, 40] + [UInt8](repeating: 9, count: 40)))
        pair.run()
        #expect(pair.clientEvents.failure?.kind == .broken(.badRecordMAC))
        #expect(pair.serverEvents.failure?.kind == .refused(.badRecordMAC))
    }

    @Test func anAlertOfThePeerSaysItsName() throws {
        let client = try TLSConnection(client: TestContexts.client(), host: "a.test", resuming: nil)
        client.start()
        client.receive(ByteBuffer(bytes: [21, 3, 3, 0, 2, 2, 112]))
        guard case .failed(let failure) = client.nextEvent() else { throw TestFailure() }
        #expect(failure == TLSFailure(.refused(.unrecognizedName), .notRequested, failure.detail))
        #expect(failure.detail == "The peer gave up with the alert unrecognized_name.")
    }

    @Test func aCloseNotifyInTheHandshakeIsAnEnd() throws {
        let client = try TLSConnection(client: TestContexts.client(), host: "a.test", resuming: nil)
        client.start()
        client.receive(ByteBuffer(bytes: [21, 3, 3, 0, 2, 1, 0]))
        guard case .failed(let failure) = client.nextEvent() else { throw TestFailure() }
        #expect(failure.kind == .ended)
    }

    /// Recorded flights, one of them mutated, for an end that draws the same random numbers as the one which they were
    /// for: so the mutations are met at every place of a handshake. Whatever comes of it ends in one failure.
    @Test(arguments: [TLSVersion.tls12, .tls13], [true, false])
    func mutatedFlightsEndInAFailure(version: TLSVersion, isServer: Bool) throws {
        let reseed = { TLSLibrary.seeded.reseed(1) }
        let client = try TestContexts.client(version...version, library: .seeded)
        let server = try TestContexts.server(library: .seeded)
        let pair = try TLSPair(client, server)
        pair.beforeEachStep = reseed
        pair.run()
        let flights = isServer ? pair.fromClient : pair.fromServer
        var secured = 0
        for round in 0...500 {
            let end =
                try isServer
                ? TLSConnection(server: server) : TLSConnection(client: client, host: "a.test", resuming: nil)
            let mutated = flights.indices.randomElement()
            reseed()
            end.start()
            var events: [TLSEvent] = []
            for (index, flight) in flights.enumerated() {
                // The first round shows that the flights fit without mutations.
                end.receive(index == mutated && round > 0 ? Self.mutate(flight) : flight)
                if index == flights.count - 1 { end.receiveEnd() }
                reseed()
                while let event = end.nextEvent() {
                    if case .trustAsked = event { end.answerTrust(true, alert: .internalError) }
                    events.append(event)
                }
            }
            if events.facts != nil { secured += 1 }
            #expect(round > 0 || secured == 1)
            #expect(events.failure != nil)
            #expect(events.count { if case .failed = $0 { true } else { false } } == 1)
        }
        #expect(secured < 400)
    }

    private static func mutate(_ flight: ByteBuffer) -> ByteBuffer {
        var bytes = Array(flight.readableBytesView)
        for _ in 0..<Int.random(in: 1...4) { mutate(&bytes) }
        return ByteBuffer(bytes: bytes)
    }

    private static func mutate(_ bytes: inout [UInt8]) {
        guard !bytes.isEmpty else { return }
        // Half of them in the headers, where a byte decides more.
        let place = Int.random(in: 0..<(Bool.random() ? min(64, bytes.count) : bytes.count))
        switch Int.random(in: 0..<5) {
        case 0: bytes[place] ^= 1 << UInt8.random(in: 0..<8)
        case 1: bytes[place] = .random(in: 0...255)
        case 2: bytes.remove(at: place)
        case 3: bytes.insert(.random(in: 0...255), at: place)
        default: bytes.removeLast(.random(in: 0...bytes.count))
        }
    }
}
