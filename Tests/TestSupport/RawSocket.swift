import Glibc

/// A plain POSIX socket: what the wire really did, with nothing of ours in between. Blocking, ten seconds at most.
package final class RawSocket {
    package struct Trouble: Error {
        package var what: String
        package var code: Int32

        package init(what: String, code: Int32) {
            self.what = what
            self.code = code
        }
    }

    /// How the other side of a connection ended, or did not.
    package enum End: Hashable { case fin, reset, silence }

    private var descriptor: Int32

    /// An accepted connection.
    package init(descriptor: Int32) {
        self.descriptor = descriptor
        setLimits()
    }

    /// A new connection.
    package init(port: Int, ip: String = "127.0.0.1") throws {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        guard RawSocket.connect(descriptor, to: port, ip) == 0 else { throw Trouble(what: "connect", code: errno) }
        setLimits()
    }

    private static func connect(_ descriptor: Int32, to port: Int, _ ip: String) -> Int32 {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(UInt16(truncatingIfNeeded: port)).bigEndian
        address.sin_addr.s_addr = inet_addr(ip)
        return withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                Glibc.connect(descriptor, pointer, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
    }

    /// What becomes of an attempt to connect.
    package enum Knock: Hashable { case accepted, refused, silence }

    /// Tries to connect; "silence" when `patience` milliseconds bring no answer.
    package static func knock(port: Int, ip: String = "127.0.0.1", patience: Int32) -> Knock {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue), 0)
        defer { _ = Glibc.close(descriptor) }
        _ = connect(descriptor, to: port, ip)
        var event = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        guard poll(&event, 1, patience) == 1 else { return .silence }
        var error: Int32 = 0
        var length = socklen_t(MemoryLayout<Int32>.size)
        getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &error, &length)
        return error == 0 ? .accepted : .refused
    }

    private func setLimits() {
        var limit = timeval(tv_sec: 10, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    }

    /// The kernel keeps little of what is sent, and of what comes.
    package func useSmallBuffers() {
        var size: Int32 = 16 << 10
        setsockopt(descriptor, SOL_SOCKET, SO_SNDBUF, &size, socklen_t(MemoryLayout<Int32>.size))
        setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &size, socklen_t(MemoryLayout<Int32>.size))
    }

    deinit { close() }

    package func close() {
        if descriptor >= 0 { _ = Glibc.close(descriptor) }
        descriptor = -1
    }

    /// FIN: nothing more to say.
    package func finish() { shutdown(descriptor, Int32(SHUT_WR)) }

    /// RST, now.
    package func reset() {
        var now = linger(l_onoff: 1, l_linger: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &now, socklen_t(MemoryLayout<linger>.size))
        close()
    }

    // MARK: - Sending

    /// Sends everything, or says which error stopped it.
    @discardableResult package func send(_ bytes: [UInt8]) -> Int32 {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
            guard count > 0 else { return errno }
            rest = rest.dropFirst(count)
        }
        return 0
    }

    /// How many of these bytes the kernels take while the other side does not read.
    package func sendWithoutWaiting(_ bytes: [UInt8]) -> Int {
        var total = 0
        var event = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        while total < bytes.count, poll(&event, 1, 50) == 1 {
            let count = bytes[total...].withUnsafeBytes {
                Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL | MSG_DONTWAIT))
            }
            guard count > 0 else { break }
            total += count
        }
        return total
    }

    @discardableResult package func send(_ text: String) -> Int32 { send(Array(text.utf8)) }

    /// After the other side's FIN: whether it takes what we send, where a socket that is gone would answer with RST.
    package func isStillHeard() -> Bool { send("x") == 0 && send("x") == 0 && state == RawSocket.closeWait }

    // MARK: - Receiving

    /// Exactly `count` bytes, or fewer when the end or the limit comes first.
    package func receive(_ count: Int) -> [UInt8] {
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
    package func receiveHead() -> [UInt8] {
        var bytes: [UInt8] = []
        while !bytes.suffix(4).elementsEqual("\r\n\r\n".utf8), let byte = receive(1).first { bytes.append(byte) }
        return bytes
    }

    /// Everything up to the end; "silence" when nothing has come for `patience` milliseconds.
    package func receiveToEnd(patience: Int32 = 10_000) -> (bytes: [UInt8], end: End) {
        var bytes: [UInt8] = []
        while true {
            let (more, end) = receiveSome(patience: patience)
            bytes += more
            if let end { return (bytes, end) }
        }
    }

    /// What is there or comes next, or else how the connection ended.
    package func receiveSome(patience: Int32 = 10_000) -> (bytes: [UInt8], end: End?) {
        guard hasNews(within: patience) else { return ([], .silence) }
        var chunk = [UInt8](repeating: 0, count: 65_536)
        let got = recv(descriptor, &chunk, chunk.count, 0)
        if got == 0 { return ([], .fin) }
        guard got > 0 else { return ([], errno == ECONNRESET ? .reset : .silence) }
        return (Array(chunk.prefix(got)), nil)
    }

    /// What comes instead of another byte: 0 for FIN, else the error's number.
    package func end() -> Int32 {
        var byte: UInt8 = 0
        return recv(descriptor, &byte, 1, 0) == 0 ? 0 : errno
    }

    /// Whether a byte or an end is there, or comes in time.
    package func hasNews(within milliseconds: Int32) -> Bool { RawSocket.hasNews(descriptor, within: milliseconds) }

    package static func hasNews(_ descriptor: Int32, within milliseconds: Int32) -> Bool {
        var event = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        return poll(&event, 1, milliseconds) == 1
    }

    // MARK: - The kernel's view

    /// `TCP_ESTABLISHED` and so on, as in `tcp_info` of Linux.
    package var state: Int { Int(information()?[0] ?? 0) }

    /// Segments with data that have come in (`tcpi_data_segs_in`).
    package var dataSegments: Int {
        guard let info = information() else { return -1 }
        return info.withUnsafeBytes { Int($0.loadUnaligned(fromByteOffset: 152, as: UInt32.self)) }
    }

    /// The descriptor of the connection's other end, which lies in this process as well.
    package var otherEnd: Int32? {
        let near = RawSocket.address(descriptor, getsockname), far = RawSocket.address(descriptor, getpeername)
        guard near != nil, far != nil else { return nil }
        return (0..<getdtablesize()).first {
            RawSocket.address($0, getsockname) == far && RawSocket.address($0, getpeername) == near
        }
    }

    private static func address(
        _ descriptor: Int32,
        _ name: (Int32, UnsafeMutablePointer<sockaddr>, UnsafeMutablePointer<socklen_t>) -> Int32
    ) -> [UInt8]? {
        var address = sockaddr()
        var length = socklen_t(MemoryLayout<sockaddr>.size)
        guard name(descriptor, &address, &length) == 0 else { return nil }
        return withUnsafeBytes(of: address) { Array($0.prefix(Int(length))) }
    }

    private func information() -> [UInt8]? {
        var info = [UInt8](repeating: 0, count: 256)
        var length = socklen_t(info.count)
        guard getsockopt(descriptor, Int32(IPPROTO_TCP), TCP_INFO, &info, &length) == 0, length >= 156 else {
            return nil
        }
        return info
    }

    package static let established = 1
    package static let closeWait = 8
}
