import ClientEngine
import ClientMachines
import Glibc
import Locks
import ScriptedServer
import TestSupport
import Testing

@testable import InProcessServer

@Suite(.endsInTime) struct InProcessNetworkTests {
    private func answers(_ network: InProcessNetwork, _ host: String, _ port: Int) -> [ResolverAnswer] {
        let answers = Lock<[ResolverAnswer]>([])
        for family in AddressFamily.allCases {
            let waiter = network.resolve(host: host, port: port, family: family) { answer in
                answers.withLock { $0.append(answer) }
            }
            #expect(waiter == nil)
        }
        return answers.withLock { $0 }
    }

    @Test func `a name is its own address, and that is one of IPv4 alone`() async throws {
        let server = try await ScriptedServer.startInProcess { $0.route("GET", "/", reply: "") }
        let network = InProcessNetwork([.init("A.test", nil): .init(server: server, host: "a.test")])
        let address = NetworkAddress(text: "a.TEST", port: 81)
        #expect(
            answers(network, "a.TEST", 81) == [
                .failure("a.TEST: a name in this process has one address"), .addresses([address]),
            ])
        guard case .connected(let descriptor, let ended) = network.connect(to: address) else {
            Issue.record("no connection")
            return
        }
        #expect(close(descriptor) == 0)
        ended()
    }

    @Test func `a name that nobody has has no address`() {
        let none = ResolverAnswer.failure("b.test: no server in this process has this name")
        #expect(answers(InProcessNetwork(), "b.test", 80) == [none, none])
    }

    @Test func `a name is the same in any letters, with brackets and with the dot that ends it`() {
        typealias Place = InProcessNetwork.Place
        #expect(Place("A.Test.", 1) == Place("a.test", 1) && Place("[::1]", 1) == Place("::1", 1))
        #expect(Place("*", nil) != Place("a", nil) && Place("a.test", 1) != Place("a.test", nil))
    }

    @Test func `a port comes before all ports, a name before any name`() async throws {
        let server = try await ScriptedServer.startInProcess {
            $0.hosts("a.test", "b.test", "c.test", "d.test")
            $0.refuseConnections(to: "b.test")
            $0.neverAnswerConnections(to: "c.test")
        }
        func target(_ host: String) -> InProcessNetwork.Target { .init(server: server, host: host) }
        let network = InProcessNetwork([.init("x", nil): target("c.test")]).adding([
            .init("x", 81): target("b.test"), .init("*", nil): target("c.test"), .init("*", 82): target("b.test"),
        ])
        func isRefused(_ name: String, _ port: Int) -> Bool {
            if case .failed = network.connect(to: NetworkAddress(text: name, port: port)) { true } else { false }
        }
        #expect(isRefused("x", 81))
        #expect(!isRefused("x", 82))
        #expect(isRefused("y", 82))
        #expect(!isRefused("y", 81))
    }
}
