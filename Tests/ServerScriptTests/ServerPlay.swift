import HTTPBasics
import MachineContract
import NIOCore
import TestSupport

@testable import ServerScript

/// A script machine with a willing transport around it: what is written counts as taken at once, and outputs are
/// sorted into wire bytes, journal lines and actions, each to be read and cleared.
final class ServerPlay {
    let book: Playbook<ScriptMachine>
    /// Switched off, writes stay outstanding until `acknowledge`.
    var takesWrites = true
    private var written: [Int: [UInt8]] = [:]
    private var segments: [Int: [Int]] = [:]
    private var journal: [String] = []
    private var others: [String] = []

    init(_ book: Playbook<ScriptMachine>) { self.book = book }

    static func run(
        _ script: Script, origins: [String: String] = [:], seed: UInt64 = 0, repeats: Bool = false,
        roundTimeout: Duration? = nil, peerTimeout: Duration? = nil, hasScopes: Bool = false,
        mounts: [ScriptMount] = [], _ body: (ServerPlay) throws -> Void
    ) throws {
        let machine = ScriptMachine(
            script: script, origins: origins, seed: seed, repeats: repeats, roundTimeout: roundTimeout,
            peerTimeout: peerTimeout, hasScopes: hasScopes, mounts: mounts)
        try Playbook.play(machine, describeInput: describe, describeOutput: describe) { book in
            let play = ServerPlay(book)
            try body(play)
            play.sort()
        }
    }

    static func run(_ steps: Step..., body: (ServerPlay) throws -> Void) throws {
        try run(Script(steps: steps), body)
    }

    var machine: ScriptMachine { book.machine }

    func feed(_ input: ScriptInput) {
        book.feed(input)
        sort()
    }

    func connect(_ peer: Int = 0, host: String = "a.test") { feed(.accepted(PeerID(peer), host: host)) }

    func send(_ text: String, on peer: Int = 0) { feed(.received(PeerID(peer), ByteBuffer(string: text))) }

    func sendBytewise(_ text: String, on peer: Int = 0) {
        for byte in text.utf8 { feed(.received(PeerID(peer), ByteBuffer(bytes: [byte]))) }
    }

    /// A request without a body.
    func ask(_ line: String, _ fields: String..., on peer: Int = 0) {
        send("\(line) HTTP/1.1\r\nHost: a.test\r\n\(fields.map { $0 + "\r\n" }.joined())\r\n", on: peer)
    }

    func post(_ path: String, _ body: String, _ fields: String..., on peer: Int = 0) {
        let extra = fields.map { $0 + "\r\n" }.joined()
        send(
            "POST \(path) HTTP/1.1\r\nHost: a.test\r\nContent-Length: \(body.utf8.count)\r\n\(extra)\r\n\(body)",
            on: peer)
    }

    func advance(_ span: Duration) throws {
        try book.advance(by: span)
        sort()
    }

    func acknowledge(_ bytes: Int, on peer: Int = 0) { feed(.wrote(PeerID(peer), bytes: bytes)) }

    // MARK: What has been put out since the last look

    func bytes(_ peer: Int = 0) -> [UInt8] { written.removeValue(forKey: peer) ?? [] }
    func wire(_ peer: Int = 0) -> String { String(decoding: bytes(peer), as: UTF8.self) }
    /// The lengths of the single writes.
    func writes(_ peer: Int = 0) -> [Int] { segments.removeValue(forKey: peer) ?? [] }

    /// What follows the head on the wire.
    func body(_ peer: Int = 0) -> String {
        let text = wire(peer)
        guard let end = text.firstRange(of: "\r\n\r\n") else { return "no head in: \(text)" }
        return String(text[end.upperBound...])
    }

    func events() -> [String] {
        defer { journal = [] }
        return journal
    }

    /// Everything but writes and journal.
    func actions() -> [String] {
        defer { others = [] }
        return others
    }

