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
}
