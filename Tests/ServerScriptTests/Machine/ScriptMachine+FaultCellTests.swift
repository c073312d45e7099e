import HTTPBasics
import NIOCore
import Testing

@testable import ServerScript

/// One legal cell of the fault table, at one position, with the request fed whole or byte by byte.
struct FaultCell: Sendable, CustomTestStringConvertible {
    var landmark: Fault.Landmark
    var effect: Fault.Effect
    var isBytewise: Bool

    var testDescription: String { "\(landmark) \(effect.kind)\(isBytewise ? ", bytewise" : "")" }

    static let pause = Duration.milliseconds(500)

    static func effect(_ kind: Fault.Effect.Kind) -> Fault.Effect {
        switch kind {
        case .fin: .fin
        case .truncate: .truncate
        case .reset: .reset
        case .stall: .stall
        case .halfClose: .halfClose
        case .garbage: .garbage
        case .delay: .delay(pause)
        case .record: .record(.alert(.internalError))
        }
    }

    static func positions(_ kind: Fault.Landmark.Kind) -> [Fault.Landmark] {
        switch kind {
        // Strikes before there is a machine: proved by DeafPortTests and NameTableTests.
        case .listen: []
        case .accept: [.accept]
        case .requestHead: [.requestHead]
        case .requestBody: [.requestBody(0), .requestBody(2), .requestBody(4)]
        case .request: [.request]
        case .interim: [.interim(0), .interim(1)]
        case .statusLine: [.statusLine(0), .statusLine(7), .statusLine(17)]
        case .head: [.head(0), .head(17), .head(30)]
        case .headEnd: [.headEnd]
        case .body: [.body(0), .body(4), .body(10)]
        case .chunk: [0, 1, 2].flatMap { index in ChunkPart.allCases.map { .chunk(index, $0) } }
        case .lastChunk: [.lastChunk]
        case .trailers: [.trailers]
        case .end: [.end]
        case .idle: [.idle(.seconds(1))]
        }
    }

    static let all: [FaultCell] = Fault.Landmark.Kind.allCases.flatMap { kind in
        kind.legalEffects.flatMap { effect in
            positions(kind).flatMap { landmark in
                [false, true].map { FaultCell(landmark: landmark, effect: Self.effect(effect), isBytewise: $0) }
            }
        }
    }
}

@Suite struct FaultCellTests {
    static let interim = "HTTP/1.1 103 Early Hints\r\n\r\n"
    static let statusLine = "HTTP/1.1 200 OK\r\n"
    static let head =
        statusLine + "Date: Sun, 06 Nov 1994 08:49:37 GMT\r\nContent-Length: 10\r\n\r\n"
    static let body = "0123456789"
    static let chunkedHead =
        statusLine + "Date: Sun, 06 Nov 1994 08:49:37 GMT\r\nTransfer-Encoding: chunked\r\n\r\n"
    /// The same body in chunks of 4, cut at every landmark that chunks have.
    static let chunkedBody: [(landmark: Fault.Landmark, bytes: String)] = [
        (.chunk(0, .size), "4\r\n"), (.chunk(0, .data), "0123"), (.chunk(0, .crlf), "\r\n"),
        (.chunk(1, .size), "4\r\n"), (.chunk(1, .data), "4567"), (.chunk(1, .crlf), "\r\n"),
        (.chunk(2, .size), "2\r\n"), (.chunk(2, .data), "89"), (.chunk(2, .crlf), "\r\n"),
        (.lastChunk, "0\r\n"), (.trailers, "T: 1\r\nU: 2\r\n"), (.end, "\r\n"),
    ]
    static let request = "POST /x HTTP/1.1\r\nHost: a.test\r\nContent-Length: 4\r\n\r\ndata"

