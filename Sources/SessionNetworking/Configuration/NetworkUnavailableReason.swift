#if !canImport(Darwin)
import ClientMachines
import Foundation

/// Key in an error's `userInfo`: why no network could be used, the raw value of an `URLError.NetworkUnavailableReason`.
public let NSURLErrorNetworkUnavailableReasonKey: String = "NSURLErrorNetworkUnavailableReasonKey"

extension URLError {
    /// Why the network that is there was not used.
    public enum NetworkUnavailableReason: Int, Sendable {
        /// It is cellular, and `allowsCellularAccess` is false.
        case cellular = 0
        /// It is expensive, and `allowsExpensiveNetworkAccess` is false.
        case expensive = 1
        /// It is constrained, and `allowsConstrainedNetworkAccess` is false.
        case constrained = 2
    }

    /// Which kind of network the request or its session did not allow; nil for all other errors, also where there is no
    /// network at all.
    public var networkUnavailableReason: NetworkUnavailableReason? {
        (userInfo[NSURLErrorNetworkUnavailableReasonKey] as? Int).flatMap { NetworkUnavailableReason(rawValue: $0) }
    }
}

extension PathObstacle {
    var reason: URLError.NetworkUnavailableReason? {
        switch self {
        case .offline: nil
        case .cellular: .cellular
        case .expensive: .expensive
        case .constrained: .constrained
        }
    }
}

extension URLSessionConfiguration {
    /// What either forbids is forbidden (BEHAVIOUR 1.B16-stricter).
    final func demands(for request: URLRequest?) -> PathDemands {
        var demands = read(\.demands)
        guard let request else { return demands }
        if !request.allowsCellularAccess { demands.allowsCellular = false }
        if !request.allowsExpensiveNetworkAccess { demands.allowsExpensive = false }
        if !request.allowsConstrainedNetworkAccess { demands.allowsConstrained = false }
        return demands
    }
}
#endif
