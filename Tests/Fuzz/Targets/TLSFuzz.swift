import NIOCore
import TLSBasics
import TLSEngine
import TestCertificates

/// Both ends of a connection, and someone between them. Each line is an act upon what one end sends, at a byte counted
/// from the first that it sends: `server 40 flip`, `client 9 drop`, `server 300 insert 5`, `client 70 end`. The first
/// line is the version, 1.2 or 1.3. What a client or a server is told is what the other end has said, or less of it;
/// and of how the bytes are cut up nothing depends.
enum TLSFuzz {
    static func check(_ bytes: ByteBuffer) throws {
        let input = FuzzInput(bytes)
        guard let version = TLSVersion(word: input.firstLine), version >= .tls12 else { return try garbage(bytes) }
        let acts = String(decoding: input.rest.readableBytesView, as: UTF8.self).split(separator: "\n").prefix(20)
            .compactMap { TamperedWire.Act(String($0)) }
        let first = try TLSTalk(version, acts, pieces: .max).run()
        for size in [1, 100] {
            let again = try TLSTalk(version, acts, pieces: size).run()
            try demand(again, equals: first, "a connection goes differently in pieces of \(size)")
        }
    }

    /// Bytes in the place of everything that the other end sends.
    private static func garbage(_ bytes: ByteBuffer) throws {
        for isClient in [true, false] {
            for arrival in Arrival.all(of: bytes) {
                let end = try TLSTalk.end(isClient, .tls12 ... .tls13)
                end.start()
                var failures = 0
                for piece in arrival.pieces {
                    end.receive(piece)
                    while let event = end.nextEvent() {
                        switch event {
                        case .failed: failures += 1
                        case .secured, .received, .ticket, .ended:
                            throw Violation(description: "\(event) of bytes that nobody has sealed")
                        case .trustAsked: end.answerTrust(true, alert: .internalError)
                        case .identityAsked: end.answerIdentity(nil)
                        }
                    }
                }
                try demand(failures <= 1, "a connection fails \(failures) times")
            }
        }
    }
}

/// A conversation under someone's hands.
private final class TLSTalk {
    struct Outcome: Equatable {
        var isSecured = [false, false]
        var heard = ["", ""]
        var hasEnded = [false, false]
        var hasFailed = [false, false]
    }

    private static let said = [
        "GET / HTTP/1.1\r\nHost: a.test\r\n\r\n", "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello",
    ]
    private static let peer = PeerCertificates(
        chain: TestCertificates.certificates(named: "valid"), stapledResponse: Array("a response".utf8))
    private let ends: [TLSConnection]
    private var wires: [TamperedWire]
    private var hasSpoken = [false, false]
    private var outcome = Outcome()
    private var shown: PeerCertificates?

    init(_ version: TLSVersion, _ acts: [TamperedWire.Act], pieces: Int) throws {
        TLSLibrary.seeded.reseed(1)
        ends = try [true, false].map { try Self.end($0, version...version) }
        wires = [true, false].map { side in TamperedWire(acts.filter { $0.isClient == side }, pieces: pieces) }
    }

    static func end(_ isClient: Bool, _ versions: ClosedRange<TLSVersion>) throws -> TLSConnection {
        if isClient {
            return try TLSConnection(
                client: TLSClientContext(library: .seeded, versions: versions, applicationProtocols: ["http/1.1"]),
                host: "a.test", resuming: nil)
        }
        guard let identity = TestCertificates.identity(named: "valid") else {
            throw Violation(description: "no preset")
        }
        var settings = TLSServerSettings(identity: identity)
        settings.versions = versions
        settings.stapledResponse = peer.stapledResponse
        return try TLSConnection(server: TLSServerContext(library: .seeded, settings))
    }

    func run() throws -> Outcome {
        ends[0].start()
        var isMoving = true
        while isMoving {
            isMoving = false
            for side in [0, 1] {
                while let event = ends[side].nextEvent() { try take(event, at: side) }
                guard let flight = ends[side].takeCiphertext() else { continue }
                isMoving = true
                for piece in wires[side].carry(flight) {
                    ends[1 - side].receive(piece)
                    while let event = ends[1 - side].nextEvent() { try take(event, at: 1 - side) }
                }
                if wires[side].hasEnded { ends[1 - side].receiveEnd() }
            }
        }
        try demand(
            zip(outcome.heard, Self.said.reversed()).allSatisfy { $1.hasPrefix($0) },
            "heard what nobody said: \(outcome)")
        return outcome
    }

    private func take(_ event: TLSEvent, at side: Int) throws {
        try demand(!outcome.hasFailed[side], "\(event) behind a failure")
        switch event {
        case .trustAsked(let peer):
            shown = peer
            ends[side].answerTrust(true, alert: .internalError)
        case .identityAsked: ends[side].answerIdentity(nil)
        case .secured:
            // Up to TLS 1.2 certificates travel in clear, and nothing vouches for them before the end of the handshake.
            if side == 0 {
                try demand(
                    shown, equals: Self.peer, "other certificates than were sent")
            }
            outcome.isSecured[side] = true
            ends[side].send(ByteBuffer(string: Self.said[side]))
            ends[side].sendEnd()
        case .received(let bytes): outcome.heard[side] += String(buffer: bytes)
        case .ended: outcome.hasEnded[side] = true
        case .failed: outcome.hasFailed[side] = true
        case .ticket: break
        }
    }
}

/// What one end sends, on its way.
private struct TamperedWire {
    struct Act {
        enum Kind { case flip, drop, insert(Int), end }
        let isClient: Bool
        let place: Int
        let kind: Kind

        init?(_ line: String) {
            let words = line.split(separator: " ")
            guard words.count >= 3, let place = Int(words[1]), place >= 0, ["client", "server"].contains(words[0])
            else {
                return nil
            }
            isClient = words[0] == "client"
            self.place = place
            switch words[2] {
            case "flip": kind = .flip
            case "drop": kind = .drop
            case "end": kind = .end
            case "insert": kind = .insert(min(1000, max(0, words.count > 3 ? Int(words[3]) ?? 1 : 1)))
            default: return nil
            }
        }
    }

    private let acts: [Act]
    private let pieces: Int
    private var passed = 0
    private(set) var hasEnded = false

    init(_ acts: [Act], pieces: Int) { (self.acts, self.pieces) = (acts, pieces) }

    mutating func carry(_ flight: ByteBuffer) -> [ByteBuffer] {
        var bytes: [UInt8] = []
        for byte in flight.readableBytesView where !hasEnded {
            var kept: [UInt8] = [byte]
            for act in acts where act.place == passed {
                switch act.kind {
                case .flip: kept = kept.map { $0 ^ 0x55 }
                case .drop: kept = []
                case .insert(let count): kept += [UInt8](repeating: 0x17, count: count)
                case .end:
                    kept = []
                    hasEnded = true
                }
            }
            passed += 1
            bytes += kept
        }
        return stride(from: 0, to: bytes.count, by: min(pieces, 1 << 20)).map {
            ByteBuffer(bytes: bytes[$0..<min(bytes.count, $0 + min(pieces, 1 << 20))])
        }
    }
}
