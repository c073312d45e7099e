import Foundation
import HTTPBasics
import MachineContract
import NIOCore
import ServerScript

/// A server that sends whatever the input says. It leads the run: a move of the caller's is handed over as a signal,
/// and the next one comes when the caller has made it.
final class RawPeer: Machine {
    /// How long a move waits for what it needs, before it does without.
    private static let patience: Duration = .seconds(10)

    private struct Peer {
        /// Beginnings of requests, or what looks like one.
        var heads = 0
        var answers = 0
        var received = 0
        var isOver = false
        /// Nothing has come behind the last line end.
        var isLineEmpty = false
    }

    private let moves: [SessionMove]
    private var position = 0
    private var peers: [Peer] = []
    private var chosen: Int?
    private var isCallersTurn = false
    /// Until when the move at hand waits.
    private var waitsUntil: Instant?

    init(_ moves: [SessionMove]) { self.moves = moves }

    /// The first move is made when the world begins.
    var deadline: Instant? { position == 0 && !moves.isEmpty ? waitsUntil ?? .zero : waitsUntil }

    /// Whether a client came.
    var wasAsked: Bool { peers.contains { $0.heads > 0 } }
    var isThrough: Bool { position == moves.count && !isCallersTurn }

    func handle(_ input: ScriptInput, at moment: Moment, into outputs: inout [ScriptOutput]) {
        switch input {
        case .accepted(let peer, _, _):
            while peers.count <= peer.value { peers.append(Peer()) }
        case .received(let peer, let bytes): received(bytes, peer.value)
        case .closed(let peer): if peers.indices.contains(peer.value) { peers[peer.value].isOver = true }
        case .signal: isCallersTurn = false
        case .inputClosed, .wrote, .cut, .secureFailed, .unstruck, .handshake, .endRound, .order, .timePassed:
            break
        }
        while !isCallersTurn, position < moves.count, makeMove(at: moment.instant, into: &outputs) {
            waitsUntil = nil
            position += 1
        }
        if position == moves.count { waitsUntil = nil }
    }

    private func received(_ bytes: ByteBuffer, _ peer: Int) {
        guard peers.indices.contains(peer) else { return }
        peers[peer].received += bytes.readableBytes
        // Whole lines at a time: an instrumented step for each byte of a body would cost more than the session does.
        bytes.withUnsafeReadableBytes { bytes in
            var rest = bytes[...]
            while let first = rest.first, let base = bytes.baseAddress {
                let end = memchr(base + rest.startIndex, CInt(ASCII.lineFeed), rest.count)
                guard let end else {
                    peers[peer].isLineEmpty = false
                    return
                }
                let length = UnsafeRawPointer(end) - (base + rest.startIndex)
                let isEmpty = length == 0 || length == 1 && first == ASCII.carriageReturn
                if isEmpty, peers[peer].isLineEmpty { peers[peer].heads += 1 }
                peers[peer].isLineEmpty = true
                rest = rest.dropFirst(length + 1)
            }
        }
    }

    /// False if it has to wait.
    private func makeMove(at now: Instant, into outputs: inout [ScriptOutput]) -> Bool {
        guard case .server(let move) = moves[position] else {
            outputs.append(.signal("\(position)"))
            isCallersTurn = true
            return true
        }
        switch move {
        case .wait(let span): return hasWaited(span, at: now)
        case .await(let count):
            return (current.map { peers[$0].received } ?? 0) >= count || hasWaited(Self.patience, at: now)
        case .answer(let bytes):
            let asking = peers.indices.first { !peers[$0].isOver && peers[$0].heads > peers[$0].answers }
            guard asking != nil || hasWaited(Self.patience, at: now) else { return false }
            guard let peer = asking ?? current else { return true }
            peers[peer].answers += 1
            outputs.append(.write(PeerID(peer), bytes))
        case .on(let number): chosen = number
        case .write(let bytes): act(&outputs) { .write($0, bytes) }
        case .finish: act(&outputs) { .closeOutput($0) }
        case .close: act(&outputs) { .close($0) }
        case .reset: act(&outputs) { .reset($0) }
        case .deaf: act(&outputs) { .setReading($0, false) }
        case .listen: act(&outputs) { .setReading($0, true) }
        }
        return true
    }

    private var current: Int? {
        if let chosen, peers.indices.contains(chosen) { return chosen }
        return peers.indices.last
    }

    private func act(_ outputs: inout [ScriptOutput], _ output: (PeerID) -> ScriptOutput) {
        if let current, !peers[current].isOver { outputs.append(output(PeerID(current))) }
    }

    private func hasWaited(_ span: Duration, at now: Instant) -> Bool {
        if let waitsUntil {
            guard waitsUntil <= now else { return false }
            self.waitsUntil = nil
            return true
        }
        waitsUntil = now + span
        return span <= .zero
    }
}
