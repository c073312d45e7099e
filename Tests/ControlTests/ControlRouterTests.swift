import Foundation
import ScriptedServer
import ServerScript
import TestSupport
import Testing

@testable import Control

/// Over real sockets: the script's clients are plain ones.
@Suite("The control interface", .endsInTime, .serialized)
struct ControlRouterTests {
    private struct Bench {
        let server: ScriptedServer
        let router: ControlRouter

        init(_ script: Script, mounts: [ScriptMount] = [], limits: ServerLimits = ServerLimits()) async throws {
            server = try await ScriptedServer.start(
                script: script, rounds: .many, hasScopes: true, mounts: mounts, limits: limits)
            router = ControlRouter(server: server)
        }

        func ask(_ method: String, _ target: String, _ body: String = "") async throws -> (Int, [String: Any]) {
            let answer = await router.answer(
                try ControlRequest(method: method, target: target, body: Array(body.utf8)))
            let object = answer.body.isEmpty ? [:] : try JSONSerialization.jsonObject(with: Data(answer.body))
            return (answer.status, object as? [String: Any] ?? [:])
        }

        func connect() throws -> RawSocket { try RawSocket(port: server.port) }

        /// The answer of a client that asks this on a connection of its own.
        func get(_ target: String, _ field: String = "A: b") throws -> String {
            let client = try connect()
            client.send("GET \(target) HTTP/1.1\r\nHost: a\r\n\(field)\r\nConnection: close\r\n\r\n")
            return String(decoding: client.receiveToEnd().bytes, as: UTF8.self)
        }
    }

    private func route(_ target: String, _ text: String, _ timeline: [SendStep] = []) -> Route {
        Route(Exchange(RequestMatch("GET", target), reply: Reply(body: .text(text), timeline: timeline)))
    }

    @Test func `it is ready, and what is not there has a problem`() async throws {
        let bench = try await Bench(Script(routes: [route("/a", "a")]))
        let (status, ready) = try await bench.ask("GET", "/ready")
        #expect(status == 200 && ready["ready"] as? Bool == true && ready["url"] as? String == bench.server.url)
        #expect(try await bench.ask("GET", "/nothing").0 == 404)
        #expect(try await bench.ask("POST", "/ready").0 == 405)
        let (bad, problem) = try await bench.ask("GET", "/journal?scop=a")
        #expect(bad == 400 && problem["status"] as? Int == 400)
        #expect((problem["detail"] as? String)?.hasPrefix("'scop' is no parameter of this; there is: after, ") == true)
        #expect(try await bench.ask("GET", "/verdict?scope=none").0 == 404)
        #expect(try await bench.ask("GET", "/verdict?scope=a%2Fb").0 == 400)
    }

    @Test func `bodies that are too much to compress are refused, and nothing has changed`() async throws {
        let bench = try await Bench(Script(routes: [route("/a", "a")]))
        let bodies = (0..<17).map { "  b\($0): {gzip-of: {size: 64MiB, pattern: fill, byte: \($0)}}\n" }.joined()
        let routes = (0..<17).map { "  - {request: GET /\($0), reply: {body: b\($0)}}\n" }.joined()
        let (status, problem) = try await bench.ask("PUT", "/script", "bodies:\n\(bodies)routes:\n\(routes)")
        #expect(status == 422 && (problem["detail"] as? String)?.contains("more than 1024 MiB before") == true)
        #expect(try bench.get("/a").hasSuffix("\r\n\r\na"))
        // One that does not get smaller, which only trying tells.
        let noise = "routes: [{request: GET /b, reply: {body: {gzip-of: {size: 64MiB, pattern: random}}}}]"
        #expect(try await bench.ask("PUT", "/script", noise).0 == 422)
        let (loaded, _) = try await bench.ask(
            "PUT", "/script", "routes: [{request: GET /b, reply: {body: {gzip-of: {size: 1MiB, pattern: fill}}}}]")
        #expect(loaded == 200)
        #expect(try bench.get("/b").hasPrefix("HTTP/1.1 200 "))
    }

