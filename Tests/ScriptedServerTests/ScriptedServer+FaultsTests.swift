import HTTPBasics
import ServerScript
import TestSupport
import Testing

@testable import ScriptedServer

/// Every legal cell of landmark and effect, proved with a raw socket: which bytes came, and how the connection ended.
@Suite(.serialized, .endsInTime) struct FaultWireTests {
    struct Cell: CustomTestStringConvertible, Sendable {
        var landmark: Fault.Landmark
        var effect: Fault.Effect

        var testDescription: String { "\(landmark) \(effect.kind)" }
    }

    /// A new landmark does not compile until it is written here where it is proved.
    private static func positions(_ kind: Fault.Landmark.Kind) -> [Fault.Landmark] {
        switch kind {
        // These two strike before there is a request: DeafPortTests, and below.
        case .listen, .accept: []
        case .requestHead: [.requestHead]
        case .requestBody: [.requestBody(4)]
        case .request: [.request]
        case .interim: [.interim(0), .interim(1)]
        case .statusLine: [.statusLine(0), .statusLine(9)]
        case .head: [.head(1), .head(40)]
        case .headEnd: [.headEnd]
        case .body: [.body(0), .body(1), .body(99), .body(100)]
        case .chunk: [0, 1].flatMap { index in ChunkPart.allCases.map { .chunk(index, $0) } }
        case .lastChunk: [.lastChunk]
        case .trailers: [.trailers]
        case .end: [.end]
        case .idle: [.idle(.milliseconds(5))]
        }
    }

    private static func effect(_ kind: Fault.Effect.Kind) -> Fault.Effect {
        switch kind {
        case .fin: .fin
        case .truncate: .truncate
        case .reset: .reset
        case .stall: .stall
        case .halfClose: .halfClose
        case .garbage: .garbage
        case .delay: .delay(.milliseconds(40))
        case .record: .record(.badRecord)
        }
    }

    /// What strikes records needs a client that speaks TLS: ScriptedServer+RecordsTests.
    static let cells = Fault.Landmark.Kind.allCases.flatMap { kind in
        kind.legalEffects.filter { $0 != .record }.flatMap { effect in
            positions(kind).map { Cell(landmark: $0, effect: Self.effect(effect)) }
        }
    }

    private static let request = "POST /a HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\n0123456789"
    /// Its Date is fixed, so that every byte of an answer is known.
    private static let reply = Reply(
        fields: Fields([Fields.Field("Date", "Thu, 01 Jan 1970 00:00:00 GMT")]), body: .fill(0x78, size: 100),
        interim: [Interim(status: 103), Interim(status: 103)])
    private static let chunkedReply: Reply = {
        var reply = FaultWireTests.reply
        reply.framing = .chunked(size: 60)
        reply.trailers = Fields([Fields.Field("T", "1")])
        return reply
    }()

    private static let interim = "HTTP/1.1 103 Early Hints\r\n\r\n"
    private static let line = "HTTP/1.1 200 OK\r\n"
    private static let date = "Date: Thu, 01 Jan 1970 00:00:00 GMT\r\n"
    private static let head = line + date + "Content-Length: 100\r\n\r\n"
    private static let chunkedHead = line + date + "Transfer-Encoding: chunked\r\n\r\n"
    /// The chunked body, cut at every landmark that it has.
    private static let chunks: [(landmark: Fault.Landmark, bytes: String)] = [
        (.chunk(0, .size), "3c\r\n"), (.chunk(0, .data), x(60)), (.chunk(0, .crlf), "\r\n"),
        (.chunk(1, .size), "28\r\n"), (.chunk(1, .data), x(40)), (.chunk(1, .crlf), "\r\n"),
        (.lastChunk, "0\r\n"), (.trailers, "T: 1\r\n"), (.end, "\r\n"),
    ]

    private static func x(_ count: Int) -> String { String(repeating: "x", count: count) }

