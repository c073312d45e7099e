import DequeModule
import NIOCore
import ServerScript
import TLSBasics
import TLSEngine

/// The layer between one accepted connection's transport and the script: what either side says comes out on the other
/// as events and as bytes. Of a connection that a proxy over TLS has tunnelled there are two: the host's layer lies
/// within the proxy's. The same file in both worlds. Confined to the server's thread.
package final class PeerTLS {
    /// What the transport must do now, in order.
    package enum Move: Equatable {
        /// Hand these bytes to the script.
        case received(ByteBuffer)
        /// The client has said that it sends nothing more.
        case inputClosed
        case send(ByteBuffer)
        /// FIN behind what was sent; nothing more goes out.
        case fin
        case reset
        /// What follows comes later, unless `hurry` is called.
        case wait(Duration)
        /// What a fault of the handshake does.
        case handshake(HandshakeNews)
        /// A fault could not be done, or its place was never reached: what the verdict says of it.
        case unstruck(String)
        /// The connection is of no use any more: FIN behind what was sent, and the script hears of its end.
        case fail(TLSFailure)
    }

    private let end: TLSConnection
    /// The proxy's, which protects what this one makes.
    private let outer: PeerTLS?
    private let plannedFault: HandshakeFault?
    private var fault: PendingHandshakeFault?
    private let recordSize: Int?
    /// How many bytes still go into small records: a large body in the smallest would take twenty times its length.
    private var toDivide: Int
    private var moves: Deque<Move> = []
    private var isOver = false
    /// What was agreed upon; nil before that.
    package private(set) var facts: TLSFacts?

    init(_ end: TLSConnection, _ fault: HandshakeFault?, recordSize: Int? = nil, within outer: PeerTLS? = nil) {
        self.outer = outer
        self.recordSize = recordSize
        self.end = end
        toDivide = recordSize == nil ? Self.smallStart : 64 << 10
        plannedFault = fault
    }

    /// The host's fault is to strike this handshake, of which nothing has come yet.
    package func spoil() { fault = plannedFault.map { PendingHandshakeFault($0) } }

    // MARK: - From the transport

    package func received(_ ciphertext: ByteBuffer) {
        if let outer { outer.received(ciphertext) } else { read(ciphertext) }
    }

    package func receivedEnd() {
        if let outer { outer.receivedEnd() } else { readEnd() }
    }

    /// What has come of it before it was there: behind a request for a tunnel.
    package func begin(with early: ByteBuffer) { read(early) }

    private func read(_ ciphertext: ByteBuffer) {
        // Behind a fault nobody reads it, and it must not gather.
        guard !isOver, ciphertext.readableBytes > 0 else { return }
        end.receive(ciphertext)
        advance()
    }

    private func readEnd() {
        guard !isOver else { return moves.append(.inputClosed) }
        end.receiveEnd()
        advance()
    }

    // MARK: - From the script

    /// A client can use what begins an answer as soon as one segment is there, where it waits for all of a large
    /// record: so many bytes behind what it has sent go in records that fit into a segment.
    private static let smallStart = 8 << 10
    private static let smallRecord = 1_400

    package func write(_ plaintext: ByteBuffer) {
        var rest = plaintext
        let size = recordSize ?? Self.smallRecord
        while toDivide > 0, rest.readableBytes > 0, let piece = rest.readSlice(length: min(size, rest.readableBytes)) {
            toDivide -= piece.readableBytes
            end.send(piece)
        }
        end.send(rest)
        advance()
    }

    /// Behind what was written.
    package func strike(_ fault: RecordFault, ofProxy: Bool) {
        if ofProxy, let outer {
            wrap(for: outer)
            return outer.strike(fault, ofProxy: false)
        }
        let reason = ofProxy ? "there is no proxy's TLS around it" : obstacle(to: fault)
        if let reason { moves.append(.unstruck(Self.complaint(fault.description, reason))) }
        advance()
    }

    /// Does it, or says why it cannot be done; then nothing has happened.
    private func obstacle(to fault: RecordFault) -> String? {
        guard let facts else { return "the connection is not secured" }
        switch fault {
        // A header of 5 bytes, then what no key can open.
        case .badRecord: end.sendRaw([23, 3, 3, 0, 64] + Self.noise)
        // 2^14 bytes and 2048 for their protection are the most of TLS 1.2 (RFC 5246 6.2.3), of 1.3 less.
        case .longRecord: end.sendRaw([23, 3, 3, 0x48, 1] + Self.noise)
        case .clearText: end.sendRaw("HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n".utf8)
        case .alert(let alert):
            if !end.sendAlert(alert) { return Self.sealsNoAlert }
        case .keyUpdate, .keyFlood:
            guard facts.version == .tls13 else { return "TLS 1.3 alone has new keys" }
            for _ in 0..<(fault == .keyFlood ? Self.floodOfKeys : 1) { end.updateKeys() }
        case .renegotiation:
            guard facts.version != .tls13 else { return "TLS 1.3 has no renegotiation" }
            end.askToRenegotiate()
        case .closeNotify: end.sendEnd()
        }
        return nil
    }

    static let sealsNoAlert = "an alert can be sealed with GCM and ChaCha20-Poly1305 only"

    static func complaint(_ fault: String, _ reason: String) -> String {
        "the fault '\(fault)' could not be done: \(reason)"
    }

    /// Bytes that are no TLS; always the same, so that runs can be compared.
    static let noise = (0..<64).map { UInt8(truncatingIfNeeded: $0 &* 37 &+ 9) }

    /// Each takes 27 bytes, and so does its answer.
    private static let floodOfKeys = 10_000

    /// What was written is all. Each layer says so, the inner one first.
    package func closeOutput() {
        end.sendEnd()
        advance()
        guard let outer, !isOver else { return }
        wrap(for: outer)
        outer.closeOutput()
    }

    /// Nothing that goes out stands before it.
    private func wrap(for outer: PeerTLS) {
        while case .send(let bytes) = moves.first {
            moves.removeFirst()
            outer.write(bytes)
        }
    }

    // MARK: - What follows

    package func nextMove() -> Move? {
        guard let outer else { return moves.popFirst() }
        while true {
            switch outer.nextMove() {
            case .received(let bytes): read(bytes)
            case .inputClosed: readEnd()
            case .fail(let failure):
                isOver = true
                return .fail(failure)
            case let move?: return move
            case nil:
                guard case .send(let bytes) = moves.first else { return moves.popFirst() }
                moves.removeFirst()
                outer.write(bytes)
            }
        }
    }

    /// What the client has said and the script has not heard, because of a pause.
    package var unheardBytes: Int {
        moves.reduce(outer?.unheardBytes ?? 0) { sum, move in
            if case .received(let bytes) = move { sum + bytes.readableBytes } else { sum }
        }
    }

    /// Nothing that is left waits any more: the script ends the connection.
    package func hurry() {
        outer?.hurry()
        moves.removeAll { move in
            if case .wait = move { true } else { false }
        }
    }

    private func advance() {
        while !isOver, let event = end.nextEvent() {
            if case .secured(let facts) = event { secured(facts) }
            takeCiphertext()
            react(to: event)
        }
        takeCiphertext()
    }

    /// The client's last flight is here, and what is not taken yet is the answer to it: in TLS 1.2 the server's last
    /// flight, in TLS 1.3 tickets; nothing, if the server's flight was the first of the two.
    private func secured(_ facts: TLSFacts) {
        self.facts = facts
        guard !isOver, var fault else { return }
        let flight = LastFlight(end.takeCiphertext() ?? ByteBuffer(), facts.version)
        moves.append(
            contentsOf: fault.strikeLast(flight) { alert, unsent in end.alertRecord(alert, inPlaceOf: unsent) })
        isOver = fault.isOver
        self.fault = fault
    }

    private func react(to event: TLSEvent) {
        switch event {
        case .received(let bytes):
            if recordSize == nil { toDivide = Self.smallStart }
            moves.append(.received(bytes))
        case .ended: moves.append(.inputClosed)
        case .failed(let failure):
            takeCiphertext()
            isOver = true
            // A client that just leaves is no news to a server.
            moves.append(failure.kind == .truncated ? .inputClosed : .fail(failure))
        case .trustAsked: end.answerTrust(true, alert: .closeNotify)
        case .secured, .identityAsked, .ticket: break
        }
    }

    private func takeCiphertext() {
        guard !isOver, let bytes = end.takeCiphertext() else { return }
        guard var fault else { return moves.append(.send(bytes)) }
        moves.append(contentsOf: fault.strike(bytes))
        isOver = fault.isOver
        self.fault = fault
    }
}
