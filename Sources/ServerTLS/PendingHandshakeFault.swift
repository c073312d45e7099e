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
        return strike(bytes, after: offset - passed) { _ in nil }
    }

    /// The server's last flight, which may be empty.
    ///
    /// - Parameter seal: The record of an alert; nil where it goes in clear.
    mutating func strikeLast(_ flight: ByteBuffer, seal: (TLSAlert) -> [UInt8]?) -> [PeerTLS.Move] {
        let all: [PeerTLS.Move] = flight.readableBytes > 0 ? [.send(flight)] : []
        switch state {
        case .splitting: return splitLast(flight)
        case .waiting where fault.landmark == .finished && fault.offset <= flight.readableBytes:
            let moves = strike(flight, after: fault.offset, seal)
            if fault.pace != nil, case .splitting = state { state = .past }
            return moves
        case .waiting:
            state = .past
            let count = fault.landmark == .finished ? flight.readableBytes : passed
            let place = "\(fault.landmark.rawValue)+\(fault.offset)"
            return all + [.unstruck("the fault at \(place) was never reached: the flight has \(count) bytes")]
        case .past: return all
        case .over: return []
        }
    }

    private mutating func strike(
        _ flight: ByteBuffer, after count: Int, _ seal: (TLSAlert) -> [UInt8]?
    ) -> [PeerTLS.Move] {
        var bytes = flight
        let before = bytes.readSlice(length: count) ?? ByteBuffer()
        let first: [PeerTLS.Move] = before.readableBytes > 0 ? [.send(before)] : []
        return first + effect(bytes, seal)
    }

    private mutating func effect(_ rest: ByteBuffer, _ seal: (TLSAlert) -> [UInt8]?) -> [PeerTLS.Move] {
        switch fault.effect {
        case .split: state = .splitting
        case .delay: state = .past
        case .fin, .reset, .stall, .garbage, .flood, .alert: state = .over
        }
        switch fault.effect {
        case .fin: return [.fin]
        case .reset: return [.reset]
        case .stall: return []
        case .garbage:
            return [.send(ByteBuffer(bytes: PeerTLS.noise)), .fin]
        case .flood: return [.send(rest), .send(ByteBuffer(repeating: 0, count: 1 << 20))]
        case .alert(let alert):
            // In clear it is a record of its own: type 21, version 1.2, two bytes, fatal (RFC 8446 5.1 and 6).
            return [.send(ByteBuffer(bytes: seal(alert) ?? [21, 3, 3, 0, 2, 2, alert.rawValue])), .fin]
        case .split: return split(rest)
        case .delay(let span): return rest.readableBytes > 0 ? [.wait(span), .send(rest)] : [.wait(span)]
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
        let moves: [PeerTLS.Move] = first.readableBytesView.flatMap { byte -> [PeerTLS.Move] in
            [.send(ByteBuffer(bytes: [byte]))] + (fault.pace.map { [.wait($0)] } ?? [])
        }
        return rest.readableBytes > 0 ? moves + [.send(rest)] : moves
    }
}