    @Test func `a file that is one of several is named when it is too much to compress`() async throws {
        let body = Content.compressed(.fill(0, size: Script.compressibleLimit + 1), .gzip)
        let script = Script(routes: [Route(Exchange(RequestMatch("GET", "/a"), reply: Reply(body: body)))])
        let error = await #expect(throws: ScriptedServerError.self) {
            _ = try await Bench(Script(), mounts: [ScriptMount(.prefix("/users"), script)])
        }
        #expect(error?.description.hasPrefix("/users: ") == true)
    }

    @Test func `the journal has requests with their answers, filtered, without secrets`() async throws {
        let bench = try await Bench(Script(routes: [route("/a", "a"), route("/b?token=x", "b")]))
        _ = try bench.get("/a", "Authorization: Basic abc")
        _ = try bench.get("/b?token=x")
        _ = try bench.get("/c")
        let (_, all) = try await bench.ask("GET", "/journal")
        let entries = try #require(all["entries"] as? [[String: Any]])
        #expect(entries.map { $0["target"] as? String } == ["/a", "/b?token=***", "/c"])
        #expect(entries.map { $0["status"] as? Int } == [200, 200, 404])
        #expect("\(entries[0])".contains("Basic") && !"\(entries[0])".contains("abc"))
        #expect((entries[2]["violation"] as? String)?.contains("matches no step and no route") == true)
        let (_, some) = try await bench.ask("GET", "/journal?status=200&limit=1")
        #expect(some["count"] as? Int == 2 && (some["entries"] as? [Any])?.count == 1)
        let (_, wrong) = try await bench.ask("GET", "/journal?violations=true&path=/c")
        #expect(wrong["count"] as? Int == 1)
        let (_, verdict) = try await bench.ask("GET", "/verdict")
        #expect(verdict["fulfilled"] as? Bool == false && verdict["violationCount"] as? Int == 1)
    }

    @Test func `a script is replaced for one scope or for all, and one with mistakes is not`() async throws {
        let bench = try await Bench(Script(routes: [route("/a", "old")]))
        let text = "routes: [{request: GET /a, reply: {body: new}}]"
        #expect(try await bench.ask("PUT", "/script?scope=x", text).0 == 200)
        #expect(try bench.get("/scope:x/a").hasSuffix("new") && bench.get("/a").hasSuffix("old"))
        #expect(try await bench.ask("PUT", "/script", text).0 == 200)
        #expect(try bench.get("/a").hasSuffix("new") && bench.get("/scope:y/a").hasSuffix("new"))
        let (status, problem) = try await bench.ask("PUT", "/script", "routes: [{requst: GET /a}]")
        #expect(status == 422 && "\(problem["findings"] ?? "")".contains("script.yaml:1:11: error: unknown key"))
        let awaiting = "routes: [{request: GET /b, reply: {body: b, send: [{await: go}, rest]}}]"
        let (loaded, answer) = try await bench.ask("PUT", "/script?scope=z", awaiting)
        let diagnostics = try #require(answer["diagnostics"] as? [String])
        #expect(loaded == 200 && diagnostics.contains { $0.contains("note: the signal 'go' is awaited") })
        let file = "routes: [{request: GET /a, reply: {body: {file: secret.txt}}}]"
        #expect(try await bench.ask("PUT", "/script", file).0 == 422)
        let other = "hosts: [b.test]\nroutes: [{request: GET /a, reply: {body: new}}]"
        #expect(try await bench.ask("PUT", "/script", other).0 == 409)
        #expect(try bench.get("/a").hasSuffix("new"))
    }

    @Test func `a load that was begun earlier does not replace a later one, and says so`() async throws {
        let bench = try await Bench(Script(routes: [route("/a", "old")]))
        func load(_ text: String, _ ticket: Int?) async throws -> (Int, String) {
            let body = Array("routes: [{request: GET /a, reply: {body: \(text)}}]".utf8)
            let request = try ControlRequest(method: "PUT", target: "/script", body: body, ticket: ticket)
            let answer = await bench.router.answer(request)
            return (answer.status, String(decoding: answer.body, as: UTF8.self))
        }
        let first = bench.server.loadTicket(), second = bench.server.loadTicket()
        #expect(try await load("second", second).0 == 200)
        let (status, problem) = try await load("first", first)
        #expect(status == 409 && problem.contains("\"Overtaken\"") && problem.contains("nothing has changed"))
        #expect(try bench.get("/a").hasSuffix("second"))
        #expect(try await load("third", nil).0 == 200)
        #expect(try bench.get("/a").hasSuffix("third"))
    }

    @Test func `of a file's cases only the chosen one is read`() async throws {
        let bench = try await Bench(Script(routes: [route("/a", "old")]))
        let text = """
            vars: {unused: 1}
            cases: [{name: one, text: one}, {name: two, text: two}, {name: bad, text: {wrong: 1}}]
            routes: [{request: GET /a, reply: {body: $text}}]
            """
        #expect(try await bench.ask("PUT", "/script", text).0 == 200)
        #expect(try bench.get("/a").hasSuffix("one"))
        let (status, answer) = try await bench.ask("PUT", "/script?case=two", text)
        #expect(status == 200 && (answer["diagnostics"] as? [String])?.isEmpty == true)
        #expect(try bench.get("/a").hasSuffix("two"))
        #expect(try await bench.ask("PUT", "/script?case=bad", text).0 == 422)
        let (none, problem) = try await bench.ask("PUT", "/script?case=three", text)
        #expect(none == 422 && problem["title"] as? String == "No such case")
        #expect(problem["findings"] as? [String] == ["one", "two", "bad"])
        #expect(try bench.get("/a").hasSuffix("two"))
    }

    @Test func `what can only happen before a request is not played for a scope that requests name`() async throws {
        let bench = try await Bench(
            Script(routes: [route("/a", "old")]),
            mounts: [ScriptMount(.prefix("/p"), Script(routes: [route("/", "p")]))])
        let text = "server:\n  - {accept: yes, conn: A}\n  - {request: GET /a, conn: A, reply: {body: a}}"
        for scope in ["x", "/p", "/p:x"] {
            let (status, problem) = try await bench.ask("PUT", "/script?scope=\(scope)", text)
            #expect(status == 409 && (problem["detail"] as? String)?.hasPrefix("script.yaml:2:5: this step") == true)
        }
        #expect(try await bench.ask("PUT", "/script", text).0 == 200)
    }

    @Test func `the journal says how many requests it has forgotten`() async throws {
        var limits = ServerLimits()
        limits.journalRequests = 16
        let bench = try await Bench(Script(routes: [route("/a", "a")]), limits: limits)
        for _ in 0..<20 { _ = try bench.get("/a") }
        let (_, journal) = try await bench.ask("GET", "/journal?limit=2")
        #expect(journal["count"] as? Int == 16 && journal["forgotten"] as? Int == 4)
        #expect((journal["entries"] as? [[String: Any]])?.map { $0["number"] as? Int } == [19, 20])
    }

    @Test func `a script that is replaced again and again drops no exchange`() async throws {
        let bench = try await Bench(Script(routes: [route("/a", "0")]))
        let client = try bench.connect()
        for number in 1...100 {
            client.send("GET /a HTTP/1.1\r\nHost: a\r\n\r\n")
            let text = "routes: [{request: GET /a, reply: {body: '\(number % 10)'}}]"
            #expect(try await bench.ask("PUT", "/script", text).0 == 200)
            let head = String(decoding: client.receiveHead(), as: UTF8.self)
            #expect(head.hasPrefix("HTTP/1.1 200 ") && client.receive(1).count == 1)
        }
        #expect(try bench.get("/a").hasSuffix("0"))
    }

    @Test func `reset forgets what was asked, and restores what was used up`() async throws {
        let once = Route(Exchange(RequestMatch("GET", "/a"), reply: Reply(body: .text("first"))), times: 1)
        let bench = try await Bench(Script(routes: [once, route("/a", "later")]))
        #expect(try bench.get("/a").hasSuffix("first") && bench.get("/a").hasSuffix("later"))
        #expect(try await bench.ask("POST", "/reset").0 == 204)
        let (_, journal) = try await bench.ask("GET", "/journal")
        #expect(journal["count"] as? Int == 0)
        #expect(try bench.get("/a").hasSuffix("first"))
    }

    @Test func `a signal lets an answer go on, and wait knows when it was asked for`() async throws {
        let bench = try await Bench(Script(routes: [route("/a", "done", [.await("go"), .rest])]))
        let client = try bench.connect()
        client.send("GET /a HTTP/1.1\r\nHost: a\r\n\r\n")
        let (status, request) = try await bench.ask("POST", "/wait", #"{"path": "/a"}"#)
        #expect(status == 200 && request["target"] as? String == "/a")
        #expect(try await bench.ask("POST", "/signals/go?scope=other").0 == 204)
        #expect(String(decoding: client.receiveHead(), as: UTF8.self).hasPrefix("HTTP/1.1 200"))
        #expect(!client.hasNews(within: 0))
        #expect(try await bench.ask("POST", "/signals/go").0 == 204)
        #expect(client.receive(4) == Array("done".utf8))
        let (unknown, problem) = try await bench.ask("POST", "/signals/gone")
        #expect(unknown == 404 && problem["findings"] as? [String] == ["go"])
        #expect(problem["detail"] as? String == "no answer awaits the signal 'gone'; awaited: go")
        #expect(try await bench.ask("POST", "/signals/go?scope=/nowhere").1["title"] as? String == "No such scope")
    }

    @Test func `without a scope's name they are about all scopes, those to come too`() async throws {
        let bench = try await Bench(Script(routes: [route("/a", "a")]))
        #expect(try await bench.ask("POST", "/freeze").0 == 204)
        let client = try bench.connect()
        client.send("GET /scope:new/a HTTP/1.1\r\nHost: a\r\n\r\n")
        #expect(try await bench.ask("POST", "/wait?scope=new", #"{"path": "/a"}"#).0 == 200)
        #expect(!client.hasNews(within: 20))
        #expect(try await bench.ask("POST", "/let-go").0 == 204)
        #expect(String(decoding: client.receiveHead(), as: UTF8.self).hasPrefix("HTTP/1.1 200 "))
    }

    @Test func `a wait that is given up is no longer one of them`() async throws {
        let bench = try await Bench(Script(routes: [route("/a", "a")]))
        for _ in 0..<300 {
            let waiting = Task { try await bench.ask("POST", "/wait", #"{"path": "/a"}"#).0 }
            waiting.cancel()
            #expect(try await waiting.value == 408)
        }
    }

    @Test func `wait waits for what has not come yet, counts what has, and ends at its deadline`() async throws {
        let bench = try await Bench(Script(routes: [route("/a", "a")]))
        _ = try bench.get("/a")
        let waiting = Task { try await bench.ask("POST", "/wait", #"{"path": "/*", "count": 2}"#).0 }
        _ = try bench.get("/a")
        #expect(try await waiting.value == 200)
        let (status, problem) = try await bench.ask("POST", "/wait", #"{"path": "/a", "count": 3, "timeout": 0}"#)
        #expect(status == 408)
        #expect((problem["detail"] as? String)?.hasSuffix("request 3 of: any method /a; there were 2") == true)
    }

    @Test func `what is frozen is asked and not answered until it is let go`() async throws {
        let bench = try await Bench(Script(routes: [route("/a", "a")]))
        #expect(try await bench.ask("POST", "/freeze?scope=x").0 == 204)
        let client = try bench.connect()
        client.send("GET /scope:x/a HTTP/1.1\r\nHost: a\r\n\r\n")
        #expect(try await bench.ask("POST", "/wait?scope=x", #"{"path": "/a"}"#).0 == 200)
        #expect(try bench.get("/a").hasSuffix("a"))
        #expect(!client.hasNews(within: 0))
        #expect(try await bench.ask("POST", "/let-go?scope=x").0 == 204)
        #expect(String(decoding: client.receiveHead(), as: UTF8.self).hasPrefix("HTTP/1.1 200"))
    }

    @Test func `verify tells what is not as wanted`() async throws {
        let bench = try await Bench(Script(routes: [route("/a", "a"), route("/b", "b")]))
        for path in ["/a", "/b", "/b"] { _ = try bench.get(path) }
        let items = #"[{"path": "/a", "count": 1}, {"path": "/b", "atMost": 2}]"#
        let good = #"{"requests": \#(items), "ordered": true, "closed": true}"#
        #expect(try await bench.ask("POST", "/verify", good).0 == 200)
        let bad = #"{"requests": [{"path": "/b", "count": 1}, {"path": "/a"}], "ordered": true}"#
        let (status, problem) = try await bench.ask("POST", "/verify", bad)
        let findings = [
            "any method /b: wanted 1, got 2", "order: wanted any method /b before any method /a (1 before 3)",
        ]
        #expect(status == 409 && problem["findings"] as? [String] == findings)
    }

    @Test func `a script for one of several places is held against that place, which there must be`() async throws {
        let bench = try await Bench(Script(), mounts: [ScriptMount(.prefix("/m"), Script())])
        let text = "hosts: [b.test]\nroutes: [{request: GET /a, reply: {body: new}}]"
        #expect(try await bench.ask("PUT", "/script?scope=/m", text).0 == 200)
        #expect(try bench.get("/m/a").hasSuffix("new"))
        #expect(try await bench.ask("PUT", "/script?scope=/m:n", text).0 == 200)
        #expect(try await bench.ask("PUT", "/script?scope=/nope", text).0 == 404)
        #expect(try await bench.ask("POST", "/reset?scope=/nope:n").0 == 404)
    }

    @Test func `a scope cannot be read leniently where the server reads strictly`() async throws {
        let bench = try await Bench(Script())
        let text = "reading: lenient\nroutes: [{request: GET /a, reply: {body: new}}]"
        let (status, problem) = try await bench.ask("PUT", "/script?scope=x", text)
        #expect(status == 409 && (problem["detail"] as? String)?.contains("the server reads strictly") == true)
        #expect(try await bench.ask("PUT", "/script", text).0 == 200)
        #expect(try await bench.ask("PUT", "/script?scope=x", text).0 == 200)
    }

    @Test func `what the journal has forgotten leaves its numbers, and is told`() async throws {
        let bench = try await Bench(Script(routes: [route("/a", "a")]))
        for _ in 1...40 { _ = try bench.get("/scope:x/a", "X: " + String(repeating: "x", count: 40_000)) }
        func numbers(_ query: String) async throws -> [Int] {
            let (_, journal) = try await bench.ask("GET", "/journal?scope=x" + query)
            return (journal["entries"] as? [[String: Any]] ?? []).compactMap { $0["number"] as? Int }
        }
        #expect(try await numbers("&limit=2") == [39, 40])
        #expect(try await numbers("").count < 40)
        #expect(try await numbers("&after=35&limit=2") == [36, 37])
        let (wrong, findings) = try await bench.ask("POST", "/verify?scope=x", #"{"requests": [{"path": "/a"}]}"#)
        #expect(wrong == 409)
        #expect((findings["findings"] as? [String])?.first?.hasPrefix("forgotten, and not counted: ") == true)
        let (late, problem) = try await bench.ask("POST", "/wait?scope=x", #"{"count": 41, "timeout": 0}"#)
        #expect(late == 408 && (problem["detail"] as? String)?.contains("; forgotten, and not counted: ") == true)
    }
}
