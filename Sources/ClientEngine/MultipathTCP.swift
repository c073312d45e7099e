import Glibc
import NIOCore

/// RFC 8684, as Linux has it (BEHAVIOUR 1.A2-multipath).
enum MultipathTCP {
    /// Its sockets can be made, and take TCP_NODELAY (Linux 5.16).
    static let isInSystem: Bool = {
        // IPPROTO_MPTCP, which the C library's headers may not have.
        let descriptor = socket(AF_INET, CInt(SOCK_STREAM.rawValue), 262)
        guard descriptor >= 0 else { return false }
        defer { _ = close(descriptor) }
        var isOn: CInt = 1
        let size = socklen_t(MemoryLayout<CInt>.size)
        return setsockopt(descriptor, CInt(IPPROTO_TCP), TCP_NODELAY, &isOn, size) == 0
    }()

    /// Whether both ends speak it. Of a socket that has fallen back to TCP, as of one of TCP, the kernel has no facts.
    static func isSpoken(on channel: any Channel) -> Bool {
        // SOL_MPTCP and MPTCP_INFO.
        let facts = ChannelOptions.Types.SocketOption(level: .init(rawValue: 284), name: .init(rawValue: 1))
        return (try? channel.syncOptions?.getOption(facts)) != nil
    }
}
