import HTTPBasics
import MachineContract
import NIOCore
import TestSupport
import Testing

@testable import ClientMachines

/// BEHAVIOUR 2.A37-proxy
@Suite struct TunnelNegotiatingTests {
    private static let proxies = ProxySettings(https: Proxy(.http, host: "p.test", port: 8080))
    private static let asks = "HTTP/1.1 407 \r\nProxy-Authenticate: Negotiate\r\nContent-Length: 0\r\n\r\n"
    private static let asksOn = "HTTP/1.1 407 \r\nProxy-Authenticate: Negotiate bW9yZQ==\r\nContent-Length: 0\r\n\r\n"

    private func calls(_ play: Playbook<ClientMachine>) -> [NegotiateCall] {
        play.take().compactMap { if case .negotiate(_, let call) = $0 { call } else { nil } }
    }

    @Test func `what was begun for a task goes on for the tunnel alone that it was begun for last`() throws {
        try ClientPlay.play(proxies: Self.proxies) { play in
            // A connection for the third task to free.
            play.start(1, ClientPlay.plan(scheme: "https"))
            play.open(1)
            play.receive(1, "HTTP/1.1 200 OK\r\n\r\n")
            play.feed(.secured(ConnectionID(1), ClientPlay.facts))
            play.start(2, ClientPlay.plan(scheme: "https"))
            play.start(3, ClientPlay.plan(scheme: "https"))
            // The third task's dial is the quicker one: its connection is the second.
            play.resolve(3)
            play.feed(.connected(ConnectionID(2)))
            _ = play.take()
            play.receive(2, Self.asks)
            let first = try #require(calls(play).first)
            play.feed(.negotiated(TaskID(3), number: first.number, .token([1])))
            // The second task takes what the first one leaves: the third one waits for the slower dial now.
            play.receive(1, ClientPlay.ok)
            play.resolve(2)
            play.feed(.connected(ConnectionID(3)))
            _ = play.take()
            play.receive(3, Self.asks)
            let second = try #require(calls(play).first)
            play.feed(.negotiated(TaskID(3), number: second.number, .token([2])))
            _ = play.take()
            play.receive(2, Self.asksOn)
            try play.expect(["close 2"])
            play.receive(3, Self.asksOn)
            let third = calls(play)
            try play.check("step", third.map(\.step), is: [.goOn(Array("more".utf8))])
        }
    }
}
