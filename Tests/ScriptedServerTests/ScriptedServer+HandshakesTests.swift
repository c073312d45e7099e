import HTTPBasics
import ServerScript
import TLSBasics
import TestSupport
import Testing

@testable import ScriptedServer

/// Every fault of a handshake at every landmark, proved with a raw client: what had come off the wire when it struck,
/// and what came then.
@Suite(.serialized, .endsInTime) struct HandshakeFaultTests {
    struct Cell: CustomTestStringConvertible, Sendable {
        var fault: HandshakeFault
        var version: TLSVersion

        var testDescription: String {
            "\(fault.landmark)+\(fault.offset) \(fault.effect) \(fault.pace == nil ? "" : "slow") \(version)"
        }
    }

    private static let places: [(HandshakeFault.Landmark, Int)] = [
        (.clientHello, 0), (.serverHello, 0), (.serverHello, 40), (.finished, 0),
    ]
    private static let effects: [HandshakeFault.Effect] =
        HandshakeFault.Effect.words.map(\.effect) + [.alert(.internalError), .delay(.milliseconds(80))]
    static let cells = places.flatMap { place in
        [TLSVersion.tls12, .tls13].flatMap { version in
            effects.map { Cell(fault: HandshakeFault(at: place.0, plus: place.1, do: $0), version: version) }
        }
    }

    private static func start(_ fault: HandshakeFault, _ version: TLSVersion) async throws -> (
        ScriptedServer, SecuredSocket
    ) {
        var script = Script(routes: [Route(Exchange(RequestMatch("GET", "/a"), reply: Reply(body: .text("hello"))))])
        var tls = HostTLS()
        tls.versions = version...version
        tls.fault = fault
        script.tls["a.test"] = tls
        let server = try await ScriptedServer.start(script: script)
        let address = try #require(server.addresses["a.test"])
        return (server, try SecuredSocket(port: address.port, ip: address.ip))
    }

    /// Whether all that came before the fault did is as it should be, and so many bytes came behind it.
    private static func check(_ cell: Cell, _ client: SecuredSocket, behind count: Int) {
        guard cell.fault.landmark == .finished else {
            #expect(client.raw.count == cell.fault.offset + count)
            #expect(client.facts == nil)
            return
        }
        // TLS 1.3 is agreed upon with the first flight; in TLS 1.2 that ends with ServerHelloDone.
        if cell.version == .tls13 {
            #expect(client.facts != nil && client.behindHandshake.count == count)
        } else {
            #expect(client.facts == nil && client.raw.dropLast(count).suffix(4) == [14, 0, 0, 0])
        }
    }

    private static func isAnswered(_ client: SecuredSocket) -> Bool {
        client.receive { client.facts != nil }
        client.send("GET /a HTTP/1.1\r\nHost: a\r\n\r\n")
        return client.receive { client.plaintext.suffix(5).elementsEqual("hello".utf8) } == nil
    }