    static func script(_ fault: Fault) -> Script {
        let interim = [Interim(status: 103), Interim(status: 103)]
        var reply = Reply(body: .text(body), interim: interim)
        if fault.landmark.kind.needsChunks {
            reply.framing = .chunked(size: 4)
            reply.trailers = Fields([Fields.Field("T", "1"), Fields.Field("U", "2")])
        }
        if fault.landmark == .accept {
            return Script(steps: [Step(.accept(fault)), step("POST", "/x", reply)])
        }
        return Script(steps: [step("POST", "/x", reply, fault: fault)])
    }

    /// What must be on the wire when the fault strikes.
    static func sent(before landmark: Fault.Landmark) -> String {
        let interims = interim + interim
        switch landmark {
        case .listen, .accept, .requestHead, .requestBody, .request: return ""
        case .interim(let index): return String(repeating: interim, count: index)
        case .statusLine(let count), .head(let count): return interims + head.prefix(bytes: count)
        case .headEnd: return interims + head
        case .body(let count): return interims + head + body.prefix(bytes: count)
        case .chunk, .lastChunk, .trailers:
            let parts = chunkedBody.map(\.landmark).firstIndex(of: landmark).map { chunkedBody[...$0] } ?? []
            return interims + chunkedHead + parts.map(\.bytes).joined()
        case .end, .idle: return interims + head + body
        }
    }

    static func everything(with landmark: Fault.Landmark) -> String {
        guard landmark.kind.needsChunks else { return sent(before: .end) }
        return interim + interim + chunkedHead + chunkedBody.map(\.bytes).joined()
    }

    @Test("Every legal cell: exact bytes before, exact effect after, journaled once", arguments: FaultCell.all)
    func everyCell(cell: FaultCell) throws {
        let fault = Fault(at: cell.landmark, do: cell.effect)
        try ServerPlay.run(Self.script(fault)) { play in
            play.connect()
            if cell.isBytewise { play.sendBytewise(Self.request) } else { play.send(Self.request) }
            if case .idle(let span) = cell.landmark {
                try play.advance(span - .nanoseconds(1))
                try play.book.check("early faults", play.events().filter { $0.contains("faulted") }, is: [])
                try play.advance(.nanoseconds(1))
            }
            let garbage = String(
                decoding: ScriptMachine.garbage.bytes(at: 0, count: 64).readableBytesView, as: UTF8.self)
            let wire = play.wire()
            let actions = play.actions().filter { !$0.hasPrefix("reading") }
            let wanted = Self.sent(before: cell.landmark)
            try play.book.check("wire", wire, is: cell.effect == .garbage ? wanted + garbage : wanted)
            let wantedActions =
                switch cell.effect {
                case .fin, .garbage: ["close 0"]
                case .truncate: ["close 0 unannounced"]
                case .reset: ["reset 0"]
                case .halfClose: ["closeOutput 0"]
                case .record: ["strike 0", "close 0 unannounced"]
                case .stall, .delay: [String]()
                }
            try play.book.check("actions", actions, is: wantedActions)
            try after(cell, play)
        }
    }

    private func after(_ cell: FaultCell, _ play: ServerPlay) throws {
        switch cell.effect {
        case .stall, .halfClose:
            try play.book.expectDeadline(in: nil)
            play.ask("GET /more")
            try play.book.check("wire after more bytes", play.wire(), is: "")
            play.feed(.inputClosed(PeerID(0)))
            try play.book.check("actions after FIN", play.actions(), is: ["close 0"])
        case .delay:
            let sent = Self.sent(before: cell.landmark)
            try play.book.expectDeadline(in: FaultCell.pause)
            try play.advance(FaultCell.pause - .nanoseconds(1))
            try play.book.check("wire too early", play.wire(), is: "")
            try play.advance(.nanoseconds(1))
            try play.book.check(
                "rest", play.wire(), is: String(Self.everything(with: cell.landmark).dropFirst(sent.count)))
            try play.book.check("actions", play.actions(), is: [])
        case .fin, .truncate, .reset, .garbage, .record:
            try play.book.expectDeadline(in: nil)
        }
        let faults = play.events().filter { $0.contains("faulted") }
        try play.book.check("faults in the journal", faults.count, is: 1)
        let isAcceptOnly = cell.landmark == .accept && cell.effect.kind != .delay
        try play.book.check("left over", play.machine.unconsumedSteps.count, is: isAcceptOnly ? 1 : 0)
    }

