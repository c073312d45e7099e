import NIOCore
import ServerScript
import TLSBasics

/// The fault of one connection: lets ciphertext pass up to its place, and then does what it says.
struct PendingHandshakeFault {
    private let fault: HandshakeFault
    /// The client's last flight is here.
    var isSecured = false
    /// Bytes of the flight in question that have passed.
    private var passed = 0
    private var isSplitting = false
    /// How many bytes still come one by one: a large body in such pieces would take a hundred times its length.
    private var toSplit = 16 << 10
    private(set) var isOver = false

    init(_ fault: HandshakeFault) { self.fault = fault }

    mutating func strike(_ bytes: ByteBuffer) -> [PeerTLS.Move] {
        if isSplitting { return split(bytes) }
        var bytes = bytes
        // All that goes out before the client's last flight is the first flight, or another try at it.
        if fault.landmark == .finished, !isSecured { return [.send(bytes)] }
        let offset = fault.landmark == .clientHello ? 0 : fault.offset
        guard passed + bytes.readableBytes > offset else {
            passed += bytes.readableBytes
            return [.send(bytes)]
        }
        let before = bytes.readSlice(length: offset - passed) ?? ByteBuffer()
        let first: [PeerTLS.Move] = before.readableBytes > 0 ? [.send(before)] : []
        return first + effect(bytes)
    }

    private mutating func effect(_ rest: ByteBuffer) -> [PeerTLS.Move] {
        isOver = fault.effect != .split
        switch fault.effect {
        case .fin: return [.fin]
        case .reset: return [.reset]
        case .stall: return []
        case .garbage:
            return [.send(ByteBuffer(bytes: PeerTLS.noise)), .fin]
        case .flood: return [.send(rest), .send(ByteBuffer(repeating: 0, count: 1 << 20))]
        case .alert(let alert):
            // A record of its own: type 21, version 1.2, two bytes, fatal (RFC 8446 5.1 and 6).
            return [.send(ByteBuffer(bytes: [21, 3, 3, 0, 2, 2, alert.rawValue])), .fin]
        case .split:
            isSplitting = true
            return split(rest)
        }
    }

    private mutating func split(_ bytes: ByteBuffer) -> [PeerTLS.Move] {
        var rest = bytes
        let first = rest.readSlice(length: min(toSplit, rest.readableBytes)) ?? ByteBuffer()
        toSplit -= first.readableBytes
        let moves: [PeerTLS.Move] = first.readableBytesView.map { .send(ByteBuffer(bytes: [$0])) }
        return rest.readableBytes > 0 ? moves + [.send(rest)] : moves
    }
}
