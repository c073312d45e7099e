import ClientMachines
import HTTPBasics
import NIOCore
import Testing

@testable import Simulator

@Suite struct ConnectionCheckerTests {
    private static let session: Observation = {
        var settings = ClientSettings()
        settings.connectionsPerHost = 1
        return .session(settings)
    }()
    private static func resolve(_ dial: Int, _ host: String = "a.test") -> Observation {
        output(.resolve(DialID(dial), host: host, port: 80))
    }
    private static func stop(_ dial: Int) -> Observation { output(.stopResolving(DialID(dial))) }
    private static func connect(_ id: ConnectionID, _ dial: Int = 1) -> Observation {
        output(.connect(id, for: DialID(dial), address))
    }
    private static func failed(_ dial: Int, _ family: AddressFamily) -> Observation {
        input(.resolveFailed(DialID(dial), family, detail: ""))
    }
    private static let address = NetworkAddress(text: "127.0.0.1", port: 80)
    private static let bytes = ByteBuffer(string: "GET")
    private static let request = WireEvent.requestBegan(exchange: 0, method: "GET", target: "/a")
    private static let next = WireEvent.requestBegan(exchange: 1, method: "GET", target: "/b")

    @Test(
        arguments: [
            [resolve(1), stop(1), resolve(2)],
            [resolve(1), failed(1, .v6), failed(1, .v4), resolve(2)],
            [resolve(1), stop(1), connect(first), input(.closed(first)), resolve(2)],
            [
                resolve(1), connect(first), connect(second), stop(1), output(.close(first)),
                output(.write(second, bytes)),
            ],
            [resolve(1), resolve(2, "b.test")],
            [
                resolve(1), failed(1, .v6), failed(1, .v4), connect(first), input(.connectFailed(first, .refused)),
                connect(second), output(.write(second, bytes)),
            ],
            [opened(), wire(request), wire(.responseEnded(exchange: 0)), wire(next)],
            [opened(), wire(request), wire(.unsure(exchange: 0)), wire(next)],
        ] as [[Observation]])
    func `connections within the rules pass`(observations: [Observation]) {
        #expect(findings(of: ConnectionChecker(), [Self.session] + observations).isEmpty)
    }

    // BEHAVIOUR 2.F7
    @Test(
        arguments: [
            ([resolve(1), resolve(2)], "2 connections to a.test:80, allowed are 1"),
            ([resolve(1), failed(1, .v6), resolve(2)], "2 connections to a.test:80, allowed are 1"),
            ([resolve(1), stop(1), connect(first), resolve(2)], "2 connections to a.test:80, allowed are 1"),
            (
                [resolve(1), connect(first), output(.close(first)), output(.write(first, bytes))],
                "bytes were written to connection 1, which is over"
            ),
            ([output(.write(first, bytes))], "bytes were written to connection 1, which is over"),
            (
                [resolve(1), connect(first), connect(second), output(.write(second, bytes))],
                "dial 1 has more connections than 2, which is used"
            ),
            ([resolve(1), stop(1), resolve(1)], "dial 1 was resolved twice: its number was used again"),
            (
                [opened(), wire(request), wire(next)],
                "GET /b began on connection 1 before the answer to exchange 0 ended"
            ),
        ] as [([Observation], String)])
    func `what breaks them is found`(observations: [Observation], sentence: String) {
        #expect(findings(of: ConnectionChecker(), [Self.session] + observations) == [sentence])
    }
}
