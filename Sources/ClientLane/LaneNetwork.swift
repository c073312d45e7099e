import ClientEngine
import ClientMachines
import ScenarioFormat
import SessionNetworking
import Simulator

/// The network of a case's machine, for all its sessions.
final class LaneNetwork: NetworkPaths {
    let paths: ScriptedNetworkPaths

    init(_ kind: NetworkKind) { paths = ScriptedNetworkPaths(NetworkPath(kind)) }

    func change(to kind: NetworkKind) { paths.set(NetworkPath(kind)) }

    func watch(_ news: @escaping @Sendable (NetworkPath) -> Void) -> any Sendable { paths.watch(news) }
}

extension NetworkPath {
    fileprivate init(_ kind: NetworkKind) {
        self.init(
            through: kind == .offline ? nil : kind.rawValue, isCellular: kind == .cellular,
            isExpensive: kind == .expensive, isConstrained: kind == .constrained)
    }
}

extension LaneSession {
    static func limitNetworks(_ configuration: URLSessionConfiguration, _ options: SessionOptions) {
        configuration.waitsForConnectivity = options.waitsForConnectivity
        if options.denies.contains(.cellular) { configuration.allowsCellularAccess = false }
        if options.denies.contains(.expensive) { configuration.allowsExpensiveNetworkAccess = false }
        if options.denies.contains(.constrained) { configuration.allowsConstrainedNetworkAccess = false }
    }

    static func deny(_ network: DeniedNetwork, to request: inout URLRequest) {
        switch network {
        case .cellular: request.allowsCellularAccess = false
        case .expensive: request.allowsExpensiveNetworkAccess = false
        case .constrained: request.allowsConstrainedNetworkAccess = false
        }
    }
}
