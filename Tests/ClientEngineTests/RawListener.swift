import ClientMachines
import Glibc

/// A listening POSIX socket on the loopback interface: nothing of ours between the test and the wire.
final class RawListener {
    struct Trouble: Error {
        var what: String
        var code: Int32
    }

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
        guard result else { throw Trouble(what: "bind", code: errno) }
        port = Int(UInt16(bigEndian: address.sin_port))
        if let backlog { guard listen(descriptor, backlog) == 0 else { throw Trouble(what: "listen", code: errno) } }
    }

    deinit { _ = close(descriptor) }

    var address: NetworkAddress { NetworkAddress(text: "127.0.0.1", port: port) }

    /// Waits for the next connection, ten seconds at most.
    func accept() throws -> RawPeer {
        var event = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        guard poll(&event, 1, 10_000) == 1 else { throw Trouble(what: "no connection came", code: 0) }
        let peer = Glibc.accept(descriptor, nil, nil)
        guard peer >= 0 else { throw Trouble(what: "accept", code: errno) }
        return RawPeer(descriptor: peer)
    }
}

/// One accepted connection, blocking with a limit of ten seconds.
final class RawPeer {
    private var descriptor: Int32

    init(descriptor: Int32) {
        self.descriptor = descriptor
        var limit = timeval(tv_sec: 10, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    }

    deinit { close() }

    func send(_ text: String) -> Bool {
        let bytes = Array(text.utf8)
        return Glibc.send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL)) == bytes.count
    }

    /// Reads up to `count` bytes, or less if the end, an error or the limit comes first.
    func receive(_ count: Int) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        var total = 0
        while total < count {
            let got = bytes[total...].withUnsafeMutableBytes { recv(descriptor, $0.baseAddress, $0.count, 0) }
            guard got > 0 else { break }
            total += got
        }
        return Array(bytes.prefix(total))
    }

    /// Everything up to and with the first empty line.
    func receiveHead() -> [UInt8] {
        var bytes: [UInt8] = []
        while !bytes.suffix(4).elementsEqual("\r\n\r\n".utf8), let byte = receive(1).first { bytes.append(byte) }
        return bytes
    }

    /// 0 for FIN, the error number for anything else.
    func end() -> Int32 {
        var byte: UInt8 = 0
        return recv(descriptor, &byte, 1, 0) == 0 ? 0 : errno
    }

    /// Segments with data that have come in (`tcpi_data_segs_in` of Linux's `tcp_info`).
    func dataSegments() -> Int {
        var info = [UInt8](repeating: 0, count: 256)
        var length = socklen_t(info.count)
        guard getsockopt(descriptor, Int32(IPPROTO_TCP), TCP_INFO, &info, &length) == 0, length >= 156 else {
            return -1
        }
        return info.withUnsafeBytes { Int($0.loadUnaligned(fromByteOffset: 152, as: UInt32.self)) }
    }

    func finish() { shutdown(descriptor, Int32(SHUT_WR)) }

    func reset() {
        var now = linger(l_onoff: 1, l_linger: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &now, socklen_t(MemoryLayout<linger>.size))
        close()
    }

    func close() {
        if descriptor >= 0 { _ = Glibc.close(descriptor) }
        descriptor = -1
    }
}
