import Glibc
import NIOCore

/// What the packets of a connection say of their kind (RFC 2474), from the first one on (BEHAVIOUR 1.A2-mark).
struct PacketMarks {
    private let option: ChannelOptions.Types.SocketOption
    private let octet: ChannelOptions.Types.SocketOption.Value

    /// - Parameter codePoint: Six bits. Nil without one.
    init?(_ codePoint: UInt8, of address: SocketAddress) {
        guard codePoint > 0 else { return nil }
        // Above the two bits of RFC 3168, which are the kernel's own.
        octet = .init(CInt(codePoint & 0x3F) << 2)
        switch address {
        case .v4: option = .init(level: .init(rawValue: CInt(IPPROTO_IP)), name: .init(rawValue: IP_TOS))
        case .v6: option = .init(level: .init(rawValue: CInt(IPPROTO_IPV6)), name: .init(rawValue: IPV6_TCLASS))
        case .unixDomainSocket: return nil
        }
    }

    /// A hint: a system that does not take it has the connection all the same.
    func put(on channel: any Channel) { try? channel.syncOptions?.setOption(option, value: octet) }

    /// Sockets of multipath TCP can be made, and take TCP_NODELAY (Linux 5.16).
    static let systemHasMultipath: Bool = {
        let descriptor = socket(AF_INET, CInt(SOCK_STREAM.rawValue), multipathProtocol)
        guard descriptor >= 0 else { return false }
        defer { _ = close(descriptor) }
        var isOn: CInt = 1
        let size = socklen_t(MemoryLayout<CInt>.size)
        return setsockopt(descriptor, CInt(IPPROTO_TCP), TCP_NODELAY, &isOn, size) == 0
    }()

    /// IPPROTO_MPTCP, which the C library's headers may not have.
    static let multipathProtocol: CInt = 262
}
