import NIOCore
import TLSBasics
import TLSEngine
import TestSupport
import Testing

@testable import ScriptedServer

/// Proxies of a script that Swift wrote, as a raw client meets them.
@Suite(.endsInTime) struct ScriptedServerProxiesTests {
    private func client(of server: ScriptedServer) throws -> RawSocket {
        let address = try #require(server.addresses["proxy.test"])
        return try RawSocket(port: address.port, ip: address.ip)
    }

    private func server(_ build: (inout ScriptBuilder) -> Void) async throws -> ScriptedServer {
        try await ScriptedServer.start {
            $0.hosts("a.test", "proxy.test")
            $0.route("GET", "/a", reply: "behind")
            build(&$0)
        }
    }

    @Test func `an absolute URL is passed on, and a tunnel leads to its host`() async throws {
        let server = try await server { $0.httpProxy("proxy.test") }
        let authority = server.url.dropFirst("http://".count)
        let forwarded = try client(of: server)
        forwarded.send("GET \(server.url)/a HTTP/1.1\r\nHost: \(authority)\r\nConnection: close\r\n\r\n")
        #expect(String(decoding: forwarded.receiveToEnd().bytes, as: UTF8.self).hasSuffix("\r\n\r\nbehind"))
        let tunnelled = try client(of: server)
        tunnelled.send("CONNECT \(authority) HTTP/1.1\r\nHost: \(authority)\r\n\r\n")
        #expect(String(decoding: tunnelled.receiveHead(), as: UTF8.self).hasPrefix("HTTP/1.1 200 "))
        tunnelled.send("GET /a HTTP/1.1\r\nHost: \(authority)\r\nConnection: close\r\n\r\n")
        #expect(String(decoding: tunnelled.receiveToEnd().bytes, as: UTF8.self).hasSuffix("\r\n\r\nbehind"))
        let verdict = try await server.stop()
        #expect(verdict.isFulfilled, "\(verdict)")
    }

    @Test func `what the proxy has for a CONNECT comes before the tunnel`() async throws {
        let server = try await server {
            $0.httpProxy("proxy.test")
            $0.route("CONNECT", "$origin.a.test", host: "proxy.test", reply: .status(403))
        }
        let authority = server.url.dropFirst("http://".count)
        let client = try client(of: server)
        client.send("CONNECT \(authority) HTTP/1.1\r\nHost: \(authority)\r\n\r\n")
        #expect(String(decoding: client.receiveHead(), as: UTF8.self).hasPrefix("HTTP/1.1 403 "))
        try await server.stop()
    }

    @Test(arguments: [("secret", true), ("wrong", false)])
    func `a SOCKS proxy lets its user through`(password: String, isLetIn: Bool) async throws {
        let server = try await server { $0.socksProxy("proxy.test", user: "ann", password: "secret") }
        let port = try #require(server.addresses["a.test"]?.port)
        let client = try client(of: server)
        // RFC 1928 3: version 5 with one method, that of RFC 1929.
        client.send([5, 1, 2])
        #expect(client.receive(2) == [5, 2])
        client.send([1, 3] + Array("ann".utf8) + [UInt8(password.utf8.count)] + Array(password.utf8))
        #expect(client.receive(2) == [1, isLetIn ? 0 : 1])
        if isLetIn {
            client.send([5, 1, 0, 1, 127, 0, 0, 1, UInt8(port >> 8), UInt8(port & 0xFF)])
            #expect(client.receive(10).prefix(2) == [5, 0])
            client.send("GET /a HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
            #expect(String(decoding: client.receiveToEnd().bytes, as: UTF8.self).hasSuffix("\r\n\r\nbehind"))
        }
        try await server.stop()
    }

    // MARK: - Over TLS

    private func securedClient(of server: ScriptedServer) throws -> SecuredSocket {
        let address = try #require(server.addresses["proxy.test"])
        let client = try SecuredSocket(port: address.port, ip: address.ip)
        client.receive { client.facts != nil }
        return client
    }

    private func head(_ client: SecuredSocket) -> String {
        client.receive { client.plaintext.suffix(4).elementsEqual("\r\n\r\n".utf8) }
        return String(decoding: client.plaintext, as: UTF8.self)
    }

    @Test func `a proxy that is secured sends on what it is asked over TLS`() async throws {
        let server = try await server {
            $0.secure(host: "proxy.test")
            $0.httpProxy("proxy.test")
        }
        #expect(server.url.hasPrefix("http://"))
        let authority = server.url.dropFirst("http://".count)
        let client = try securedClient(of: server)
        client.send("GET \(server.url)/a HTTP/1.1\r\nHost: \(authority)\r\nConnection: close\r\n\r\n")
        #expect(client.receiveToEnd() == .fin)
        #expect(client.hasEnded && String(decoding: client.plaintext, as: UTF8.self).hasSuffix("\r\n\r\nbehind"))
        let verdict = try await server.stop()
        #expect(verdict.isFulfilled, "\(verdict)")
    }

    /// What the host says within, and which of the layers has said that it ends.
    private func answer(
        _ build: (inout ScriptBuilder) -> Void
    ) async throws -> (text: String, isInnerEnded: Bool, isOuterEnded: Bool) {
        let server = try await ScriptedServer.start {
            $0.hosts("a.test", "proxy.test")
            $0.secure()
            $0.secure(host: "proxy.test")
            $0.httpProxy("proxy.test")
            build(&$0)
        }
        let authority = server.url.dropFirst("https://".count)
        let client = try securedClient(of: server)
        client.send("CONNECT \(authority) HTTP/1.1\r\nHost: \(authority)\r\n\r\n")
        #expect(head(client).hasPrefix("HTTP/1.1 200 "))
        let context = try TLSClientContext(
            library: .system, versions: .tls12 ... .tls13, applicationProtocols: ["http/1.1"])
        let inner = try TLSConnection(client: context, host: "a.test", resuming: nil)
        var taken = client.plaintext.count, text = "", isEnded = false
        inner.start()
        _ = client.receive {
            inner.receive(ByteBuffer(bytes: client.plaintext[taken...]))
            taken = client.plaintext.count
            while let event = inner.nextEvent() {
                switch event {
                case .trustAsked: inner.answerTrust(true, alert: .closeNotify)
                case .secured: inner.send(ByteBuffer(string: "GET /a HTTP/1.1\r\nHost: \(authority)\r\n\r\n"))
                case .received(let bytes): text += String(buffer: bytes)
                case .ended: isEnded = true
                case .identityAsked, .failed, .ticket: break
                }
            }
            if let bytes = inner.takeCiphertext() { client.send(bytes) }
            return false
        }
        let verdict = try await server.stop()
        #expect(verdict.isFulfilled, "\(verdict)")
        return (text, isEnded, client.hasEnded)
    }

    @Test func `the TLS of a host lies within that of its proxy`() async throws {
        let (text, isInnerEnded, isOuterEnded) = try await answer {
            $0.get("/a", reply: .ok("behind").header("Connection", "close"))
        }
        #expect(text.hasSuffix("\r\n\r\nbehind") && isInnerEnded && isOuterEnded)
    }

    @Test(arguments: [false, true])
    func `a fault strikes the layer that it is for`(isOfProxy: Bool) async throws {
        let (text, isInnerEnded, isOuterEnded) = try await answer {
            let reply = ServerReply.ok("behind").closeNotify(at: .body(3))
            $0.get("/a", reply: isOfProxy ? reply.inProxysTLS() : reply)
        }
        #expect(text.hasSuffix("\r\n\r\nbeh"))
        #expect(isInnerEnded != isOfProxy && isOuterEnded == isOfProxy)
    }
}
