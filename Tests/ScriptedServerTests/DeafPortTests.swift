import NIOCore
import ServerScript
import TestSupport
import Testing

@testable import ScriptedServer

/// The cells at `listen`, proved with a raw socket.
@Suite(.endsInTime) struct DeafPortTests {
    private static func knock(_ effect: Fault.Effect.Kind) -> RawSocket.Knock? {
        switch effect {
        case .reset: .refused
        case .stall: .silence
        case .fin, .truncate, .halfClose, .garbage, .delay, .record: nil
        }
    }

    @Test(arguments: Fault.Landmark.Kind.listen.legalEffects)
    func `a fault at listen keeps every client out`(kind: Fault.Effect.Kind) async throws {
        let fault = Fault(at: .listen, do: kind == .reset ? .reset : .stall)
        let script = Script(hosts: ["a.test", "b.test"], listenFaults: ["b.test": fault])
        let server = try await ScriptedServer.start(script: script)
        let open = try #require(server.addresses["a.test"]), deaf = try #require(server.addresses["b.test"])
        for _ in 0..<3 {
            #expect(RawSocket.knock(port: deaf.port, ip: deaf.ip, patience: 50) == DeafPortTests.knock(kind))
        }
        #expect(RawSocket.knock(port: open.port, ip: open.ip, patience: 10_000) == .accepted)
        #expect(try await server.stop().isFulfilled)
    }

    @Test func `a port that was deaf is free once it is closed`() throws {
        let wanted = try SocketAddress(ipAddress: "127.0.0.1", port: 0)
        let deaf = try DeafPort(wanted, .neverAnswers)
        #expect(throws: IOError.self) { _ = try DeafPort(deaf.address, .refuses) }
        deaf.close()
        let again = try DeafPort(deaf.address, .refuses)
        #expect(again.address.port == deaf.address.port)
        again.close()
    }

    @Test func `IPv6 is as deaf`() throws {
        let deaf = try DeafPort(SocketAddress(ipAddress: "::1", port: 0), .neverAnswers)
        #expect((deaf.address.port ?? 0) > 0)
    }
}
