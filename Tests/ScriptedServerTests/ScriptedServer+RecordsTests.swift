import HTTPBasics
import ServerScript
import TLSBasics
import TestSupport
import Testing

@testable import ScriptedServer

/// Every fault that strikes a connection over TLS, proved with a raw client: which records came, what they protect, and
/// how the connection ended.
@Suite(.serialized, .endsInTime) struct RecordFaultTests {
    struct Cell: CustomTestStringConvertible, Sendable {
        var landmark: Fault.Landmark
        var effect: Fault.Effect
        var version: TLSVersion

        var testDescription: String { "\(landmark) \(effect) \(version)" }
    }

    private static let versions: [TLSVersion] = [.tls12, .tls13]
    private static let landmarks: [Fault.Landmark] = [.request, .statusLine(9), .headEnd, .body(4), .end]
    private static let records: [RecordFault] = [
        .badRecord, .longRecord, .clearText, .alert(.internalError), .alert(.accessDenied), .keyUpdate, .keyFlood,
        .renegotiation, .closeNotify,
    ]
    private static let others: [Fault.Effect] = [.fin, .truncate, .reset, .stall, .halfClose, .garbage]
    static let cells = landmarks.flatMap { landmark in
        (records.map(Fault.Effect.record) + others).flatMap { effect in
            versions.map { Cell(landmark: landmark, effect: effect, version: $0) }
        }
    }

    private static let line = "HTTP/1.1 200 OK\r\n"
    private static let head =
        line + "Date: Thu, 01 Jan 1970 00:00:00 GMT\r\nConnection: close\r\nContent-Length: 10\r\n\r\n"
    private static let reply = Reply(
        fields: Fields([
            Fields.Field("Date", "Thu, 01 Jan 1970 00:00:00 GMT"), Fields.Field("Connection", "close"),
        ]), body: .text("0123456789"))

    private static func sent(before landmark: Fault.Landmark) -> String {
        switch landmark {
        case .statusLine(let count): String(line.prefix(count))
        case .headEnd: head
        case .body(let count): head + "0123456789".prefix(count)
        case .end: head + "0123456789"
        default: ""
        }
    }

    private static func start(
        _ fault: Fault?, _ tls: HostTLS, size: Int? = nil
    ) async throws -> (ScriptedServer, SecuredSocket) {
        var reply = Self.reply
        if let size { reply.body = .counter(size: size) }
        var script = Script(steps: [
            Step(.exchange(Exchange(RequestMatch("GET", "/a"), reply: reply, faults: [fault].compactMap(\.self))))
        ])
        script.tls["a.test"] = tls
        let server = try await ScriptedServer.start(script: script)
        let address = try #require(server.addresses["a.test"])
        return (server, try SecuredSocket(port: address.port, ip: address.ip))
    }

    private static func tls(_ version: TLSVersion) -> HostTLS {
        var tls = HostTLS()
        tls.versions = version...version
        return tls
    }

