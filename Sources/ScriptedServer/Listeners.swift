import Glibc
import NIOCore
import NIOPosix
import ServerScript

/// The listening sockets of one server, one for each host of its script, and for each mount that has a port. They
/// accept only once they are opened.
package struct Listeners: Sendable {
    private let channels: [any Channel]
    /// Hosts with a fault at `listen`.
    private let deafPorts: [DeafPort]
    /// IP address and port of each host.
    let addresses: [String: (ip: String, port: Int)]

    /// Those of a server that is reached in its process alone.
    static let none = Listeners(channels: [], deafPorts: [], addresses: [:])

    /// Binds them all, or none.
    ///
    /// The first host gets `ip` and `port`; the others a port of the system's choice, on the next loopback
    /// addresses (127.0.0.2, …) if `ip` is one in IPv4, else on the same address, as all do with `onOneAddress`.
    static func bind(
        hosts: [String], mounts: [ScriptMount] = [], faults: [String: Fault] = [:], ip: String,
        onOneAddress: Bool = false, port: Int, eventLoop: any EventLoop,
        onAccept: @escaping @Sendable (any Channel, String) throws -> Void
    ) async throws -> Listeners {
        var channels: [any Channel] = []
        var deafPorts: [DeafPort] = []
        var addresses: [String: (ip: String, port: Int)] = [:]
        var port = port
        var places: [(host: String, index: Int, port: Int)] = hosts.enumerated().map { index, host in
            (host, onOneAddress ? 0 : index, index == 0 ? port : 0)
        }
        for mount in mounts { if let port = mount.port { places.append((mount.label, 0, port)) } }
        do {
            let ip = try numeric(ip)
            for place in places {
                let host = place.host, own = try address(ip, plus: place.index)
                port = place.port
                let target = try SocketAddress(ipAddress: own, port: port)
                if let fault = faults[host] {
                    let deafPort = try DeafPort(target, fault.effect == .reset ? .refuses : .neverAnswers)
                    deafPorts.append(deafPort)
                    addresses[host] = (own, deafPort.address.port ?? 0)
                    continue
                }
                let bootstrap = bootstrap(eventLoop: eventLoop) { channel in try onAccept(channel, host) }
                let channel = try await bootstrap.bind(to: target).get()
                channels.append(channel)
                addresses[host] = (own, channel.localAddress?.port ?? 0)
            }
        } catch {
            for channel in channels { channel.close(promise: nil) }
            for deafPort in deafPorts { deafPort.close() }
            throw ScriptedServerError("cannot listen on \(ip) port \(port): \(reason(error))")
        }
        return Listeners(channels: channels, deafPorts: deafPorts, addresses: addresses)
    }

    /// An address of a name, which the system's resolver is asked for; an address is itself.
    private static func numeric(_ host: String) throws -> String {
        if (try? SocketAddress(ipAddress: host, port: 0)) != nil { return host }
        guard let address = preferred(addresses(of: host)) else {
            throw ScriptedServerError("it is no IP address, and no name that has one")
        }
        return address
    }

    /// One of IPv4 where there is one: hosts of a script get loopback addresses of their own only there.
    static func preferred(_ addresses: [String]) -> String? { addresses.first { !$0.contains(":") } ?? addresses.first }

    private static func addresses(of name: String) -> [String] {
        var hints = addrinfo()
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        var list: UnsafeMutablePointer<addrinfo>?
        guard !name.isEmpty, getaddrinfo(name, nil, &hints, &list) == 0 else { return [] }
        defer { freeaddrinfo(list) }
        var addresses: [String] = []
        var next = list
        while let entry = next?.pointee {
            var text = [CChar](repeating: 0, count: Int(NI_MAXHOST))
            let code = getnameinfo(
                entry.ai_addr, entry.ai_addrlen, &text, socklen_t(text.count), nil, 0, NI_NUMERICHOST)
            let bytes = text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
            if code == 0 { addresses.append(String(decoding: bytes, as: UTF8.self)) }
            next = entry.ai_next
        }
        return addresses
    }

    /// Why nobody can listen somewhere, in the system's words.
    package static func reason(_ error: any Error) -> String {
        if let error = error as? IOError { return String(cString: strerror(error.errnoCode)) }
        if let error = error as? ScriptedServerError { return error.description }
        return "\(error)"
    }

    /// A handler asks a channel whether the kernel has everything: these are the narrowest marks there are, and only a
    /// single byte may be overlooked.
    static let waterMark = ChannelOptions.Types.WriteBufferWaterMark(low: 1, high: 1)

    private static func bootstrap(
        eventLoop: any EventLoop, onAccept: @escaping @Sendable (any Channel) throws -> Void
    ) -> ServerBootstrap {
        ServerBootstrap(group: eventLoop)
            // A crowd is let in at once: whom the kernel has no room for knocks again a second later.
            .serverChannelOption(.backlog, value: 4096)
            .serverChannelOption(.maxMessagesPerRead, value: 256)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            // Clients may knock as soon as we listen; they wait in the backlog until the script is there.
            .serverChannelOption(.autoRead, value: false)
            .serverChannelInitializer(AcceptPause.add)
            .childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
            .childChannelOption(.writeBufferWaterMark, value: waterMark)
            .childChannelOption(.allowRemoteHalfClosure, value: true)
            // A connection keeps the last that it has read into: most requests are small, and more makes it grow.
            .childChannelOption(
                .recvAllocator, value: AdaptiveRecvByteBufferAllocator(minimum: 256, initial: 256, maximum: 65_536)
            )
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture { try onAccept(channel) }
            }
    }

    /// `ip` itself, or its `index`-th successor among the loopback addresses.
    static func address(_ ip: String, plus index: Int) throws -> String {
        let octets = ip.split(separator: ".", omittingEmptySubsequences: false).map { Int($0) }
        guard octets.count == 4, octets[0] == 127, let last = octets[3], index > 0 else { return ip }
        guard last + index <= 254 else { throw ScriptedServerError("there are more hosts than loopback addresses") }
        return ip.split(separator: ".").dropLast().joined(separator: ".") + ".\(last + index)"
    }

    /// URLs without a path: by address, or by the hosts' own names where a resolver knows them.
    func origins(of script: Script, byName: Bool) -> [String: String] {
        addresses.reduce(into: [:]) { origins, entry in
            let host = byName ? entry.key : Listeners.reachable(entry.value.ip)
            origins[entry.key] = Listeners.url(script.scheme(of: entry.key), host, entry.value.port)
        }
    }

    /// `host` is a name or an IP address.
    static func url(_ scheme: String, _ host: String, _ port: Int) -> String {
        "\(scheme)://\(host.contains(":") ? "[\(host)]" : host):\(port)"
    }

    /// The address under which a client on this machine reaches a listener.
    private static func reachable(_ ip: String) -> String {
        switch ip {
        case "0.0.0.0": "127.0.0.1"
        case "::": "::1"
        default: ip
        }
    }

    func open() {
        for channel in channels { channel.setOption(.autoRead, value: true).whenFailure { _ in } }
    }

    func close() {
        for channel in channels { channel.close(promise: nil) }
        for deafPort in deafPorts { deafPort.close() }
    }
}
