import ClientMachines
import Foundation
import Testing

@testable import SessionNetworking

@Suite struct NetworkUnavailableReasonTests {
    // BEHAVIOUR 1.B16-reason
    @Test(
        arguments: [
            (PathObstacle.offline, nil), (.cellular, .cellular), (.expensive, .expensive), (.constrained, .constrained),
        ] as [(PathObstacle, URLError.NetworkUnavailableReason?)])
    func `an error says which kind of network was not allowed`(
        obstacle: PathObstacle, reason: URLError.NetworkUnavailableReason?
    ) {
        let failure = Failure(.notConnectedToInternet, .environment, "", obstacle: obstacle)
        let error = URLErrorMapping.error(for: failure)
        #expect(error.code == .notConnectedToInternet && error.networkUnavailableReason == reason)
        #expect(URLError(.timedOut).networkUnavailableReason == nil)
    }

    // BEHAVIOUR 1.B16-stricter
    @Test func `a request goes out where both it and its session allow it`() throws {
        let configuration = URLSessionConfiguration.default
        var request = URLRequest(url: try #require(URL(string: "http://a/")))
        #expect(configuration.demands(for: request) == .none && configuration.demands(for: nil) == .none)
        configuration.allowsCellularAccess = false
        configuration.waitsForConnectivity = true
        request.allowsConstrainedNetworkAccess = false
        let demands = configuration.demands(for: request)
        #expect(!demands.allowsCellular && demands.allowsExpensive && !demands.allowsConstrained && demands.waits)
        configuration.allowsExpensiveNetworkAccess = false
        configuration.allowsConstrainedNetworkAccess = false
        let copy = try #require(configuration.copy() as? URLSessionConfiguration)
        configuration.waitsForConnectivity = false
        #expect(copy.waitsForConnectivity && !copy.allowsCellularAccess)
        #expect(!copy.allowsExpensiveNetworkAccess && !copy.allowsConstrainedNetworkAccess)
    }
}