    @Test(arguments: cells) func `a fault does to records what its name says`(cell: Cell) async throws {
        let (server, client) = try await Self.start(Fault(at: cell.landmark, do: cell.effect), Self.tls(cell.version))
        client.receive { client.facts != nil }
        client.send("GET /a HTTP/1.1\r\nHost: a\r\n\r\n")
        let out = Array(Self.sent(before: cell.landmark).utf8)
        if cell.effect == .record(.keyFlood), cell.version == .tls13 {
            // So many take their time.
            client.receive { client.raw.count > 270_000 }
        }
        let end = client.receiveToEnd(patience: Self.isSilent(cell.effect) ? 300 : 10_000)
        switch cell.effect {
        case .fin, .halfClose:
            #expect(end == .fin && client.hasEnded && client.plaintext == out)
        case .truncate:
            #expect(end == .fin && client.failure == .truncated && client.plaintext == out)
        case .reset: #expect(end == .reset && out.starts(with: client.plaintext))
        case .stall: #expect(end == .silence && client.failure == nil && client.plaintext == out)
        case .garbage:
            #expect(end == .fin && client.hasEnded)
            #expect(client.plaintext.starts(with: out) && client.plaintext.count == out.count + 64)
        case .record(let fault): Self.check(fault, cell.version, client, end, out)
        case .delay: Issue.record("it is no fault of records")
        }
        let verdict = try await server.stop()
        let obstacle = Self.obstacle(to: cell.effect, cell.version)
        #expect(verdict.isFulfilled == (obstacle == nil), "\(verdict)")
        if let obstacle { #expect("\(verdict)".contains(obstacle), "\(verdict)") }
    }

    private static func isSilent(_ effect: Fault.Effect) -> Bool { effect == .stall || effect == .record(.keyFlood) }

    private static func obstacle(to effect: Fault.Effect, _ version: TLSVersion) -> String? {
        switch (effect, version) {
        case (.record(.keyUpdate), .tls12): "the fault 'key-update' could not be done: TLS 1.3 alone has new keys"
        case (.record(.keyFlood), .tls12): "the fault 'key-flood' could not be done: TLS 1.3 alone has new keys"
        case (.record(.renegotiation), .tls13): "the fault 'renegotiate' could not be done: TLS 1.3 has no"
        default: nil
        }
    }

    private static func check(
        _ fault: RecordFault, _ version: TLSVersion, _ client: SecuredSocket, _ end: RawSocket.End, _ out: [UInt8]
    ) {
        let whole = Array((head + "0123456789").utf8)
        let noise = (0..<64).map { UInt8(truncatingIfNeeded: $0 &* 37 &+ 9) }
        switch fault {
        case .badRecord:
            #expect(end == .fin && client.plaintext == out && !client.hasEnded)
            #expect(client.raw.suffix(69) == [23, 3, 3, 0, 64] + noise)
            #expect(client.failure == .broken(.badRecordMAC))
        case .longRecord:
            #expect(end == .fin && client.plaintext == out && !client.hasEnded)
            #expect(client.raw.suffix(69) == [23, 3, 3, 0x48, 1] + noise)
            #expect(client.failure == .broken(.recordOverflow))
        case .clearText:
            #expect(end == .fin && client.plaintext == out && !client.hasEnded)
            #expect(String(decoding: client.raw, as: UTF8.self).hasSuffix("Connection: close\r\n\r\n"))
            if case .broken = client.failure {} else { Issue.record("\(String(describing: client.failure))") }
        case .closeNotify: #expect(end == .fin && client.plaintext == out && client.hasEnded)
        case .alert(let alert):
            #expect(end == .fin && client.plaintext == out && !client.hasEnded)
            #expect(client.failure == .refused(alert))
        case .keyUpdate:
            #expect(end == .fin && client.hasEnded && client.plaintext == whole)
            // A KeyUpdate has 5 bytes, its type one and its tag 16.
            let updates = SecuredSocket.records(client.behindHandshake).count { $0.length == 22 && $0.type == 23 }
            #expect(updates == (version == .tls13 ? 1 : 0))
        case .keyFlood:
            #expect(end == .silence && client.plaintext == out)
            let updates = SecuredSocket.records(client.behindHandshake).count { $0.length == 22 && $0.type == 23 }
            #expect(updates == (version == .tls13 ? 10_000 : 0))
        case .renegotiation where version == .tls13:
            #expect(end == .fin && client.hasEnded && client.plaintext == whole)
        case .renegotiation:
            // HelloRequest is a handshake message: type 22, protected.
            #expect(SecuredSocket.records(client.behindHandshake).contains { $0.type == 22 })
            #expect(end == .fin && client.plaintext.starts(with: out))
        }
    }

    @Test func `what cannot be sealed is not sent, and the verdict says so`() async throws {
        var tls = Self.tls(.tls12)
        tls.ciphers = [.ecdheRSAWithAES128SHA256]
        let (server, client) = try await Self.start(Fault(at: .body(5), do: .record(.alert(.internalError))), tls)
        client.receive { client.facts != nil }
        #expect(client.facts?.cipherSuite == 0xc027)
        client.send("GET /a HTTP/1.1\r\nHost: a\r\n\r\n")
        #expect(client.receiveToEnd() == .fin)
        #expect(client.failure == .truncated && client.plaintext.count == Self.head.utf8.count + 5)
        let verdict = try await server.stop()
        #expect("\(verdict)".contains("the fault 'alert internal_error' could not be done: an alert can be sealed"))
    }

    @Test func `a record needs TLS`() async throws {
        let fault = Fault(at: .body(5), do: .record(.badRecord))
        let exchange = Exchange(RequestMatch("GET", "/a"), reply: Self.reply, faults: [fault].compactMap(\.self))
        let server = try await ScriptedServer.start(script: Script(steps: [Step(.exchange(exchange))]))
        let address = try #require(server.addresses["a.test"])
        let client = try RawSocket(port: address.port, ip: address.ip)
        client.send("GET /a HTTP/1.1\r\nHost: a\r\n\r\n")
        #expect(client.receiveToEnd() == (Array((Self.head + "01234").utf8), .fin))
        #expect("\(try await server.stop())".contains("'bad-record' could not be done: there is no TLS here"))
    }

    // BEHAVIOUR 3.A1-length: the beginning of an answer is of use before all of it is there.
    @Test(arguments: [(nil, 1_400, 8), (700, 700, 64), (16_384, 16_384, 64)])
    func `what begins an answer goes in small records, and bulk in large ones`(
        recordSize: Int?, most: Int, kibibytes: Int
    ) async throws {
        var tls = Self.tls(.tls13)
        tls.recordSize = recordSize
        let (server, client) = try await Self.start(nil, tls, size: 300_000)
        client.receive { client.facts != nil }
        client.send("GET /a HTTP/1.1\r\nHost: a\r\n\r\n")
        #expect(client.receiveToEnd() == .fin)
        // Behind two tickets; what one protects is longer by its type and its tag.
        let lengths = SecuredSocket.records(client.behindHandshake).filter { $0.type == 23 }.map { $0.length - 17 }
        var total = 0
        let first = lengths.dropFirst(2).prefix { length in
            total += length
            return total <= kibibytes << 10
        }
        #expect(!first.isEmpty && first.allSatisfy { $0 <= most }, "\(lengths.prefix(20))")
        #expect(lengths.contains { $0 == 16_384 }, "\(lengths)")
        try await server.stop()
    }
}
