import NIOCore
import ServerScript
import TLSBasics

/// The fault of one connection: lets ciphertext pass up to its place, and then does what it says.
struct PendingHandshakeFault {
    private enum State {
        case waiting
        case splitting
        /// Things go on as usual.
        case past
        case over
    }

    /// The record of an alert in place of so many that were sealed last; nil if it cannot be sealed.
    typealias Seal = (TLSAlert, UInt64) -> [UInt8]?

    private let fault: HandshakeFault
    private var state = State.waiting
    /// Bytes of the first flight that have passed.
    private var passed = 0
    /// How many bytes still come one by one: a large body in such pieces would take a hundred times its length.
    private var toSplit = 16 << 10

    init(_ fault: HandshakeFault) { self.fault = fault }

    /// Nothing more goes out.
    var isOver: Bool {
        if case .over = state { true } else { false }
    }

    /// What goes out before the client's last flight is the first flight, or another try at it; and what goes out
    /// behind `strikeLast`.
    mutating func strike(_ bytes: ByteBuffer) -> [PeerTLS.Move] {
        switch state {
        case .splitting: return split(bytes)
        case .waiting where fault.landmark != .finished: break
        case .waiting, .past: return [.send(bytes)]
        case .over: return []
        }
        let offset = fault.landmark == .clientHello ? 0 : fault.offset
        guard passed + bytes.readableBytes > offset else {
            passed += bytes.readableBytes
            return [.send(bytes)]
        }
        return strike(bytes, after: offset - passed)
    }

    /// The server's last flight, which may be empty.
    mutating func strikeLast(_ flight: LastFlight, seal: Seal) -> [PeerTLS.Move] {
        let all: [PeerTLS.Move] = flight.count > 0 ? [.send(flight.bytes)] : []
        switch state {
        case .splitting: return splitLast(flight.bytes)
        case .waiting where fault.landmark == .finished && fault.offset <= flight.count:
            if case .alert(let alert) = fault.effect { return strike(alert, flight, seal) }
            let moves = strike(flight.bytes, after: fault.offset)
            if fault.pace != nil, case .splitting = state { state = .past }
            return moves
        case .waiting:
            state = .past
            let count = fault.landmark == .finished ? flight.count : passed
            return all + [.unstruck("the fault at \(place) was never reached: the flight has \(count) bytes")]
        case .past: return all
        case .over: return []
        }
    }

    private var place: String { "\(fault.landmark.rawValue)+\(fault.offset)" }

    /// An alert behind so many bytes of the last flight comes behind the record that they end in: in the middle of one
    /// nobody could read it.
    private mutating func strike(_ alert: TLSAlert, _ flight: LastFlight, _ seal: Seal) -> [PeerTLS.Move] {
        let border = flight.border(from: fault.offset)
        guard let unsent = flight.unsent(behind: border) else { return strike(flight.bytes, after: border) }
        guard let record = seal(alert, unsent) else {
            state = .past
            let complaint = PeerTLS.complaint("alert \(alert) at \(place)", PeerTLS.sealsNoAlert)
            return head(flight.bytes, flight.count) + [.unstruck(complaint)]
        }
        state = .over
        return head(flight.bytes, border) + [.handshake(.struck), .send(ByteBuffer(bytes: record)), .fin]
    }

    private func head(_ flight: ByteBuffer, _ count: Int) -> [PeerTLS.Move] {
        let bytes = flight.getSlice(at: flight.readerIndex, length: count) ?? ByteBuffer()
        return bytes.readableBytes > 0 ? [.send(bytes)] : []
    }

    private mutating func strike(_ flight: ByteBuffer, after count: Int) -> [PeerTLS.Move] {
        var rest = flight
        rest.moveReaderIndex(forwardBy: min(count, rest.readableBytes))
        return head(flight, count) + effect(rest)
    }

    private mutating func effect(_ rest: ByteBuffer) -> [PeerTLS.Move] {
        switch fault.effect {
        case .split: state = .splitting
        case .delay: state = .past
        case .fin, .reset, .stall, .garbage, .flood, .alert: state = .over
        }
        switch fault.effect {
        case .fin: return [.handshake(.struck), .fin]
        case .reset: return [.handshake(.struck), .reset]
        case .stall: return [.handshake(.stalled)]
        case .garbage: return [.handshake(.struck), .send(ByteBuffer(bytes: PeerTLS.noise)), .fin]
        case .flood:
            return [.send(rest), .send(ByteBuffer(repeating: 0, count: 1 << 20)), .handshake(.stalled)]
        case .alert(let alert):
            // In clear it is a record of its own: type 21, version 1.2, two bytes, fatal (RFC 8446 5.1 and 6).
            return [.handshake(.struck), .send(ByteBuffer(bytes: [21, 3, 3, 0, 2, 2, alert.rawValue])), .fin]
        case .split: return [.handshake(.struck)] + split(rest)
        case .delay(let span):
            let after: [PeerTLS.Move] = rest.readableBytes > 0 ? [.send(rest)] : []
            return [.handshake(.paused), .wait(span), .handshake(.goesOn)] + after
        }
    }

    /// What follows the handshake is not slow.
    private mutating func splitLast(_ flight: ByteBuffer) -> [PeerTLS.Move] {
        if fault.pace != nil { state = .past }
        return split(flight)
    }

    private mutating func split(_ bytes: ByteBuffer) -> [PeerTLS.Move] {
        var rest = bytes
        let first = rest.readSlice(length: min(toSplit, rest.readableBytes)) ?? ByteBuffer()
        toSplit -= first.readableBytes
        var moves = first.readableBytesView.flatMap { byte -> [PeerTLS.Move] in
            [.send(ByteBuffer(bytes: [byte]))] + (fault.pace.map { [.wait($0)] } ?? [])
        }
        if fault.pace != nil, !moves.isEmpty {
            moves = [.handshake(.paused)] + moves + [.handshake(.goesOn)]
        }
        return rest.readableBytes > 0 ? moves + [.send(rest)] : moves
    }
}
