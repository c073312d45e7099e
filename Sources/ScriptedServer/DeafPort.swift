import Glibc
import Locks
import NIOCore
import ServerScript

/// A port that no client can reach: the kernel refuses every connect (RST), or never answers one.
///
/// Plain sockets and no channels: an event loop would accept.
package final class DeafPort: Sendable {
    package enum Manner { case refuses, neverAnswers }

    /// More connections than any kernel queues for a backlog of none.
    private static let mostFillers = 16
    /// On the loopback a handshake takes microseconds, unless the queue is full.
    private static let patience: Int32 = 20

    let address: SocketAddress
    private let descriptors: Lock<[Int32]>

    /// Binds `address`; with port 0 the system chooses one.
    init(_ address: SocketAddress, _ manner: Manner) throws {
        var opened: [Int32] = []
        do {
            let listener = try DeafPort.socket(for: address, into: &opened)
            var yes: Int32 = 1
            setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &yes, socklen_t(MemoryLayout<Int32>.size))
            try DeafPort.check(address.withSockAddr { Glibc.bind(listener, $0, socklen_t($1)) })
            let bound = try DeafPort.name(of: listener, like: address)
            if manner == .neverAnswers {
                try DeafPort.check(listen(listener, 0))
                try DeafPort.fill(bound, into: &opened)
            }
            self.address = bound
            descriptors = Lock(opened)
        } catch {
            for descriptor in opened { _ = Glibc.close(descriptor) }
            throw error
        }
    }

    package convenience init(ip: String, port: Int, _ manner: Manner) throws {
        try self.init(SocketAddress(ipAddress: ip, port: port), manner)
    }

    deinit { close() }

    func close() {
        descriptors.withLock { descriptors in
            for descriptor in descriptors { _ = Glibc.close(descriptor) }
            descriptors = []
        }
    }

    /// Connections of our own that are never accepted, until one of them gets no answer either.
    private static func fill(_ address: SocketAddress, into opened: inout [Int32]) throws {
        for _ in 0..<mostFillers {
            let filler = try socket(for: address, into: &opened)
            let connected = address.withSockAddr { connect(filler, $0, socklen_t($1)) }
            if connected != 0, errno != EINPROGRESS {
                throw IOError(errnoCode: errno, reason: "a port that no client can reach")
            }
            var event = pollfd(fd: filler, events: Int16(POLLOUT), revents: 0)
            if poll(&event, 1, patience) == 0 { return }
        }
        throw IOError(errnoCode: ENOTSUP, reason: "the backlog does not fill")
    }

    private static func socket(for address: SocketAddress, into opened: inout [Int32]) throws -> Int32 {
        let kind = Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue)
        let descriptor = Glibc.socket(address.protocol.rawValue, kind, 0)
        try check(descriptor)
        opened.append(descriptor)
        return descriptor
    }

    /// `address` with the port that the system has chosen.
    private static func name(of descriptor: Int32, like address: SocketAddress) throws -> SocketAddress {
        var storage = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        let result = withUnsafeMutablePointer(to: &storage) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(descriptor, $0, &length) }
        }
        try check(result)
        // Both families have their port behind two bytes of family.
        let port = withUnsafeBytes(of: &storage) { $0.loadUnaligned(fromByteOffset: 2, as: UInt16.self).bigEndian }
        var address = address
        address.port = Int(port)
        return address
    }

    private static func check(_ result: Int32) throws {
        if result < 0 { throw IOError(errnoCode: errno, reason: "a port that no client can reach") }
    }

}