    private func sort() {
        while true {
            let outputs = book.take()
            if outputs.isEmpty { return }
            var taken: [(PeerID, Int)] = []
            for output in outputs {
                switch output {
                case .write(let peer, let bytes), .writeAhead(let peer, let bytes):
                    written[peer.value, default: []] += bytes.readableBytesView
                    segments[peer.value, default: []].append(bytes.readableBytes)
                    taken.append((peer, bytes.readableBytes))
                case .journal(let event): journal.append(ServerPlay.describe(event))
                case .closeOutput, .close, .strike, .spoilHandshake, .secure, .reset, .setReading, .signal, .scope:
                    others.append(ServerPlay.describe(output))
                }
            }
            guard takesWrites else { return }
            for (peer, count) in taken { book.feed(.wrote(peer, bytes: count)) }
        }
    }
}

// MARK: Short words for transcripts

extension ServerPlay {
    static func describe(_ input: ScriptInput) -> String {
        guard case .received(let peer, let bytes) = input else { return String(describing: input) }
        return "received \(peer.value) \(quoted(String(buffer: bytes)))"
    }

    static func describe(_ output: ScriptOutput) -> String {
        switch output {
        case .write(let peer, let bytes), .writeAhead(let peer, let bytes):
            "write \(peer.value) \(quoted(String(buffer: bytes)))"
        case .strike(let peer, _, _): "strike \(peer.value)"
        case .spoilHandshake(let peer): "spoil \(peer.value)"
        case .secure(let peer, let host, _, let isSpoilt): "secure \(peer.value) \(host)\(isSpoilt ? " spoilt" : "")"
        case .closeOutput(let peer): "closeOutput \(peer.value)"
        case .close(let peer, let isAnnounced): "close \(peer.value)\(isAnnounced ? "" : " unannounced")"
        case .reset(let peer): "reset \(peer.value)"
        case .setReading(let peer, let isOn): "reading \(peer.value) \(isOn ? "on" : "off")"
        case .signal(let name): "signal \(name)"
        case .scope(let name, let news): "scope \(name) \(news)"
        case .journal(let event): describe(event)
        }
    }

    static func describe(_ event: ServerEvent) -> String {
        let place = "\(event.peer.value)/\(event.exchange)\(event.scope.isEmpty ? "" : " \(event.scope):")"
        switch event.kind {
        case .accepted: return "\(place) accepted"
        case .tunnelled(let host): return "\(place) tunnelled \(host)"
        case .request(let request):
            return "\(place) request \(request.method) \(request.target)\(request.lane.map { " " + $0 } ?? "")"
        case .noted(let note): return "\(place) noted \(note)"
        case .requestBody(let body): return "\(place) body \(body.count)"
        case .uploaded(let path, let body): return "\(place) uploaded \(path) \(body.count)"
        case .answered(let status): return "\(place) answered \(status)"
        case .faulted(let fault): return "\(place) faulted \(fault.landmark) \(fault.effect.kind)"
        case .drew(let fault, let happens, let seed):
            return "\(place) drew \(fault.landmark) happens: \(happens) seed: \(seed)"
        case .brokenOff(let part, let count): return "\(place) broken off in the \(part.rawValue) after \(count)"
        case .closed(let byClient): return "\(place) closed by \(byClient ? "client" : "server")"
        case .violation(let violation): return "\(place) violation \(violation.text)"
        case .exhausted: return "\(place) exhausted"
        case .abandoned(let reason): return "\(place) abandoned \(reason)"
        case .startedOver: return "\(place) startedOver"
        case .secureFailed(let failure): return "\(place) secureFailed \(failure.kind)"
        }
    }
}

// MARK: Short words for scripts

func step(
    _ method: String, _ target: String, _ reply: Reply? = Reply(body: .text("ok")), lane: String? = nil,
    host: String? = nil, times: Int = 1, fault: Fault? = nil, fields: [RequestMatch.NamedRule] = [], line: Int? = nil
) -> Step {
    let exchange = Exchange(
        RequestMatch(method, target, fields: fields), reply: reply, faults: [fault].compactMap(\.self))
    let mark = line.map { SourceMark(file: "s.yaml", line: $0, column: 5) }
    return Step(.exchange(exchange), lane: lane, host: host, times: times, mark: mark)
}

func route(_ method: String?, _ target: String?, _ reply: Reply) -> Route {
    Route(Exchange(RequestMatch(method, target), reply: reply))
}
