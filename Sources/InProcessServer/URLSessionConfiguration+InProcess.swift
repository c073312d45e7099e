#if !canImport(Darwin)
import ScriptedServer
import SessionNetworking

/// Sessions that reach a scripted server in their own process.
///
/// ```swift
/// let server = try await ScriptedServer.startInProcess { $0.get("/a", reply: "hi") }
/// let session = URLSession(configuration: .reaching(server))
/// let (data, _) = try await session.data(from: URL(string: "http://a.test/a")!)
/// ```
///
/// There is no listening socket and no port, and no name is looked up, so nothing of the machine's network can disturb
/// a test, and any host and port may stand in a URL. All else is as over sockets: the same client and the same server,
/// with TLS, resets, half-closed connections, stalls and rates, in real time. What differs:
///
/// - A host that no server has fails the task with `URLError.cannotFindHost`, also one that the machine could reach.
///   One whose server has stopped fails it with `.cannotConnectToHost`.
/// - Of authorities the session trusts `ServerCertificate.authority` alone, so the presets of TLS need no delegate.
/// - In metrics `remoteAddress` is the host's name and `remotePort` the port, as the URL has them; `localAddress` and
///   `localPort` are nil. Everything else, such as `isReusedConnection`, is as over sockets.
/// - Proxies of the process's environment do not count; `connectionProxyDictionary` does, and may name hosts of a
///   server.
/// - A connection takes three of the process's descriptors.
extension URLSessionConfiguration {
    /// An ephemeral configuration, whose sessions reach the hosts of these servers' scripts by their names, on any
    /// port, and nothing else.
    ///
    /// - Parameter servers: With a port or without one. Of several with a host of one name the last has it.
    public static func reaching(_ servers: ScriptedServer...) -> URLSessionConfiguration {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.network = InProcessNetwork()
        for server in servers { configuration.reach(server) }
        return configuration
    }

    /// Lets sessions that are made with this configuration from now on reach the hosts of this server's script by their
    /// names, on any port. What they could reach before in the process they still can; the machine's network they
    /// cannot.
    ///
    /// Any number of configurations and sessions may reach one server, and one configuration any number of servers.
    /// They keep the server; stopping it is up to the test.
    ///
    /// - Parameter server: Without a port, or with ports: then its URLs lead to it, too. Takes the names of its hosts
    ///   from servers that were added before, but for those of one port.
    public final func reach(_ server: ScriptedServer) {
        var targets: [InProcessNetwork.Place: InProcessNetwork.Target] = [:]
        for host in server.hosts {
            let target = InProcessNetwork.Target(server: server, host: host)
            targets[.init(host, nil)] = target
            if let address = server.addresses[host] { targets[.init(address.ip, address.port)] = target }
        }
        add(targets)
    }

    /// The same for one host, by another name: `configuration.reach(server, as: "api.example.com")`.
    ///
    /// - Parameters:
    ///   - server: With a port or without one.
    ///   - name: As it stands in URLs; `*` is every name that has no server of its own. The presets of TLS have
    ///     certificates for a.test, b.test, c.test, localhost and the loopback addresses: with another name a task
    ///     fails over `https`, unless its delegate trusts that server.
    ///   - port: Which port of the URL leads there, 80 and 443 where it has none; nil for all that no other entry
    ///     names.
    ///   - host: Of the server's script; the first if nil. Connections to one that the script does not have are
    ///     refused.
    public final func reach(_ server: ScriptedServer, as name: String, port: Int? = nil, host: String? = nil) {
        guard let host = host ?? server.hosts.first else { return }
        add([.init(name, port): .init(server: server, host: host)])
    }

    private func add(_ targets: [InProcessNetwork.Place: InProcessNetwork.Target]) {
        let before = network as? InProcessNetwork ?? InProcessNetwork()
        network = before.adding(targets)
    }
}
#endif