    @Test(arguments: cells) func `a fault of a handshake does on the wire what its name says`(cell: Cell) async throws {
        let (server, client) = try await Self.start(cell.fault, cell.version)
        let begun = ContinuousClock.now
        switch cell.fault.effect {
        case .fin:
            #expect(client.receiveToEnd() == .fin)
            Self.check(cell, client, behind: 0)
        case .reset:
            #expect(client.receiveToEnd() == .reset)
            #expect(cell.fault.landmark == .finished || client.raw.count <= cell.fault.offset)
        case .stall:
            #expect(client.receiveToEnd(patience: 300) == .silence)
            #expect(client.socket.state == RawSocket.established)
            Self.check(cell, client, behind: 0)
        case .garbage:
            #expect(client.receiveToEnd() == .fin)
            Self.check(cell, client, behind: 64)
        case .alert(let alert):
            #expect(client.receiveToEnd() == .fin)
            let isProtected = cell.fault.landmark == .finished && cell.version == .tls13
            // Two bytes, protected with their type and a tag.
            Self.check(cell, client, behind: isProtected ? 5 + 2 + 17 : 7)
            if !isProtected { #expect(client.raw.suffix(7) == [21, 3, 3, 0, 2, 2, alert.rawValue]) }
            // In the middle of a record it is a part of that.
            #expect(cell.fault.offset > 0 || client.failure == .refused(alert))
        case .flood:
            _ = client.receiveToEnd(patience: 300)
            #expect(client.raw.count > 1 << 20)
        case .split:
            #expect(Self.isAnswered(client))
            #expect(client.socket.dataSegments > 20)
        case .delay(let span):
            #expect(Self.isAnswered(client))
            #expect(ContinuousClock.now - begun >= span)
        }
        client.socket.close()
        let verdict = try await server.stop()
        #expect(verdict.isFulfilled, "\(verdict)")
    }

    @Test(arguments: [TLSVersion.tls12, .tls13], [HandshakeFault.Landmark.serverHello, .finished])
    func `slow bytes come one after the other`(version: TLSVersion, landmark: HandshakeFault.Landmark) async throws {
        let fault = HandshakeFault(at: landmark, do: .split, pace: .microseconds(100))
        let (server, client) = try await Self.start(fault, version)
        let begun = ContinuousClock.now
        #expect(Self.isAnswered(client))
        // The shortest last flight has far more than a hundred bytes.
        #expect(ContinuousClock.now - begun >= .milliseconds(10))
        #expect(try await server.stop().isFulfilled)
    }

    @Test func `without tickets the last word of TLS 1.3 is none, and a fault strikes all the same`() async throws {
        var script = Script(routes: [Route(Exchange(RequestMatch("GET", "/a"), reply: Reply(body: .text("hello"))))])
        var tls = HostTLS()
        tls.versions = .tls13 ... .tls13
        tls.tickets = 0
        tls.fault = HandshakeFault(at: .finished, do: .alert(.accessDenied))
        script.tls["a.test"] = tls
        let server = try await ScriptedServer.start(script: script)
        let address = try #require(server.addresses["a.test"])
        let client = try SecuredSocket(port: address.port, ip: address.ip)
        #expect(client.receiveToEnd() == .fin)
        #expect(client.failure == .refused(.accessDenied))
        try await server.stop()
    }

    private static func start(_ tls: HostTLS) async throws -> (ScriptedServer, SecuredSocket) {
        var script = Script(routes: [Route(Exchange(RequestMatch("GET", "/a"), reply: Reply(body: .text("hello"))))])
        script.tls["a.test"] = tls
        let server = try await ScriptedServer.start(script: script)
        let address = try #require(server.addresses["a.test"])
        return (server, try SecuredSocket(port: address.port, ip: address.ip))
    }

    /// Tickets, and in TLS 1.2 the change of keys and the last word, are records of their own.
    @Test(arguments: [(0, 1), (1, 1), (1, 2), (200, 2)], [CipherSuite.aes128GCM, .aes256GCM, .chaCha20])
    func `an alert behind some of TLS 1.3's last flight is read`(place: (Int, Int), suite: CipherSuite) async throws {
        var tls = HostTLS()
        tls.versions = .tls13 ... .tls13
        tls.ciphers = [suite]
        tls.tickets = place.1
        tls.fault = HandshakeFault(at: .finished, plus: place.0, do: .alert(.accessDenied))
        let (server, client) = try await Self.start(tls)
        #expect(client.receiveToEnd() == .fin)
        #expect(client.failure == .refused(.accessDenied))
        // All that the first record holds is out before it, and the alert is the last.
        let records = SecuredSocket.records(client.behindHandshake)
        #expect(records.count == (place.0 == 0 ? 1 : 2) && records.last?.length == 2 + 17)
        #expect(try await server.stop().isFulfilled)
    }

    @Test(arguments: [(0, 1), (1, 1), (0, 0), (1, 0), (6, 0), (7, 0)])
    func `an alert behind some of TLS 1.2's last flight is read`(offset: Int, tickets: Int) async throws {
        var tls = HostTLS()
        tls.versions = .tls12 ... .tls12
        tls.ciphers = [.ecdheRSAWithAES128GCM]
        tls.tickets = tickets
        tls.fault = HandshakeFault(at: .finished, plus: offset, do: .alert(.accessDenied))
        let (server, client) = try await Self.start(tls)
        #expect(client.receiveToEnd() == .fin)
        // In clear it has two bytes; behind the change of keys also a nonce and a tag. OpenSSL opens it there and says
        // that only Finished may come; a record that it cannot open would be another failure.
        let isProtected = offset > 0 && tickets == 0
        let isBetween = isProtected && offset < 7
        #expect(client.failure == (isBetween ? .broken(.unexpectedMessage) : .refused(.accessDenied)))
        let records = SecuredSocket.records(client.raw)
        #expect(records.last?.type == 21 && records.last?.length == (isProtected ? 26 : 2))
        #expect(try await server.stop().isFulfilled)
    }

    @Test func `an alert that nobody can seal does not strike, and is told`() async throws {
        var tls = HostTLS()
        tls.versions = .tls12 ... .tls12
        tls.ciphers = [.ecdheRSAWithAES128SHA256]
        tls.tickets = 0
        tls.fault = HandshakeFault(at: .finished, plus: 6, do: .alert(.accessDenied))
        let (server, client) = try await Self.start(tls)
        #expect(Self.isAnswered(client))
        let verdict = try await server.stop()
        #expect("\(verdict)".contains("the fault 'alert access_denied at finished+6' could not be done: an alert can"))
    }

    /// What is refused beforehand could never succeed, and what is not can.
    @Test(
        arguments: [CertificatePreset.valid, .ecdsa, .ed25519],
        CipherSuite.allCases.filter { $0.versions.contains(.tls12) })
    func `a suite and a certificate go together if nothing objects`(
        preset: CertificatePreset, suite: CipherSuite
    ) async throws {
        var tls = HostTLS(preset)
        tls.versions = .tls12 ... .tls12
        tls.ciphers = [suite]
        let (server, client) = try await Self.start(tls)
        client.receive { client.facts != nil }
        #expect((client.facts != nil) == tls.objections.isEmpty)
        try await server.stop()
    }

    @Test(arguments: [1, 2]) func `a fault of a connection that never comes is told`(number: Int) async throws {
        var tls = HostTLS()
        tls.fault = HandshakeFault(at: .serverHello, do: .fin, connection: number)
        let (server, client) = try await Self.start(tls)
        #expect(Self.isAnswered(client) == (number == 2))
        let verdict = try await server.stop()
        #expect(verdict.isFulfilled == (number == 1))
        if number == 2 { #expect("\(verdict)".contains("the fault in the handshake of connection 2 to a.test")) }
    }

    @Test(arguments: [TLSVersion.tls12, .tls13], [HandshakeFault.Landmark.serverHello, .finished])
    func `a place that is never reached is told`(version: TLSVersion, landmark: HandshakeFault.Landmark) async throws {
        let (server, client) = try await Self.start(HandshakeFault(at: landmark, plus: 99_999_999, do: .fin), version)
        #expect(Self.isAnswered(client))
        let verdict = try await server.stop()
        #expect("\(verdict)".contains("the fault at \(landmark.rawValue)+99999999 was never reached: the flight has"))
        #expect(!verdict.isFulfilled)
    }
}
