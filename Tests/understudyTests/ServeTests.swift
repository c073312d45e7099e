import Foundation
import SessionNetworking
import Testing

/// `understudy serve` as a process, asked by our own session.
@Suite struct ServeTests {
    private func serve(_ arguments: String...) throws -> (command: Command, url: String) {
        let command = try Command(
            ["serve", "scenarios/first/hello.yaml"] + arguments, in: try Folder(["first/hello": Sample.hello]))
        let line = try #require(command.line())
        let words = line.split(separator: " ")
        #expect(words.dropLast() == ["listening", "on"])
        return (command, String(try #require(words.last)))
    }

    private func get(_ url: String) async throws -> (body: String, status: Int?) {
        let (data, response) = try await URLSession(configuration: .ephemeral).data(
            from: try #require(URL(string: url)))
        return (String(decoding: data, as: UTF8.self), (response as? HTTPURLResponse)?.statusCode)
    }

    @Test func `once: the script is played and the verdict is the status`() async throws {
        let (command, url) = try serve("--once")
        let answer = try await get(url + "/hello")
        #expect(answer.body == "hello")
        let result = command.end()
        #expect(result.status == 0)
        #expect(result.output.contains("fulfilled"))
    }

    @Test func `a script that waits for its own client is refused with its line, not served`() throws {
        let waiting = """
            server:
              - {request: GET /a, reply: {body: abc, send: [{bytes: 1}, {signal: one}, {await: two}, rest]}}
              - {request: GET /b, reply: {body: abc, send: [{bytes: 1}, {await: one}, rest]}}
            client:
              - {task: a, request: GET /a}
              - {task: b, request: GET /b}
              - {signal: two}
              - {await: a}
              - {await: b}
            expect: {a: ok, b: ok}
            """
        let result = try Command.run("serve", "first/waiting", "--once", in: try Folder(["first/waiting": waiting]))
        #expect(result.status == 2 && result.output.isEmpty)
        let complaint = "first/waiting.yaml:2:5: this answer awaits the signal 'two', which comes from the scenario's"
        #expect(result.errors.contains(complaint))
    }

    @Test func `of a file with several cases the start says which is served`() throws {
        let cases = """
            cases: [{name: one, text: a}, {name: two, text: b}]
            routes: [{request: GET /a, reply: {body: $text}}]
            """
        func lines(_ arguments: String...) throws -> String {
            let folder = try Folder(["first/cases": cases, "first/hello": Sample.hello])
            let command = try Command(["serve"] + arguments + ["--", "true"], in: folder)
            return command.end().errors
        }
        let first = "  case 'one', one of 2 in scenarios/first/cases.yaml: --case NAME serves another\n"
        #expect(try lines("first/cases").contains(first))
        let second = "  case 'two', one of 2 in scenarios/first/cases.yaml\n"
        #expect(try lines("first/cases", "--case", "two").contains(second))
        #expect(try !lines("first/hello").contains("case"))
        let several = try lines("first/cases", "first/hello")
        #expect(several.contains("  case 'one', one of 2 in scenarios/first/cases.yaml\n"))
        // A folder is several, and takes no --case.
        #expect(try lines("scenarios").contains("  case 'one', one of 2 in scenarios/first/cases.yaml\n"))
    }

    @Test func `a certificate that the file's staple cannot be about is wrong use`() throws {
        let stapled = """
            hosts: [{name: a.test, tls: {staple: good}}]
            routes: [{request: GET /a, reply: {body: hello}}]
            """
        let folder = try Folder(["first/stapled": stapled])
        let result = try Command.run("serve", "first/stapled", "--tls", "self-signed", in: folder)
        #expect(result.status == 2 && result.output.isEmpty)
        #expect(result.errors.contains("the TLS of a.test in the file: nobody can sign a response about 'self-signed'"))
    }

    @Test(arguments: [("localhost", ["127.0.0.1", "[::1]"]), ("0.0.0.0", ["0.0.0.0"]), ("127.0.0.9", ["127.0.0.9"])])
    func `it prints the address that it is bound to, also that of a name`(bind: String, places: [String]) async throws {
        let (command, url) = try serve("--once", "--bind", bind)
        #expect(places.contains { url.hasPrefix("http://\($0):") }, "\(url)")
        #expect(try await get(url + "/hello").body == "hello")
        #expect(command.end().status == 0)
    }

    @Test func `the cookbook alone has nothing that --once could wait for`() throws {
        let result = try Command.run("serve", "--builtin", "--once", in: try Folder([:]))
        #expect(result.status == 2 && result.output.isEmpty)
        #expect(result.errors.contains("--once is for a file: the cookbook has no steps that end"))
    }

    @Test func `what is neither an address nor a name says so`() throws {
        let folder = try Folder(["first/hello": Sample.hello])
        let result = try Command.run("serve", "first/hello", "--bind", "no such.invalid", in: folder)
        #expect(result.status == 3)
        #expect(result.errors.contains("it is no IP address, and no name that has one"))
    }

    @Test func `what nobody expects gets 404 with what came closest`() async throws {
        let (command, url) = try serve("--once", "--quiet")
        let answer = try await get(url + "/helo")
        #expect(answer.status == 404)
        #expect(answer.body.contains("closest"))
        #expect(try await get(url + "/hello").body == "hello")
        #expect(command.end().status == 1)
    }

    @Test func `SIGHUP gives the round up, SIGTERM ends the server, and the worst round is the status`() async throws {
        let twice = Sample.hello.replacingOccurrences(of: "{request:", with: "{times: 2, request:")
        let command = try Command(
            ["serve", "scenarios/first/hello.yaml", "--quiet"], in: try Folder(["first/hello": twice]))
        let url = String(try #require(command.line()?.split(separator: " ").last))
        #expect(try await get(url + "/hello").body == "hello")
        kill(command.process.processIdentifier, SIGHUP)
        #expect(command.line() == "ABANDONED after 1 request, SIGHUP:")
        #expect(command.line()?.hasPrefix("  did not happen: GET /hello") == true)
        for _ in 0..<2 { #expect(try await get(url + "/hello").body == "hello") }
        kill(command.process.processIdentifier, SIGTERM)
        let result = command.end()
        #expect(result.status == 4)
        #expect(result.output.contains("2 rounds: 1 fulfilled, 1 ABANDONED"))
    }

    @Test func `the cookbook is served without a file, and behind one`() async throws {
        let alone = try Command(["serve", "--builtin"], in: try Folder([:]))
        let words = try #require(alone.line()).split(separator: " ")
        let url = String(try #require(words.last))
        #expect(try await get(url + "/base64/aGVsbG8=").body == "hello")
        kill(alone.process.processIdentifier, SIGTERM)
        #expect(alone.end().status == 0)
        let (behind, other) = try serve("--builtin", "--once")
        #expect(try await get(other + "/status/299").status == 299)
        #expect(try await get(other + "/hello").body == "hello")
        #expect(behind.end().status == 0)
    }

    @Test func `the cases of a folder are played for any client, each in a scope of its own`() async throws {
        let command = try Command(
            ["serve", "--builtin", "--cases", "scenarios"], in: try Folder(["first/hello": Sample.hello]))
        let url = String(try #require(command.line()?.split(separator: " ").last))
        #expect(try await get(url + "/case").body.contains("\(url)/case/first/hello\n"))
        #expect(try await get(url + "/case/first/hello").body.contains("GET \(url)/scope:case.first.hello/hello\n"))
        #expect(try await get(url + "/scope:case.first.hello/hello").body == "hello")
        #expect(try await get(url + "/case/first/hello/verdict").body == "fulfilled\n")
        // A client that sends again what it has an answer to does not pass.
        #expect(try await get(url + "/scope:case.first.hello/hello").status == 404)
        #expect(try await get(url + "/case/first/hello/verdict").body.hasPrefix("failed\n  GET /hello on "))
        kill(command.process.processIdentifier, SIGTERM)
        #expect(command.end().status == 1)
    }
}
