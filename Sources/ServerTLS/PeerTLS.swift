import DequeModule
import NIOCore
import ServerScript
import TLSBasics
import TLSEngine

/// The layer between one accepted connection's transport and the script: what either side says comes out on the other
/// as events and as bytes. The same file in both worlds. Confined to the server's thread.
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
        /// The connection is of no use any more: FIN behind what was sent, and the script hears of its end.
        case fail(TLSFailure)
    }

    private let end: TLSConnection
    private var fault: PendingHandshakeFault?
    private let recordSize: Int?
    /// How many bytes still go into such records: a large body in small ones would take twenty times its length.
    private var toDivide = 64 << 10
    private var moves: Deque<Move> = []
    private var isOver = false
    /// What was agreed upon; nil before that.
    package private(set) var facts: TLSFacts?

    init(_ end: TLSConnection, _ fault: HandshakeFault?, recordSize: Int? = nil) {
        self.recordSize = recordSize
        self.end = end
        self.fault = fault.map { PendingHandshakeFault($0) }
    }

    // MARK: - From the transport

    package func received(_ ciphertext: ByteBuffer) {
        end.receive(ciphertext)
        advance()
    }

    package func receivedEnd() {
        end.receiveEnd()
        advance()
    }

    // MARK: - From the script

    package func write(_ plaintext: ByteBuffer) {
        var rest = plaintext
        while let size = recordSize, toDivide > 0, let piece = rest.readSlice(length: min(size, rest.readableBytes)),
            piece.readableBytes > 0
        {
            toDivide -= piece.readableBytes
            end.send(piece)
        }
        end.send(rest)
        advance()
    }

    /// Behind what was written.
    package func strike(_ fault: RecordFault) {
        switch fault {
        // A header of 5 bytes, then what no key can open.
        case .badRecord: end.sendRaw([23, 3, 3, 0, 64] + Self.noise)
        // 2^14 bytes and 2048 for their protection are the most of TLS 1.2 (RFC 5246 6.2.3), of 1.3 less.
        case .longRecord: end.sendRaw([23, 3, 3, 0x48, 1] + Self.noise)
        case .clearText: end.sendRaw("HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n".utf8)
        // With a cipher suite that is no AEAD it is a record that cannot be opened.
        case .alert(let alert): if !end.sendAlert(alert) { return strike(.badRecord) }
        case .keyUpdate: end.updateKeys()
        case .keyFlood: for _ in 0..<Self.floodOfKeys { end.updateKeys() }
        case .renegotiation: end.askToRenegotiate()
        }
        advance()
    }

    /// Bytes that are no TLS; always the same, so that runs can be compared.
    static let noise = (0..<64).map { UInt8(truncatingIfNeeded: $0 &* 37 &+ 9) }

    /// Each takes 27 bytes, and so does its answer.
    private static let floodOfKeys = 10_000

    /// What was written is all.
    package func closeOutput() {
        end.sendEnd()
        advance()
    }

    // MARK: - What follows

    package func nextMove() -> Move? { moves.popFirst() }

    private func advance() {
        while !isOver, let event = end.nextEvent() {
            takeCiphertext()
            react(to: event)
        }
        takeCiphertext()
    }

    private func react(to event: TLSEvent) {
        switch event {
        case .secured(let facts):
            self.facts = facts
            fault?.isSecured = true
        case .received(let bytes): moves.append(.received(bytes))
        case .ended: moves.append(.inputClosed)
        case .failed(let failure):
            takeCiphertext()
            isOver = true
            // A client that just leaves is no news to a server.
            moves.append(failure.kind == .truncated ? .inputClosed : .fail(failure))
        case .trustAsked: end.answerTrust(true, alert: .closeNotify)
        case .identityAsked, .ticket: break
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
