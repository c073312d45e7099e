import HTTPBasics
import ServerScript
import TestSupport
import Testing

@testable import ScriptedServer

/// Every cell of landmark and effect, proved with a raw socket: which bytes came, and how the connection ended.
@Suite(.serialized) struct FaultWireTests {
    struct Cell: CustomTestStringConvertible, Sendable {
        var landmark: Landmark
        /// Bytes of the plain answer that are out when the fault strikes.
        var position: Position
        var effect: Effect

        enum Position: Sendable {
            case none
            case bytes(Int)
            case headAnd(Int)
            case all

            /// The answer's body has 100 bytes.
            func count(in answer: [UInt8]) -> Int {
                switch self {
                case .none: 0
                case .bytes(let count): count
                case .headAnd(let count): answer.count - 100 + count
                case .all: answer.count
                }
            }
        }

        var testDescription: String { "\(landmark) \(effect)" }
    }

    private static let positions: [(Landmark, Cell.Position)] = [
        (.requestHead, .none), (.requestBody(4), .none), (.request, .none), (.statusLine(0), .none),
        (.statusLine(9), .bytes(9)), (.head(1), .bytes(1)), (.head(40), .bytes(40)), (.headEnd, .headAnd(0)),
        (.body(0), .headAnd(0)), (.body(1), .headAnd(1)), (.body(99), .headAnd(99)), (.body(100), .all), (.end, .all),
        (.idle(.milliseconds(5)), .all),
    ]

    private static let effects: [Effect] = [
        .fin, .reset, .stall, .halfClose, .garbage, .delay(.milliseconds(40)),
    ]

    static let cells = positions.flatMap { landmark, position in
        effects.filter { landmark.legalEffects.contains($0.kind) }
            .map { Cell(landmark: landmark, position: position, effect: $0) }
    }

    private static let request = "POST /a HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\n0123456789"
    /// Its Date is fixed, so that two answers are equal to the byte.
    private static let reply = Reply(
        fields: Fields([Fields.Field("Date", "Thu, 01 Jan 1970 00:00:00 GMT")]), body: .counter(size: 100))

    private func start(_ fault: Fault?) async throws -> (ScriptedServer, RawSocket) {
        let exchange = Exchange(RequestMatch("POST", "/a"), reply: FaultWireTests.reply, fault: fault)
        let server = try await ScriptedServer.start(script: Script(steps: [Step(.exchange(exchange))]))
        let address = try #require(server.addresses["a.test"])
        return (server, try RawSocket(port: address.port, ip: address.ip))
    }

    /// What a client gets that nobody disturbs.
    private func plainAnswer() async throws -> [UInt8] {
        let (server, client) = try await start(nil)
        client.send(FaultWireTests.request)
        let bytes = client.receiveHead() + client.receive(100)
        try await server.stop()
        return bytes
    }

    @Test(arguments: cells)
    func `a fault does on the wire what its name says`(cell: Cell) async throws {
        let answer = try await plainAnswer()
        let out = Array(answer.prefix(cell.position.count(in: answer)))
        let (server, client) = try await start(Fault(at: cell.landmark, do: cell.effect))
        let begun = ContinuousClock.now
        client.send(FaultWireTests.request)
        switch cell.effect {
        case .fin, .halfClose:
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
        }
        let verdict = try await server.stop()
        #expect(verdict.isFulfilled, "\(verdict)")
    }

    @Test(arguments: [Effect.fin, .reset, .stall, .halfClose, .garbage])
    func `a fault at accept strikes before anything is read`(effect: Effect) async throws {
        let script = Script(steps: [Step(.accept(Fault(at: .accept, do: effect)))])
        let server = try await ScriptedServer.start(script: script)
        let address = try #require(server.addresses["a.test"])
        let client = try RawSocket(port: address.port, ip: address.ip)
        let (bytes, end) = client.receiveToEnd(patience: effect == .stall ? 20 : 10_000)
        switch effect {
        case .reset: #expect(end == .reset)
        case .stall: #expect(end == .silence && client.state == RawSocket.established)
        default: #expect(end == .fin)
        }
        #expect(bytes.isEmpty == (effect != .garbage))
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
        let exchange = Exchange(RequestMatch("POST", "/a"), fault: Fault(at: .requestHead, do: .fin))
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
        let answer = try await plainAnswer()
        #expect(client.receive(answer.count) == answer)
        // Linux joins small writes while earlier ones are on their way (tcp_autocorking), and sends a few twice when it
        // is in doubt: on a busy machine a third of the number is left. Unsplit it would be one or two.
        let segments = (100 + size - 1) / size
        #expect((max(3, segments / 8)...segments * 2).contains(client.dataSegments))
        try await server.stop()
    }
}
