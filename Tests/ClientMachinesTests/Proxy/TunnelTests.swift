import HTTPBasics
import NIOCore
import Testing

@testable import ClientMachines

/// BEHAVIOUR 2.E4, 2.E7
@Suite struct TunnelTests {
    private static func tunnel(
        _ kind: Proxy.Kind, to host: String = "a.test", _ credential: Credential? = nil, port: Int = 443
    ) -> Tunnel {
        let proxy = Proxy(kind, host: "p.test", port: 8080, credential: credential)
        return Tunnel(to: Origin(scheme: "https", host: host, port: port), through: proxy, ClientSettings())
    }

    private static func bytes(_ step: Tunnel.Advance) -> [UInt8]? {
        if case .send(let bytes) = step { Array(bytes.readableBytesView) } else { nil }
    }

    @Test(arguments: [
        ("a.test", 443, "CONNECT a.test:443 HTTP/1.1\r\nHost: a.test:443\r\n"),
        ("a.test", 8443, "CONNECT a.test:8443 HTTP/1.1\r\nHost: a.test:8443\r\n"),
        ("fe80::1%eth0", 443, "CONNECT [fe80::1]:443 HTTP/1.1\r\nHost: [fe80::1]:443\r\n"),
        ("a\r\nb c", 443, "CONNECT a%0D%0Ab%20c:443 HTTP/1.1\r\nHost: a  b c:443\r\n"),
    ])
    func `CONNECT names the host and its port`(host: String, port: Int, head: String) throws {
        var tunnel = Self.tunnel(.http, to: host, port: port)
        let text = String(decoding: try #require(Self.bytes(tunnel.begin())), as: UTF8.self)
        #expect(text == head + "Proxy-Connection: keep-alive\r\nConnection: keep-alive\r\n\r\n")
    }

    @Test func `a proxy of another scheme lets nothing through, and nobody goes around it`() {
        for (scheme, kind) in [
            ("http", Failure.Kind.httpProxyConnectionFailure), ("https", .httpsProxyConnectionFailure),
        ] {
            let origin = Origin(scheme: scheme, host: "a.test", port: 80)
            let proxy = Proxy(.unusable, host: "p.test", port: 1)
            var tunnel = Tunnel(to: origin, through: proxy, ClientSettings())
            let step = tunnel.begin()
            #expect(step == .failed(kind, detail: step.detail))
            #expect(ConnectionRoute(to: origin, proxy: proxy).tunnelled == proxy)
        }
    }

    @Test func `an answer has a bound`() {
        var tunnel = Self.tunnel(.http)
        _ = tunnel.begin()
        var step = tunnel.received(ByteBuffer(string: "HTTP/1.1 200 OK\r\nX: "))
        for _ in 0..<300 where step == .wait { step = tunnel.received(ByteBuffer(repeating: 97, count: 1024)) }
        #expect(step == .failed(.unexpectedConnectAnswer, detail: step.detail) && step != .wait)
    }

    @Test func `informational answers have one, too`() {
        var tunnel = Self.tunnel(.http)
        _ = tunnel.begin()
        let flood = String(repeating: "HTTP/1.1 102 Processing\r\n\r\n", count: 101)
        let step = tunnel.received(ByteBuffer(string: flood))
        #expect(step == .failed(.unexpectedConnectAnswer, detail: step.detail))
    }

    @Test func `SOCKS 5 goes to addresses as addresses and to names as names`() {
        for (host, wanted) in [
            ("1.2.3.4", [5, 1, 0, 1, 1, 2, 3, 4, 1, 187]),
            ("::1", [5, 1, 0, 4] + [UInt8](repeating: 0, count: 15) + [1, 1, 187]),
            ("a.test", [5, 1, 0, 3, 6] + Array("a.test".utf8) + [1, 187]),
        ] as [(String, [UInt8])] {
            var tunnel = Self.tunnel(.socks5, to: host)
            #expect(Self.bytes(tunnel.begin()) == [5, 1, 0])
            #expect(Self.bytes(tunnel.received(ByteBuffer(bytes: [5, 0]))) == wanted)
        }
    }

    @Test func `what does not fit into SOCKS fails by itself`() {
        let long = String(repeating: "a", count: 256)
        for (kind, host, credential, failure) in [
            (.socks4, "::1", nil, .socks4RequestFailed), (.socks4, long, nil, .socks4RequestFailed),
            (.socks4, "a.test", Credential(user: "a\0b", password: ""), .socks4RequestFailed),
        ] as [(Proxy.Kind, String, Credential?, Failure.Kind)] {
            var tunnel = Self.tunnel(kind, to: host, credential)
            let step = tunnel.begin()
            #expect(step == .failed(failure, detail: step.detail))
        }
        var tunnel = Self.tunnel(.socks5, Credential(user: long, password: ""))
        _ = tunnel.begin()
        let step = tunnel.received(ByteBuffer(bytes: [5, 2]))
        #expect(step == .failed(.socks5BadCredentials, detail: step.detail))
        var named = Self.tunnel(.socks5, to: long)
        _ = named.begin()
        let refused = named.received(ByteBuffer(bytes: [5, 0]))
        #expect(refused == .failed(.socks5BadResponseAddress, detail: refused.detail))
    }
}

extension Tunnel.Advance {
    fileprivate var detail: String { if case .failed(_, let detail) = self { detail } else { "" } }
}
