import Foundation
import SessionNetworking
import Testing

/// `understudy serve FILE -- COMMAND`, and what else makes the server one of other programs.
@Suite struct ServeCommandTests {
    private func run(_ arguments: [String], _ script: String? = nil) throws -> Command.Result {
        let folder = try Folder(["first/hello": Sample.hello])
        let command = script.map { ["--", "bash", "-c", $0] } ?? []
        return try Command(["serve", "first/hello"] + arguments + command, in: folder).end()
    }

    private func get(_ url: String) async throws -> String {
        let (data, _) = try await URLSession(configuration: .ephemeral).data(from: try #require(URL(string: url)))
        return String(decoding: data, as: UTF8.self)
    }

    /// A client in the shell's own words.
    private static let client = #"""
        place=${UNDERSTUDY_URL#http://}
        exec 3<>/dev/tcp/${place%:*}/${place#*:}
        printf 'GET /hello HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n' >&3
        cat <&3
        """#

    @Test func `the command finds the server, has standard output for itself, and the verdict counts`() throws {
        let good = try run([], Self.client)
        #expect(good.status == 0 && good.output.hasPrefix("HTTP/1.1 200 OK\r\n") && good.output.hasSuffix("hello"))
        #expect(good.errors.contains("fulfilled: 1 request, all as scripted"))
        let idle = try run([], "exit 0")
        #expect(idle.status == 1 && idle.output.isEmpty && idle.errors.contains("did not happen: GET /hello"))
        let named = try run([], "test \"$UNDERSTUDY_URL\" = \"$UNDERSTUDY_URL_A_TEST\" || exit 5")
        #expect(named.status == 1)
    }

    @Test func `the command's own status comes first, and one that cannot be started is wrong use`() throws {
        #expect(try run([], "exit 7").status == 7)
        #expect(try run([], Self.client + "\nexit 7").status == 7)
        let folder = try Folder(["first/hello": Sample.hello])
        let none = try Command.run("serve", "first/hello", "--", "no-such-command", in: folder)
        #expect(none.status == 2 && none.errors.contains("cannot start no-such-command: No such file or directory"))
    }

    @Test func `a command without what stands in front of it is told from a file`() throws {
        let folder = try Folder(["first/hello": Sample.hello])
        let result = try Command.run("serve", "first/hello", "pytest", in: folder)
        #expect(result.status == 2 && result.errors.contains("pytest: there is no such file; in front of a command"))
    }

    @Test func `a signal is the command's`() throws {
        let script = "trap 'kill $!; exit 9' TERM; tail -f /dev/null & echo up; wait"
        let folder = try Folder(["first/hello": Sample.hello])
        let command = try Command(["serve", "first/hello", "--", "bash", "-c", script], in: folder)
        #expect(command.line() == "up")
        kill(command.process.processIdentifier, SIGTERM)
        #expect(command.end().status == 9)
    }

    @Test func `a proxy is for a script that has one`() throws {
        let refused = try run(["--proxy-env"], "exit 0")
        #expect(refused.status == 2 && refused.errors.contains("no host of the script is an HTTP proxy"))
        let proxy = "hosts: [{name: p.test, role: http-proxy}, a.test]\nroutes: [{request: GET /a, reply: {body: a}}]"
        let script = "test \"$http_proxy\" = \"$UNDERSTUDY_URL_P_TEST\" && test -z \"$no_proxy\""
        let folder = try Folder(["first/proxy": proxy])
        let arguments = ["serve", "first/proxy", "--proxy-env", "--", "bash", "-c", script]
        #expect(try Command(arguments, in: folder).end().status == 0)
    }

    @Test func `the port is in the file while the server is there`() async throws {
        let folder = try Folder(["first/hello": Sample.hello])
        let command = try Command(["serve", "first/hello", "--port-file", "port", "--admin", "0"], in: folder)
        let url = String(try #require(command.line()?.split(separator: " ").last))
        let control = try #require(command.line())
        #expect(control.hasPrefix("control on http://127.0.0.1:"))
        let admin = String(control.dropFirst("control on ".count))
        #expect(try await get(admin + "/ready") == "{\"ready\":true,\"url\":\"\(url)\"}\n")
        #expect(try folder.text("port") == url.split(separator: ":").last.map { $0 + "\n" })
        kill(command.process.processIdentifier, SIGTERM)
        #expect(command.end().status == 1)
        #expect(throws: (any Error).self) { try folder.text("port") }
    }

    @Test func `lines of JSON have an object for each exchange and each verdict`() throws {
        let result = try run(["--log", "json"], Self.client)
        let objects = result.errors.split(separator: "\n").compactMap {
            try? JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any]
        }
        #expect(objects.map { $0["type"] as? String } == ["listening", "exchange", "verdict"])
        #expect(objects[1]["target"] as? String == "/hello" && objects[1]["status"] as? Int == 200)
        #expect(objects[2]["fulfilled"] as? Bool == true && objects[2]["requests"] as? Int == 1)
    }

    @Test func `a file that changes is played anew, and one with mistakes is told and not played`() async throws {
        let route = "routes: [{request: GET /hello, reply: {body: old}}]\n"
        let folder = try Folder(["first/hello": route])
        let file = folder.url.appendingPathComponent("scenarios/first/hello.yaml")
        let command = try Command(
            ["serve", "scenarios/first/hello.yaml", "--watch", "--quiet", "--once"], in: folder)
        let url = String(try #require(command.line()?.split(separator: " ").last))
        #expect(command.line() == "  routes only: until it is stopped")
        #expect(try await get(url + "/hello") == "old")
        try Data(route.replacingOccurrences(of: "old", with: "new").utf8).write(to: file)
        #expect(command.line() == "reloaded")
        #expect(try await get(url + "/hello") == "new")
        try Data(route.replacingOccurrences(of: "reply", with: "replay").utf8).write(to: file)
        #expect(command.line()?.hasPrefix("first/hello.yaml:1:32: error: unknown key") == true)
        while let line = command.line(), !line.hasPrefix("NOT reloaded, the old one is kept: ") {}
        #expect(try await get(url + "/hello") == "new")
        kill(command.process.processIdentifier, SIGTERM)
        #expect(command.end().status == 0)
    }

    @Test func `several files are each at their place, and have a verdict each`() async throws {
        let route = "routes: [{request: GET /, reply: {body: NAME}}]\n"
        let step = "server: [{request: GET /x, reply: {body: x}}]\n"
        let names = ["users": route, "orders": route, "pay": step]
        let folder = try Folder(names.mapValues { $0.replacingOccurrences(of: "NAME", with: "it") })
        let words = ["users", "/v2=scenarios/orders.yaml", "pay.test=scenarios/pay.yaml", "--quiet"]
        let command = try Command(["serve"] + words, in: folder)
        let url = String(try #require(command.line()?.split(separator: " ").last))
        #expect(
            [command.line(), command.line(), command.line()] == [
                "  \(url)/users", "  \(url)/v2", "  for Host: pay.test",
            ])
        #expect(try await get(url + "/users") == "it")
        #expect(try await get(url + "/v2/") == "it")
        kill(command.process.processIdentifier, SIGTERM)
        let result = command.end()
        #expect(result.status == 1 && result.output.contains("//pay.test: NOT fulfilled, 0 requests:"))
        #expect(result.output.contains("/users: fulfilled: 1 request, all as scripted"))
        let secure = "hosts: [{name: a.test, tls: valid}]\n" + route
        let refused = try Command.run("serve", "a", "b", in: try Folder(["a": secure, "b": route]))
        #expect(refused.status == 2 && refused.errors.contains("of its own: its host speaks TLS"))
    }

    @Test func `with --once each of several files that has steps is waited for`() async throws {
        let step = "server: [{request: GET /x, reply: {body: x}}]\n"
        let route = "routes: [{request: GET /, reply: {body: it}}]\n"
        let folder = try Folder(["users": step, "orders": step, "free": route])
        let command = try Command(["serve", "users", "orders", "free", "--quiet", "--once"], in: folder)
        let url = String(try #require(command.line()?.split(separator: " ").last))
        for _ in 0..<3 { _ = command.line() }
        #expect(try await get(url + "/free/") == "it")
        #expect(try await get(url + "/orders/x") == "x")
        #expect(command.line() == "/orders: fulfilled: 1 request, all as scripted")
        // A scope that a request names there is one of the file's.
        #expect(try await get(url + "/scope:n/users/x") == "x")
        let result = command.end()
        #expect(result.status == 0 && result.output.contains("/users:n: fulfilled: 1 request, all as scripted"))
        #expect(result.output.contains("3 rounds: 3 fulfilled"))
    }

    @Test func `a step that needs a connection of its own has its line, at a path or a name`() throws {
        let accepts = "server:\n  - {accept: yes, conn: A}\n  - {request: GET /, conn: A, reply: {body: a}}\n"
        let folder = try Folder(["a": accepts, "b": Sample.hello])
        for place in ["/x", "x.test"] {
            let refused = try Command.run("serve", "\(place)=scenarios/a.yaml", "b", in: folder)
            #expect(refused.status == 2 && refused.errors.contains("a.yaml:2:5: this step is about a connection"))
        }
    }

    @Test func `other machines are let in with a warning only`() throws {
        #expect(try run(["--bind", "0.0.0.0"], "exit 3").errors.contains("warning: with --bind 0.0.0.0 everyone"))
        #expect(!(try run(["--bind", "127.0.0.2"], "exit 3").errors.contains("warning")))
    }

    @Test func `a request behind the end of a script that is played once is judged as well`() throws {
        let late = Self.client + "\nexec 3<&-\nsleep 1\n" + Self.client.replacing("/hello", with: "/late")
        let result = try run(["--once"], late)
        #expect(result.status == 1 && result.errors.contains("fulfilled: 1 request, all as scripted"))
        #expect(result.errors.contains("NOT fulfilled, 2 requests:\n  GET /late on connection #1"))
        #expect(try run(["--once"], Self.client).status == 0)
    }

    @Test func `nothing is said to listen before all of it does`() throws {
        let taken = try Command(["serve", "--builtin", "--quiet"], in: try Folder([:]))
        let url = try #require(taken.line()?.split(separator: " ").last)
        let port = try #require(url.split(separator: ":").last)
        let result = try run(["--admin", String(port), "--port-file", "port"])
        #expect(result.status == 3 && result.output.isEmpty && result.errors.contains("the control interface cannot"))
        kill(taken.process.processIdentifier, SIGTERM)
        #expect(taken.end().status == 0)
    }
}