    /// What is out when a fault strikes.
    private static func sent(before landmark: Fault.Landmark) -> String {
        let interims = interim + interim
        switch landmark {
        case .listen, .accept, .requestHead, .requestBody, .request: return ""
        case .interim(let index): return index == 0 ? "" : interim
        case .statusLine(let count), .head(let count): return interims + head.prefix(bytes: count)
        case .headEnd: return interims + head
        case .body(let count): return interims + head + x(count)
        case .chunk, .lastChunk, .trailers:
            let parts = chunks.map(\.landmark).firstIndex(of: landmark).map { chunks[...$0] } ?? []
            return interims + chunkedHead + parts.map(\.bytes).joined()
        case .end, .idle: return interims + head + x(100)
        }
    }

    /// What a client gets without a fault.
    private static func answer(with landmark: Fault.Landmark) -> String {
        guard landmark.kind.needsChunks else { return sent(before: .end) }
        return interim + interim + chunkedHead + chunks.map(\.bytes).joined()
    }

    private func start(_ fault: Fault) async throws -> (ScriptedServer, RawSocket) {
        let reply = fault.landmark.kind.needsChunks ? FaultWireTests.chunkedReply : FaultWireTests.reply
        let exchange = Exchange(RequestMatch("POST", "/a"), reply: reply, faults: [fault].compactMap(\.self))
        let server = try await ScriptedServer.start(script: Script(steps: [Step(.exchange(exchange))]))
        let address = try #require(server.addresses["a.test"])
        return (server, try RawSocket(port: address.port, ip: address.ip))
    }

    @Test func `only what strikes before a request is proved elsewhere`() {
        let elsewhere = Fault.Landmark.Kind.allCases.filter { FaultWireTests.positions($0).isEmpty }
        #expect(elsewhere == [.listen, .accept])
    }

    @Test(arguments: cells)
    func `a fault does on the wire what its name says`(cell: Cell) async throws {
        let answer = Array(FaultWireTests.answer(with: cell.landmark).utf8)
        let out = Array(FaultWireTests.sent(before: cell.landmark).utf8)
        let (server, client) = try await start(Fault(at: cell.landmark, do: cell.effect))
        let begun = ContinuousClock.now
        client.send(FaultWireTests.request)
        switch cell.effect {
        case .fin, .truncate, .halfClose:
            #expect(client.receiveToEnd() == (out, .fin))
            #expect(client.state == RawSocket.closeWait)
        case .reset:
            let (bytes, end) = client.receiveToEnd()
            #expect(end == .reset)
            // RST may overtake bytes; what arrives is a beginning all the same.
            #expect(out.starts(with: bytes))
        case .stall:
            // The bytes may take their time; only then is silence counted.
            #expect(client.receive(out.count) == out)
            #expect(client.receiveToEnd(patience: 20) == ([], .silence))
            #expect(client.state == RawSocket.established)
        case .garbage:
            let (bytes, end) = client.receiveToEnd()
            #expect(end == .fin)
            #expect(bytes.starts(with: out) && bytes.count > out.count)
        case .delay(let span):
            #expect(client.receive(answer.count) == answer)
            // After the last byte there is nothing left to come late.
            #expect(ContinuousClock.now - begun >= span || out == answer)
        case .record: Issue.record("there is no TLS here")
        }
        let verdict = try await server.stop()
        #expect(verdict.isFulfilled, "\(verdict)")
    }

    @Test(arguments: Fault.Landmark.Kind.accept.legalEffects)
    func `a fault at accept strikes before anything is read`(kind: Fault.Effect.Kind) async throws {
        let effect = FaultWireTests.effect(kind)
        let exchange = Step(.exchange(Exchange(RequestMatch("POST", "/a"), reply: FaultWireTests.reply)))
        let accept = Step(.accept(Fault(at: .accept, do: effect)))
        let server = try await ScriptedServer.start(
            script: Script(steps: kind == .delay ? [accept, exchange] : [accept]))
        let address = try #require(server.addresses["a.test"])
        let begun = ContinuousClock.now
        let client = try RawSocket(port: address.port, ip: address.ip)
        switch effect {
        case .reset: #expect(client.receiveToEnd() == ([], .reset))
        case .stall:
            #expect(client.receiveToEnd(patience: 20) == ([], .silence))
            #expect(client.state == RawSocket.established)
        case .fin, .truncate, .halfClose: #expect(client.receiveToEnd() == ([], .fin))
        case .garbage:
            let (bytes, end) = client.receiveToEnd()
            #expect(end == .fin && !bytes.isEmpty)
        case .delay(let span):
            client.send(FaultWireTests.request)
            let answer = Array(FaultWireTests.answer(with: .accept).utf8)
            #expect(client.receive(answer.count) == answer)
            #expect(ContinuousClock.now - begun >= span)
        case .record: Issue.record("there is no TLS here")
        }
        #expect(try await server.stop().isFulfilled)
    }

