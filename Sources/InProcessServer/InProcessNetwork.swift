#if !canImport(Darwin)
import ClientEngine
import ClientMachines
import ClientTLS
import ScriptedServer
import SessionNetworking
import TestCertificates
import TLSEngine

/// The network of sessions that reach servers in their own process: which server has which name.
///
/// A name is its own address, so that the port of a URL can lead to a host, and metrics show what was asked for.
final class InProcessNetwork: Connector, SessionNetwork {
    /// Who is meant by a URL; without a port by all that no other entry names.
    struct Place: Hashable {
        /// In small letters, since names are compared without regard to case (RFC 4343); without the brackets of an
        /// address and the dot that ends a whole name.
        let name: String
        let port: Int?

        init(_ name: String, _ port: Int?) {
            var bare = name.lowercased()[...]
            if bare.hasPrefix("["), bare.hasSuffix("]") { bare = bare.dropFirst().dropLast() }
            if bare.hasSuffix(".") { bare = bare.dropLast() }
            self.name = String(bare)
            self.port = port
        }
    }

    struct Target: Sendable {
        let server: ScriptedServer
        /// Of its script.
        let host: String
    }

    /// Every name that has no server of its own.
    private static let anyName = "*"

    private let targets: [Place: Target]

    init(_ targets: [Place: Target] = [:]) { self.targets = targets }

    func adding(_ more: [Place: Target]) -> InProcessNetwork {
        InProcessNetwork(targets.merging(more) { _, new in new })
    }

    private func target(_ name: String, _ port: Int) -> Target? {
        targets[Place(name, port)] ?? targets[Place(name, nil)] ?? targets[Place(Self.anyName, port)]
            ?? targets[Place(Self.anyName, nil)]
    }

    // MARK: - SessionNetwork

    /// The authority of the scripted server's good certificates is trusted, and no other. The proxies of the process's
    /// environment are not there, and the machine's network does not matter.
    func makeWorld() -> SessionWorld {
        let tls = SessionTLS.Surroundings(
            library: .system, store: TrustStore(anchors: TestCertificates.authority),
            keyLog: SessionTLS.Surroundings.system.keyLog)
        var world = SessionWorld.sockets(tls: tls, connector: self, paths: nil)
        world.environment = { _ in nil }
        return world
    }

    // MARK: - Connector

    func resolve(
        host: String, port: Int, family: AddressFamily, answer: @escaping @Sendable (ResolverAnswer) -> Void
    ) -> NameWaiter? {
        switch target(host, port) {
        case .some where family == .v4: answer(.addresses([NetworkAddress(text: host, port: port)]))
        case .some: answer(.failure("\(host): a name in this process has one address"))
        case nil: answer(.failure("\(host): no server in this process has this name"))
        }
        return nil
    }

    /// Nothing waits.
    func withdraw(_ waiter: NameWaiter) {}

    func connect(to address: NetworkAddress) -> ConnectorAnswer {
        // Its name was found with the same table.
        guard let target = target(address.text, address.port) else { return .silent }
        return switch target.server.connect(to: target.host) {
        case .connected(let descriptor, let ended): .connected(descriptor: descriptor, ended: ended)
        case .failed(let number): .failed(errorNumber: number)
        case .silent: .silent
        }
    }
}
#endif
