import TLSBasics
import Testing

@testable import ServerScript

@Suite("Faults of records where there are none")
struct ScriptRecordObjectionsTests {
    private func objections(_ tls: [String: HostTLS], otherwise fault: RecordFault) -> [String] {
        var script = Script(hosts: ["a.test", "b.test"])
        script.tls = tls
        script.otherwise = Reply(faults: [Fault(at: .end, do: .record(fault))])
        return script.recordObjections.map(\.objection.text)
    }

    @Test("What answers for all hosts has to suit one of them")
    func otherwise() {
        var old = HostTLS()
        old.versions = .tls12 ... .tls12
        #expect(objections([:], otherwise: .badRecord) == ["a.test speaks no TLS, so it has no records"])
        #expect(objections(["b.test": old], otherwise: .badRecord).isEmpty)
        #expect(objections(["b.test": old], otherwise: .renegotiation).isEmpty)
        #expect(objections(["b.test": HostTLS()], otherwise: .keyUpdate).isEmpty)
        #expect(objections(["a.test": old, "b.test": HostTLS()], otherwise: .keyUpdate).isEmpty)
        #expect(
            objections(["a.test": old, "b.test": old], otherwise: .keyUpdate)
                == ["a.test does not speak TLS 1.3, which alone has new keys"])
        #expect(
            objections(["a.test": HostTLS()], otherwise: .renegotiation) == ["only TLS up to 1.2 has 'renegotiate'"])
    }
}
