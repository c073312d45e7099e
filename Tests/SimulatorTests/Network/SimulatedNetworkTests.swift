import ClientMachines
import HTTPBasics
import NIOCore
import ServerScript
import Testing

@testable import Simulator

@Suite struct SimulatedNetworkTests {
    @Test func `a name resolves to its listener's address`() {
        let bench = NetworkBench(names: NameTable(listenersOf: Script(hosts: ["a.test", "b.test"])))
        bench.network.resolve(0, DialID(1), host: "B.test", port: 80)
        bench.network.resolve(0, DialID(2), host: "c.test", port: 80)
        bench.network.resolve(0, DialID(3), host: "10.0.0.7", port: 8080)
        bench.run()
        #expect(
            bench.clientTexts == [
                "resolveFailed d1 v6 \"no address of this family: b.test\"", "resolved d1 v4 127.0.0.2:80",
                "resolveFailed d2 v6 \"no such host: c.test\"", "resolveFailed d2 v4 \"no such host: c.test\"",
                "resolveFailed d3 v6 \"no address of this family: 10.0.0.7\"", "resolved d3 v4 10.0.0.7:8080",
            ])
    }

    @Test func `answers that nobody waits for any more are not told`() {
        let bench = NetworkBench(names: NameTable(listenersOf: Script(hosts: ["a.test"])))
        bench.network.resolve(0, DialID(1), host: "a.test", port: 80)
        bench.network.stopResolving(0, DialID(1))
        bench.run()
        #expect(bench.client.isEmpty)
    }

    @Test func `an address may take its time, and be given up before`() {
        var names = NameTable()
        for number in 1...2 {
            let address = NetworkAddress(text: "10.0.0.\(number)", port: 80)
            names.setReachability(.listener(host: "a.test", after: .milliseconds(300)), at: address)
        }
        let bench = NetworkBench(names: names)
        bench.network.connect(0, ConnectionID(1), to: NetworkAddress(text: "10.0.0.1", port: 80))
        bench.network.connect(0, ConnectionID(2), to: NetworkAddress(text: "10.0.0.2", port: 80))
        _ = bench.scheduler.run(until: .zero + .milliseconds(200), stepLimit: 100)
        bench.network.abandon(0, ConnectionID(2))
        bench.run()
        #expect(bench.clientTexts == ["closed c2", "connected c1"])
        #expect(bench.client.last?.microseconds == 300_200)
        #expect(bench.serverTexts == ["accepted #0 a.test"])
    }

    @Test func `silent names and places never answer`() {
        var names = NameTable()
        names.setAnswer(.silence, for: "quiet.test")
        names.setReachability(.silence, at: NetworkAddress(text: "10.0.0.1", port: 80))
        let bench = NetworkBench(names: names)
        bench.network.resolve(0, DialID(1), host: "quiet.test", port: 80)
        bench.network.connect(0, ConnectionID(2), to: NetworkAddress(text: "10.0.0.1", port: 80))
        bench.run()
        #expect(bench.client.isEmpty)
    }

    @Test func `where nobody listens the connection is refused, after a round trip`() {
        var names = NameTable()
        names.setReachability(.failure(.networkUnreachable), at: NetworkAddress(text: "10.0.0.1", port: 80))
        let bench = NetworkBench(names: names)
        bench.network.connect(0, ConnectionID(1), to: NetworkAddress(text: "127.0.0.1", port: 80))
        bench.network.connect(0, ConnectionID(2), to: NetworkAddress(text: "10.0.0.1", port: 80))
        bench.run()
        #expect(bench.clientTexts == ["connectFailed c1 refused", "connectFailed c2 networkUnreachable"])
        #expect(bench.client.allSatisfy { $0.microseconds == 200 })
    }

    @Test func `connections are accepted in order and each side is told once`() {
        let bench = NetworkBench()
        for number in 1...2 {
            bench.network.connect(0, ConnectionID(number), to: NetworkAddress(text: "127.0.0.1", port: 80))
        }
        bench.run()
        #expect(bench.serverTexts == ["accepted #0 a.test", "accepted #1 a.test"])
        #expect(bench.clientTexts == ["connected c1", "connected c2"])
        #expect(bench.network.links.map(\.id) == [ConnectionID(1), ConnectionID(2)])
    }

    @Test func `a connection that is given up before it is open is closed and never opens`() {
        let bench = NetworkBench()
        bench.network.connect(0, bench.id, to: NetworkAddress(text: "127.0.0.1", port: 80))
        bench.network.abandon(0, bench.id)
        bench.run()
        #expect(bench.clientTexts == ["closed c1"])
        #expect(bench.network.links.isEmpty)
    }

    @Test func `a connection that is closed between accept and connected is closed once`() throws {
        let bench = NetworkBench()
        bench.network.connect(0, bench.id, to: NetworkAddress(text: "127.0.0.1", port: 80))
        _ = bench.scheduler.run(until: .zero + .microseconds(150), stepLimit: 100)
        bench.network.close(try #require(bench.network.link(0, bench.id)), from: .client)
        bench.run()
        #expect(bench.clientTexts == ["closed c1"])
        #expect(bench.serverTexts == ["accepted #0 a.test", "inputClosed #0"])
    }
}
