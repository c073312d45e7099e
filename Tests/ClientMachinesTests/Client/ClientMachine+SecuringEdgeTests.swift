import HTTPBasics
import MachineContract
import NIOCore
import TLSBasics
import TestSupport
import Testing

@testable import ClientMachines

/// BEHAVIOUR 2.E11
@Suite struct SecuringEdgeTests {
    private static let proxies: ProxySettings = {
        let proxy = Proxy(.http, host: "p.test", port: 443, isSecure: true)
        return ProxySettings(http: proxy, https: proxy)
    }()
    private static let facts = TLSFacts(
        version: .tls13, cipherSuite: 0x1301, applicationProtocol: "http/1.1", isResumed: false)
    private static let peer = PeerCertificates(chain: [CertificateBytes(der: [1, 2, 3])])
    private static let id = ConnectionID(1)
    private static let place = Origin(scheme: "https", host: "p.test", port: 443)

    private static func plan(
        scheme: String = "https", asks: QuestionKinds = [], scope: Int? = nil
    ) -> TaskPlan {
        var plan = ClientPlay.plan(asks: asks, scheme: scheme)
        plan.trustScope = scope
        return plan
    }

    private static func play(_ plan: TaskPlan, _ body: (Playbook<ClientMachine>) throws -> Void) throws {
        try ClientPlay.play(proxies: proxies) { play in
            play.start(1, plan)
            play.open(1)
            try play.expect(["resolve 1 p.test:443", "connect 1 192.0.2.1:80", "secure 1 p.test, a proxy"])
            try body(play)
        }
    }

    @Test func `the way to a server is secured twice, the proxy's layer first`() throws {
        try Self.play(Self.plan()) { play in
            play.feed(.secured(Self.id, Self.facts))
            try play.expect(["write 1 CONNECT example.com:443 HTTP/1.1"])
            play.receive(1, "HTTP/1.1 200 OK\r\n\r\n")
            try play.expect(["secure 1 example.com"])
            play.feed(.secured(Self.id, Self.facts))
            try play.expect(["write 1 GET /a HTTP/1.1"])
        }
    }

    @Test func `a request that is sent on goes out when the proxy is secured`() throws {
        try Self.play(Self.plan(scheme: "http")) { play in
            play.feed(.secured(Self.id, Self.facts))
            try play.expect(["write 1 GET http://example.com/a HTTP/1.1"])
        }
    }

    @Test(arguments: ["http", "https"])
    func `the delegate is asked about the proxy, and its cancel forgets the proxy's sessions alone`(
        scheme: String
    ) throws {
        try Self.play(Self.plan(scheme: scheme, asks: .connection)) { play in
            play.feed(.trustAsked(Self.id, Self.peer))
            let asked = play.take()
            let wanted = ConnectionChallenge(of: .proxy(Self.place, trustScope: nil), kind: .serverTrust(Self.peer))
            try play.check("outputs", asked, is: [.ask(TaskID(1), QuestionID(1), .connection(wanted))])
            play.feed(.answer(QuestionID(1), .connection(.cancel)))
            try play.expect(["forget tickets of p.test", "close 1", "task 1: complete cancelled"])
        }
    }

    @Test func `the layer in which something fails is named`() throws {
        let failure = SecureFailure(
            TLSFailure(.untrusted, .notRequested, "not trusted"), peer: Self.peer, proxy: Self.place)
        #expect(failure.detail == "TLS to the proxy p.test: not trusted")
        try Self.play(Self.plan()) { play in
            play.feed(.secureFailed(Self.id, failure))
            try play.expect(["close 1", "task 1: complete serverCertificateUntrusted"])
        }
    }

    /// BEHAVIOUR 2.E11-codes: in TLS 1.3 a proxy refuses a certificate behind the handshake.
    @Test func `an alert of the proxy's while it is asked for a tunnel`() throws {
        let alert = SecureFailure(
            TLSFailure(.refused(.certificateRequired), .missing, "refused"), proxy: Self.place)
        try Self.play(Self.plan()) { play in
            play.feed(.secured(Self.id, Self.facts), .secureFailed(Self.id, alert))
            try play.expect(
                ["write 1 CONNECT example.com:443 HTTP/1.1", "close 1", "task 1: complete clientCertificateRequired"])
        }
    }

    @Test(arguments: [false, true])
    func `a connection that ends while either layer is made fails as a handshake`(isInner: Bool) throws {
        try Self.play(Self.plan()) { play in
            if isInner {
                play.feed(.secured(Self.id, Self.facts))
                play.receive(1, "HTTP/1.1 200 OK\r\n\r\n")
                _ = play.take()
            }
            play.feed(.closed(Self.id))
            let outputs = play.take()
            guard case .tell(_, .complete(let failure?))? = outputs.last else {
                return try play.check("outputs", outputs.map(\.summary), is: ["a failure"])
            }
            #expect(failure.kind == .secureConnectionFailed)
            #expect(failure.security?.proxy == (isInner ? nil : Self.place))
        }
    }

    /// BEHAVIOUR 2.E11-pool
    @Test func `what one delegate accepts of the proxy is not shared, for requests that are sent on either`() {
        let origin = Origin(scheme: "http", host: "a.test", port: 80)
        let proxy = Self.proxies.http
        let route = ConnectionRoute(to: origin, trustScope: 7, proxy: proxy)
        #expect(route.trustScope == 7 && route.securedProxy == .proxy(Self.place, trustScope: 7))
        let plain = Proxy(.http, host: "p.test", port: 443)
        #expect(ConnectionRoute(to: origin, trustScope: 7, proxy: plain).trustScope == nil)
        #expect(ConnectionRoute(to: origin, proxy: plain) != ConnectionRoute(to: origin, proxy: proxy))
    }
}
