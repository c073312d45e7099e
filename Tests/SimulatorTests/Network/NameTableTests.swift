import ClientMachines
import ServerScript
import Testing

@testable import Simulator

@Suite struct NameTableTests {
    private static func reachability(_ effect: Effect.Kind) -> NameTable.Reachability? {
        switch effect {
        case .reset: .failure(.refused)
        case .stall: .silence
        case .fin, .halfClose, .garbage, .delay: nil
        }
    }

    @Test(
        "A fault at listen keeps every client out of that host, and of no other",
        arguments: Landmark.Kind.listen.legalEffects)
    func listenFaults(kind: Effect.Kind) {
        let fault = Fault(at: .listen, do: kind == .reset ? .reset : .stall)
        let table = NameTable(listeners: ["a.test", "b.test"], faults: ["b.test": fault])
        #expect(table.answer(for: "b.test") == .addresses(["127.0.0.2"]))
        let wanted = NameTableTests.reachability(kind)
        #expect(table.reachability(of: NetworkAddress(text: "127.0.0.2", port: 80)) == wanted)
        #expect(table.reachability(of: NetworkAddress(text: "127.0.0.1", port: 80)) == .listener(host: "a.test"))
    }
}
