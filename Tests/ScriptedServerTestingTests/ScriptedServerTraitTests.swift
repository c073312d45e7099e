import ScriptedServer
import TestSupport
import Testing

@testable import ScriptedServerTesting

@Suite(.endsInTime) struct ScriptedServerTraitTests {
    static func answer(of server: ScriptedServer?, to target: String) throws -> String {
        let server = try #require(server)
        let port = try #require(server.url.split(separator: ":").last.flatMap { Int($0) })
        let client = try RawSocket(port: port)
        client.send("GET \(target) HTTP/1.1\r\nHost: a.test\r\nConnection: close\r\n\r\n")
        return String(decoding: client.receiveToEnd().bytes, as: UTF8.self)
    }

    @Test(.scriptedServer { $0.get("/a", reply: "hi") })
    func `a test has its server`() throws {
        #expect(try Self.answer(of: .current, to: "/a").hasSuffix("\r\n\r\nhi"))
    }

    @Test(.scriptedServer { $0.get("/a", reply: "hi") }, arguments: 0..<3)
    func `each case of a test has one of its own`(_: Int) throws {
        #expect(try Self.answer(of: .current, to: "/a").hasSuffix("\r\n\r\nhi"))
    }

    @Test(.scriptedServer(file: "scenarios/first/hello.yaml"))
    func `a file is played`() throws {
        #expect(try Self.answer(of: .current, to: "/hello").hasSuffix("\r\n\r\nhello"))
    }

    @Test(.inProcessServer { $0.route("GET", "/a", reply: "hi") })
    func `a test may have one without a port`() throws {
        #expect(try #require(ScriptedServer.current).url == "http://a.test")
    }

    @Test func `and one that plays a file`() async throws {
        let trait: ScriptedServerTrait = .inProcessServer(file: "scenarios/first/hello.yaml")
        let server = try await trait.start()
        #expect(server.url == "http://a.test")
        #expect(try await server.stop().unconsumed == ["GET /hello (first/hello.yaml:3:5)"])
    }

    @Suite(.scriptedServer { $0.route("GET", "/a", reply: "hi") }) struct OfASuite {
        @Test func `a test of a suite has one`() throws {
            #expect(try ScriptedServerTraitTests.answer(of: .current, to: "/a").hasSuffix("\r\n\r\nhi"))
        }
    }

    @Test func `nobody has one elsewhere`() { #expect(ScriptedServer.current == nil) }

    @Test func `what was not played fails the test at its line, with what came closest`() async throws {
        let trait = ScriptedServerTrait { try await ScriptedServer.start { $0.get("/a", reply: "hi") } }
        let test = try #require(Test.current)
        try await withKnownIssue {
            try await trait.provideScope(for: test, testCase: .current) {
                let answer = try Self.answer(of: .current, to: "/b")
                #expect(answer.hasPrefix("HTTP/1.1 404 "))
            }
        } matching: { issue in
            issue.sourceLocation == test.sourceLocation
                && issue.comments.contains { $0.rawValue.contains("closest is the step GET /a") }
        }
    }

    @Test func `a body that throws is judged as well, and throws`() async throws {
        struct Stop: Error {}
        let trait = ScriptedServerTrait { try await ScriptedServer.start { $0.get("/a", reply: "hi") } }
        let test = try #require(Test.current)
        await withKnownIssue {
            await #expect(throws: Stop.self) {
                try await trait.provideScope(for: test, testCase: .current) { throw Stop() }
            }
        } matching: {
            $0.comments.contains { $0.rawValue.contains("did not happen: GET /a") }
        }
    }
}
