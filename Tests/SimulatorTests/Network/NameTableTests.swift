import ClientMachines
import ServerScript
import Testing

@testable import Simulator

@Suite struct NameTableTests {
    private static func reachability(_ effect: Fault.Effect.Kind) -> NameTable.Reachability? {
        switch effect {
        case .reset: .failure(.refused)
        case .stall: .silence
        case .fin, .truncate, .halfClose, .garbage, .delay, .record: nil
        }
    }

    @Test(
        "A fault at listen keeps every client out of that host, and of no other",
        arguments: Fault.Landmark.Kind.listen.legalEffects)
    func listenFaults(kind: Fault.Effect.Kind) {
        let fault = Fault(at: .listen, do: kind == .reset ? .reset : .stall)
        let table = NameTable(listenersOf: Script(hosts: ["a.test", "b.test"], listenFaults: ["b.test": fault]))
        #expect(table.answer(for: "b.test", .v4).answer == .addresses(["127.0.0.2"]))
        let wanted = NameTableTests.reachability(kind)
        #expect(table.reachability(of: NetworkAddress(text: "127.0.0.2", port: 80)) == wanted)
        #expect(table.reachability(of: NetworkAddress(text: "127.0.0.1", port: 80)) == .listener(host: "a.test"))
    }

    @Test func `a name has the addresses of each family by itself, each in its own time`() {
        var table = NameTable()
        table.setAnswer(.addresses(["10.0.0.1", "2001:db8::1"]), for: "A.test")
        table.setAnswer(.addresses(["2001:db8::2"]), for: "a.test", .v6, after: .milliseconds(40))
        #expect(table.answer(for: "a.test", .v4) == (.addresses(["10.0.0.1"]), .zero))
        #expect(table.answer(for: "a.test", .v6) == (.addresses(["2001:db8::2"]), .milliseconds(40)))
        #expect(table.answer(for: "10.0.0.9", .v6).answer == .unknown(detail: "no address of this family: 10.0.0.9"))
    }
}
