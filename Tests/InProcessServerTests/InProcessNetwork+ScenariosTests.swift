import ClientEngine
import ClientMachines
import Foundation
import Glibc
import Judge
import ScenarioFormat
import ScriptedServer
import TestSupport
import Testing

@testable import ClientLane

/// Scenarios as over sockets, but that their connections never leave the process.
@Suite(EndsInTime(limit: .seconds(900)), .serialized) struct InProcessNetworkScenariosTests {
    /// Names mean what they mean over sockets; behind the address of a host is that host.
    private final class Carrier: Connector {
        private let server: ScriptedServer
        private let resolver: any ClientEngine.Resolver

        init(_ server: ScriptedServer, _ resolver: any ClientEngine.Resolver) {
            self.server = server
            self.resolver = resolver
        }

        func resolve(
            host: String, port: Int, family: AddressFamily, answer: @escaping @Sendable (ResolverAnswer) -> Void
        ) -> NameWaiter? { resolver.resolve(host: host, port: port, family: family, answer: answer) }

        func withdraw(_ waiter: NameWaiter) { resolver.withdraw(waiter) }

        func connect(to address: NetworkAddress) -> ConnectorAnswer {
            let host = server.addresses.first { $0.value.ip == address.text && $0.value.port == address.port }?.key
            return switch server.connect(to: host ?? "") {
            case .connected(let descriptor, let ended): .connected(descriptor: descriptor, ended: ended)
            case .failed(let number): .failed(errorNumber: number)
            case .silent: .silent
            }
        }
    }

    /// Every 40th case; all of them if the environment has `IN_PROCESS_SCENARIOS`.
    private static let stride = getenv("IN_PROCESS_SCENARIOS") == nil ? 40 : 1

    @Test func `scenarios pass without a socket that listens`() throws {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appendingPathComponent("scenarios").path
        let plan = CasePlan(
            try ScenarioLoading.load(root: root, patterns: []).scenarios, worlds: [.sockets], styles: [.delegate])
        // Addresses that others have, or nobody, are for sockets.
        let cases = plan.cases.filter { $0.isPlayed && $0.obstacle == nil && $0.scenarioCase.names.isEmpty }
        let driver = SocketDriver { player, configuration, queue, server, directory, recorder in
            try LaneSession.make(for: player, configuration, queue, server, directory, recorder) {
                Carrier(server, $0)
            }
        }
        var count = 0
        for index in Swift.stride(from: 0, to: cases.count, by: Self.stride) {
            let scenarioCase = cases[index].scenarioCase
            let observation = try driver.play(scenarioCase, style: .delegate)
            let judge = CaseJudge(
                observation, expecting: scenarioCase.expect, style: .delegate,
                tolerance: .sockets(stall: observation.stall))
            // The process of the tests has threads of its own.
            let found = judge.findings().map(\.summary).filter { !$0.hasSuffix(" threads") }
            #expect(found.isEmpty, "\(cases[index].id): \(found)")
            count += 1
        }
        #expect(count > 30)
    }
}