    @Test(arguments: Fault.Landmark.Kind.idle.legalEffects.filter { $0 != .record })
    func `a fault strikes a connection that was never used`(kind: Fault.Effect.Kind) async throws {
        let idle = Fault(at: .idle(.milliseconds(5)), do: FaultWireTests.effect(kind))
        let server = try await ScriptedServer.start(script: Script(steps: [Step(.accept(idle))]))
        let address = try #require(server.addresses["a.test"])
        let client = try RawSocket(port: address.port, ip: address.ip)
        let (bytes, end) = client.receiveToEnd(patience: kind == .stall ? 40 : 10_000)
        #expect(end == (kind == .reset ? .reset : kind == .stall ? .silence : .fin))
        #expect(bytes.isEmpty == (kind != .garbage))
        #expect(try await server.stop().isFulfilled)
    }

    @Test func `a half-close leaves the other half open until the client closes it`() async throws {
        let (server, client) = try await start(Fault(at: .headEnd, do: .halfClose))
        client.send(FaultWireTests.request)
        #expect(client.receiveToEnd().end == .fin)
        // Read, not just buffered: more than the kernel takes for a server that has gone.
        #expect(client.send([UInt8](repeating: 0, count: 16 << 20)) == 0)
        #expect(client.state == RawSocket.closeWait)
        #expect(!server.journal.contains { if case .closed = $0.kind { true } else { false } })
        try await server.stop()
    }

    @Test func `FIN while the client is still sending is not a reset`() async throws {
        let exchange = Exchange(RequestMatch("POST", "/a"), faults: [Fault(at: .requestHead, do: .fin)])
        let server = try await ScriptedServer.start(script: Script(steps: [Step(.exchange(exchange))]))
        let address = try #require(server.addresses["a.test"])
        let client = try RawSocket(port: address.port, ip: address.ip)
        client.send("POST /a HTTP/1.1\r\nHost: a\r\nContent-Length: 1000000\r\n\r\n")
        #expect(client.send([UInt8](repeating: 1, count: 1_000_000)) == 0)
        #expect(client.receiveToEnd() == ([], .fin))
        #expect(client.isStillHeard())
        try await server.stop()
    }

    @Test(arguments: [1, 7])
    func `a split answer arrives in segments of that size`(size: Int) async throws {
        var reply = FaultWireTests.reply
        reply.timeline = [.wait(.milliseconds(5)), .split(size), .rest]
        let exchange = Exchange(RequestMatch("POST", "/a"), reply: reply)
        let server = try await ScriptedServer.start(script: Script(steps: [Step(.exchange(exchange))]))
        let address = try #require(server.addresses["a.test"])
        let client = try RawSocket(port: address.port, ip: address.ip)
        client.send(FaultWireTests.request)
        let answer = Array(FaultWireTests.answer(with: .end).utf8)
        #expect(client.receive(answer.count) == answer)
        // Linux joins small writes while earlier ones are on their way (tcp_autocorking), and sends a few twice when it
        // is in doubt: on a busy machine a third of the number is left. Unsplit it would be one or two.
        let segments = (100 + size - 1) / size
        #expect((max(3, segments / 8)...segments * 2).contains(client.dataSegments))
        try await server.stop()
    }
}

extension String {
    fileprivate func prefix(bytes count: Int) -> String { String(decoding: utf8.prefix(count), as: UTF8.self) }
}
