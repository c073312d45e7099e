import COpenSSL
import NIOCore

/// The ciphertext of one connection: what came and was not read yet, and what must go out. OpenSSL reads and writes it
/// through a BIO of its own kind, so nothing is copied on the way but into and out of OpenSSL's records.
final class TLSWire {
    private var incoming: [ByteBuffer] = []
    private var firstUnread = 0
    private var outgoing = ByteBuffer()
    /// How many bytes OpenSSL has not read yet.
    private(set) var unread = 0
    /// How many bytes OpenSSL has read since the owner last set it to 0, when all that was read had become plaintext:
    /// no more can be held by a record that is not complete.
    var unopened = 0
    /// The first bytes that came: at most two.
    private var opening: [UInt8] = []
    /// The peer has ended its stream, behind what is unread.
    var hasEnded = false

    func append(_ ciphertext: ByteBuffer) {
        guard ciphertext.readableBytes > 0 else { return }
        if firstUnread * 2 > incoming.count {
            incoming.removeFirst(firstUnread)
            firstUnread = 0
        }
        if opening.count < 2 { opening += ciphertext.readableBytesView.prefix(2 - opening.count) }
        unread += ciphertext.readableBytes
        incoming.append(ciphertext)
    }

    /// The first bytes cannot begin a record: RFC 8446 5.1. A ClientHello in the form of SSL 2 does not count as one.
    var isForeign: Bool {
        guard let first = opening.first else { return false }
        return !(20...24).contains(first) || opening.count > 1 && opening[1] != 3
    }

    /// Drops what was not read.
    func dropUnread() {
        incoming = []
        firstUnread = 0
        unread = 0
    }

    func reserve(_ count: Int) { outgoing.reserveCapacity(minimumWritableBytes: count) }

    func takeOutgoing() -> ByteBuffer? {
        guard outgoing.readableBytes > 0 else { return nil }
        defer { outgoing = ByteBuffer() }
        return outgoing
    }

    func writeOutgoing(_ bytes: some Collection<UInt8>) { outgoing.writeBytes(bytes) }

    // MARK: OpenSSL's side

    private func read(into space: UnsafeMutableRawBufferPointer) -> Int {
        guard firstUnread < incoming.count else { return 0 }
        let count = incoming[firstUnread].readWithUnsafeReadableBytes { bytes in
            let count = min(space.count, bytes.count)
            space.copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes.prefix(count)))
            return count
        }
        unread -= count
        if unread == 0 {
            incoming.removeAll(keepingCapacity: true)
            firstUnread = 0
        } else if incoming[firstUnread].readableBytes == 0 {
            incoming[firstUnread] = ByteBuffer()
            firstUnread += 1
        }
        unopened += count
        return count
    }

    /// A BIO on this wire, which must outlive it. Nil without memory.
    func makeBIO() -> OpaquePointer? {
        guard let method = Self.method, let bio = BIO_new(method) else { return nil }
        BIO_set_data(bio, Unmanaged.passUnretained(self).toOpaque())
        BIO_set_init(bio, 1)
        return bio
    }

    private static func wire(of bio: OpaquePointer?) -> TLSWire? {
        BIO_get_data(bio).map { Unmanaged<TLSWire>.fromOpaque($0).takeUnretainedValue() }
    }

    // Safety: written once, and OpenSSL only reads it.
    private nonisolated(unsafe) static let method: OpaquePointer? = {
        guard let method = BIO_meth_new(BIO_get_new_index() | BIO_TYPE_SOURCE_SINK, "TLSWire") else { return nil }
        BIO_meth_set_read(method) { bio, bytes, count in
            guard let wire = TLSWire.wire(of: bio), let bytes, count > 0 else { return -1 }
            BIO_clear_flags(bio, BIO_FLAGS_READ | BIO_FLAGS_SHOULD_RETRY)
            let read = wire.read(into: UnsafeMutableRawBufferPointer(start: bytes, count: Int(count)))
            // An end is never told to OpenSSL, which would answer with an alert: the connection sees it by itself.
            if read == 0 { BIO_set_flags(bio, BIO_FLAGS_READ | BIO_FLAGS_SHOULD_RETRY) }
            return read == 0 ? -1 : Int32(read)
        }
        BIO_meth_set_write(method) { bio, bytes, count in
            guard let wire = TLSWire.wire(of: bio), let bytes, count > 0 else { return -1 }
            wire.outgoing.writeBytes(UnsafeRawBufferPointer(start: bytes, count: Int(count)))
            return count
        }
        BIO_meth_set_ctrl(method) { _, command, _, _ in command == BIO_CTRL_FLUSH ? 1 : 0 }
        return method
    }()
}
