import ClientMachines
import Glibc
import NIOCore
import NIOPosix

/// The system's: the kernel's tables of routes, read anew when it says that something has changed (rtnetlink(7)).
package struct SystemNetworkPaths: NetworkPaths {
    package static let shared = SystemNetworkPaths()

    /// Which interfaces cost what: Linux does not say (BEHAVIOUR 1.B16-kinds).
    static let settingName = "UNDERSTUDY_NETWORKS"

    package func watch(_ news: @escaping @Sendable (NetworkPath) -> Void) -> any Sendable {
        let kinds = InterfaceKinds(getenv(Self.settingName).map { String(cString: $0) } ?? "")
        return PathWatch { news(Self.path(kinds)) }
    }

    /// The path as it is now.
    static func path(_ kinds: InterfaceKinds) -> NetworkPath {
        let routes = RouteTable(
            ipv4: KernelFile.text("/proc/net/route"), ipv6: KernelFile.text("/proc/net/ipv6_route"))
        guard let name = routes.interface else { return .offline }
        return kinds.path(through: name, isCellular: KernelFile.isCellular(name))
    }
}

/// Calls when the kernel tells of links, addresses or routes, and once at first.
private final class PathWatch: Sendable {
    private let channel: EventLoopFuture<any Channel>

    init(_ news: @escaping @Sendable () -> Void) {
        let loop = MultiThreadedEventLoopGroup.singleton.next()
        channel =
            switch Self.descriptor() {
            case let descriptor?:
                NIOPipeBootstrap(group: loop)
                    .channelInitializer { channel in
                        channel.eventLoop.makeCompletedFuture {
                            try channel.pipeline.syncOperations.addHandler(PathNewsHandler(news))
                        }
                    }
                    .takingOwnershipOfDescriptor(input: descriptor)
            // Without news of changes what is there now has to do.
            case nil: loop.makeFailedFuture(ChannelError.eof)
            }
        loop.execute(news)
    }

    deinit { channel.whenSuccess { $0.close(promise: nil) } }

    private static func descriptor() -> CInt? {
        let descriptor = socket(AF_NETLINK, CInt(SOCK_RAW.rawValue | SOCK_CLOEXEC.rawValue), Netlink.route)
        guard descriptor >= 0 else { return nil }
        var address = Netlink.Address()
        let isBound = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, socklen_t(MemoryLayout<Netlink.Address>.size)) == 0
            }
        }
        // What does not fit is left out without an error: there is news to read then anyway.
        var isSilent: CInt = 1
        setsockopt(descriptor, Netlink.options, Netlink.noBufferErrors, &isSilent, socklen_t(MemoryLayout<CInt>.size))
        if !isBound { close(descriptor) }
        return isBound ? descriptor : nil
    }
}

/// What <linux/netlink.h> and <linux/rtnetlink.h> have of this, which Swift's Glibc does not show.
private enum Netlink {
    /// NETLINK_ROUTE.
    static let route: CInt = 0
    /// SOL_NETLINK, and NETLINK_NO_ENOBUFS.
    static let options: CInt = 270, noBufferErrors: CInt = 5

    /// sockaddr_nl.
    struct Address {
        var family = sa_family_t(AF_NETLINK)
        var padding: UInt16 = 0
        var process: UInt32 = 0
        /// RTMGRP_LINK, _IPV4_IFADDR, _IPV4_ROUTE, _IPV6_IFADDR and _IPV6_ROUTE.
        var groups: UInt32 = 0x1 | 0x10 | 0x40 | 0x100 | 0x400
    }
}

/// What the kernel says is not read, only that it says something; a burst of it counts once.
private final class PathNewsHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private let news: @Sendable () -> Void
    private var isDue = false

    init(_ news: @escaping @Sendable () -> Void) { self.news = news }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !isDue else { return }
        isDue = true
        let bound = NIOLoopBound(self, eventLoop: context.eventLoop)
        context.eventLoop.scheduleTask(in: .milliseconds(100)) {
            bound.value.isDue = false
            bound.value.news()
        }
    }
}

/// What the kernel says in files.
private enum KernelFile {
    /// The first mebibyte; empty if it cannot be read.
    static func text(_ path: String) -> String {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return "" }
        defer { close(descriptor) }
        var text: [UInt8] = [], piece = [UInt8](repeating: 0, count: 16 * 1024)
        while text.count < 1 << 20 {
            let count = read(descriptor, &piece, piece.count)
            guard count > 0 else { break }
            text += piece.prefix(count)
        }
        return String(decoding: text, as: UTF8.self)
    }

    static func isCellular(_ name: String) -> Bool {
        text("/sys/class/net/\(name)/uevent").split(separator: "\n").contains("DEVTYPE=wwan")
    }
}