    @Test("With delays the bytes of a body at any landmark are those of an undisturbed answer")
    func undisturbedBytes() throws {
        try ServerPlay.run(Self.script(Fault(at: .request, do: .delay(.zero)))) { play in
            play.connect()
            play.send(Self.request)
            try play.book.check("wire", play.wire(), is: Self.everything(with: .request))
        }
    }

    @Test("Chunk framing is not counted: N bytes of data are out when a body fault strikes", arguments: 0...10)
    func chunkedBody(count: Int) throws {
        let reply = Reply(
            body: .text(Self.body), framing: .chunked(size: 4),
            faults: [Fault(at: .body(count), do: .delay(.seconds(1)))])
        try ServerPlay.run(step("GET", "/", reply)) { play in
            play.connect()
            play.ask("GET /")
            let first = play.body()
            let framed = ["4\r\n0123\r\n", "4\r\n4567\r\n", "2\r\n89\r\n"]
            var wanted = ""
            var left = count
            for chunk in framed where left > 0 {
                let size = chunk == framed[2] ? 2 : 4
                wanted += left > size ? chunk : String(chunk.prefix(bytes: 3 + left))
                left -= size
            }
            try play.book.check("first part", first, is: wanted)
            try play.advance(.seconds(1))
            try play.book.check("whole", first + play.wire(), is: framed.joined() + "0\r\n\r\n")
        }
    }

    @Test("A reset waits until the transport has taken what goes before it")
    func resetWaitsForTransport() throws {
        let reply = Reply(body: .text(Self.body), faults: [Fault(at: .body(4), do: .reset)])
        try ServerPlay.run(step("GET", "/", reply)) { play in
            play.takesWrites = false
            play.connect()
            play.ask("GET /")
            let count = play.bytes().count
            try play.book.check("actions", play.actions(), is: [])
            play.acknowledge(count - 1)
            try play.book.check("actions", play.actions(), is: [])
            play.acknowledge(1)
            try play.book.check("actions", play.actions(), is: ["reset 0"])
        }
    }

    @Test("A fault that the exchange never comes to is a violation, not a silent success")
    func unreachedFault() throws {
        let reply = Reply(body: .text("1234"), faults: [Fault(at: .body(5), do: .fin)])
        try ServerPlay.run(step("GET", "/", reply)) { play in
            play.connect()
            play.ask("GET /")
            let text = "0/0 violation the fault at body+5 was never reached: the exchange ended before it"
            try play.book.check("violation", play.events().contains(text))
        }
    }

    @Test("A stall in the middle of a request stops reading", arguments: [Fault.Landmark.requestHead, .requestBody(2)])
    func stallStopsReading(landmark: Fault.Landmark) throws {
        try ServerPlay.run(Self.script(Fault(at: landmark, do: .stall))) { play in
            play.connect()
            play.send(Self.request)
            try play.book.check("actions", play.actions(), is: ["reading 0 off"])
        }
    }

    @Test("An idle fault does not fire when the connection is used again, and its step stays unconsumed")
    func idleFaultMissed() throws {
        let first = step("GET", "/1", Reply(faults: [Fault(at: .idle(.seconds(1)), do: .fin)]), lane: "A", line: 3)
        try ServerPlay.run(first, step("GET", "/2", lane: "A", line: 4)) { play in
            play.connect()
            play.ask("GET /1")
            try play.advance(.milliseconds(999))
            play.ask("GET /2")
            try play.advance(.seconds(5))
            try play.book.check("left over", play.machine.unconsumedSteps.map(\.mark?.line), is: [3])
            try play.book.check("actions", play.actions(), is: [])
            try play.book.check("not exhausted", !play.machine.isExhausted)
        }
    }
}

extension String {
    func prefix(bytes count: Int) -> String { String(decoding: utf8.prefix(count), as: UTF8.self) }
}
