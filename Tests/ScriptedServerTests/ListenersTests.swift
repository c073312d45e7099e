import NIOPosix
import ServerScript
import TestSupport
import Testing

@testable import ScriptedServer

@Suite(.endsInTime) struct ListenersTests {
    private let loop = MultiThreadedEventLoopGroup.singleton.next()

    @Test(arguments: [
        ("127.0.0.1", 0, "127.0.0.1"), ("127.0.0.1", 2, "127.0.0.3"), ("127.9.0.7", 1, "127.9.0.8"),
        ("0.0.0.0", 3, "0.0.0.0"), ("::1", 1, "::1"), ("10.0.0.1", 1, "10.0.0.1"),
    ])
    func `hosts get loopback addresses of their own, other addresses are shared`(
        ip: String, index: Int, expected: String
    ) throws {
        #expect(try Listeners.address(ip, plus: index) == expected)
    }

    @Test(
        arguments: [
            (["::1", "127.0.0.1"], "127.0.0.1"), (["127.0.0.1", "::1"], "127.0.0.1"), (["::1"], "::1"), ([], nil),
        ] as [([String], String?)])
    func `of a name's addresses one of IPv4 is taken where there is one`(addresses: [String], taken: String?) {
        #expect(Listeners.preferred(addresses) == taken)
    }

    @Test func `a name is bound by one of its addresses`() async throws {
        let bound = try await Listeners.bind(hosts: ["a.test"], ip: "localhost", port: 0, eventLoop: loop) { _, _ in }
        #expect(bound.addresses["a.test"]?.ip == "127.0.0.1")
        bound.close()
        let noName = String(repeating: "a", count: 300)
        let error = await #expect(throws: ScriptedServerError.self) {
            _ = try await Listeners.bind(hosts: ["a.test"], ip: noName, port: 0, eventLoop: loop) { _, _ in }
        }
        #expect(error?.description.contains("no name that has one") == true)
    }

    @Test func `there are only so many loopback addresses`() throws {
        #expect(try Listeners.address("127.0.0.1", plus: 253) == "127.0.0.254")
        #expect(throws: ScriptedServerError.self) { try Listeners.address("127.0.0.1", plus: 254) }
    }

    @Test func `a port that is taken is an error with its name`() async throws {
        let first = try await Listeners.bind(hosts: ["a.test"], ip: "127.0.0.1", port: 0, eventLoop: loop) { _, _ in }
        let port = try #require(first.addresses["a.test"]?.port)
        let error = await #expect(throws: ScriptedServerError.self) {
            _ = try await Listeners.bind(hosts: ["a.test"], ip: "127.0.0.1", port: port, eventLoop: loop) { _, _ in }
        }
        #expect(error?.description.contains("\(port)") == true)
        first.close()
    }

    @Test func `origins name addresses or hosts`() async throws {
        let listeners = try await Listeners.bind(hosts: ["a.test"], ip: "0.0.0.0", port: 0, eventLoop: loop) { _, _ in }
        let port = try #require(listeners.addresses["a.test"]?.port)
        #expect(listeners.origins(of: Script(), byName: false) == ["a.test": "http://127.0.0.1:\(port)"])
        var secure = Script()
        secure.tls["a.test"] = HostTLS()
        #expect(listeners.origins(of: secure, byName: true) == ["a.test": "https://a.test:\(port)"])
        listeners.close()
    }
}
