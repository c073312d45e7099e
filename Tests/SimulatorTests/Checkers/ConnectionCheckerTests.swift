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
    private static func resolve(_ id: ConnectionID, _ host: String = "a.test") -> Observation {
        output(.resolve(id, host: host, port: 80))
    }
    private static let address = NetworkAddress(text: "127.0.0.1", port: 80)
    private static let bytes = ByteBuffer(string: "GET")
    private static let request = WireEvent.requestBegan(exchange: 0, method: "GET", target: "/a")
    private static let next = WireEvent.requestBegan(exchange: 1, method: "GET", target: "/b")

    @Test(
        arguments: [
            [resolve(first), output(.close(first)), resolve(second)],
            [resolve(first), input(.closed(first)), resolve(second)],
            [resolve(first), input(.resolveFailed(first, detail: "")), resolve(second)],
            [resolve(first), resolve(second, "b.test")],
            [
                resolve(first), input(.connectFailed(first, .refused)), output(.connect(first, address)),
                output(.write(first, bytes)),
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
            ([resolve(first), resolve(second)], "2 connections to a.test:80, allowed are 1"),
            (
                [
                    resolve(first), input(.connectFailed(first, .refused)), resolve(second),
                    output(.connect(first, address)),
                ],
                "2 connections to a.test:80, allowed are 1"
            ),
            (
                [resolve(first), output(.close(first)), output(.write(first, bytes))],
                "bytes were written to connection 1, which is over"
            ),
            ([output(.write(first, bytes))], "bytes were written to connection 1, which is over"),
            (
                [resolve(first), output(.close(first)), resolve(first)],
                "connection 1 was resolved twice: its number was used again"
            ),
            (
                [opened(), wire(request), wire(next)],
                "GET /b began on connection 1 before the answer to exchange 0 ended"
            ),
        ] as [([Observation], String)])
    func `what breaks them is found`(observations: [Observation], sentence: String) {
        #expect(findings(of: ConnectionChecker(), [Self.session] + observations) == [sentence])
    }
}
