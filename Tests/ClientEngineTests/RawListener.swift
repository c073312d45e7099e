import ClientMachines
import Glibc
import TestSupport

/// A listening POSIX socket on the loopback interface: nothing of ours between the test and the wire.
final class RawListener {
    private let descriptor: Int32
    let port: Int

    /// Without `backlog` the port is taken but nobody listens: connections to it are refused.
    init(backlog: Int32?) throws {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let (descriptor, result) = (
            descriptor,
            withUnsafeMutablePointer(to: &address) { [descriptor] pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                    bind(descriptor, pointer, length) == 0 && getsockname(descriptor, pointer, &length) == 0
                }
            }
        )
        guard result else { throw RawSocket.Trouble(what: "bind", code: errno) }
        port = Int(UInt16(bigEndian: address.sin_port))
        if let backlog {
            guard listen(descriptor, backlog) == 0 else { throw RawSocket.Trouble(what: "listen", code: errno) }
        }
    }

    deinit { _ = close(descriptor) }

    var address: NetworkAddress { NetworkAddress(text: "127.0.0.1", port: port) }

    /// Waits for the next connection, ten seconds at most.
    func accept() throws -> RawSocket {
        var event = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        guard poll(&event, 1, 10_000) == 1 else { throw RawSocket.Trouble(what: "no connection came", code: 0) }
        let peer = Glibc.accept(descriptor, nil, nil)
        guard peer >= 0 else { throw RawSocket.Trouble(what: "accept", code: errno) }
        return RawSocket(descriptor: peer)
    }
}
