import ServerScript
import TestSupport
import Testing

@testable import ScriptedServer

@Suite(.endsInTime) struct ServerReplyStateTests {
    /// Asks over one connection, and gives status and body of each answer.
    private func answers(_ server: ScriptedServer, _ requests: [String]) throws -> [String] {
        let port = try #require(server.url.split(separator: ":").last.flatMap { Int($0) })
        return try requests.map { request in
            let client = try RawSocket(port: port)
            let lines = request.split(separator: "\n"), text = lines.dropFirst().joined()
            let fields = "Host: a.test\r\nConnection: close\r\nContent-Length: \(text.utf8.count)\r\n"
            client.send("\(lines.first ?? "") HTTP/1.1\r\n\(fields)\r\n\(text)")
            let answer = String(decoding: client.receiveToEnd().bytes, as: UTF8.self)
            let status = answer.split(separator: " ").dropFirst().first ?? ""
            return "\(status) \(answer.split(separator: "\r\n\r\n", maxSplits: 1).dropFirst().joined())"
        }
    }

    @Test func `what one request leaves another one finds`() async throws {
        let server = try await ScriptedServer.start {
            $0.route(
                "POST", "/orders/{id}", where: [.state("order-$path.id", .none)],
                reply: ServerReply.status(201, #"{"order": "$path.id", "made": $count.orders}"#)
                    .set("order-$path.id", "made").count("orders"))
            $0.route("POST", "/orders/{id}", where: [.state("order-$path.id", .present)], reply: .status(409, "there"))
            $0.route("GET", "/orders/{id}", where: [.state("order-$path.id", "made")], reply: "$state.order-a")
            $0.route("DELETE", "/orders/{id}", reply: ServerReply.status(200, "gone").set("order-$path.id", ""))
        }
        let got = try answers(
            server,
            [
                "POST /orders/a", "POST /orders/a", "GET /orders/a", "POST /orders/b", "DELETE /orders/a",
                "POST /orders/a",
            ])
        #expect(
            got == [
                #"201 {"order": "a", "made": 1}"#, "409 there", "200 made", #"201 {"order": "b", "made": 2}"#,
                "200 gone",
                #"201 {"order": "a", "made": 3}"#,
            ])
        #expect(try await server.stop().isFulfilled)
    }

    @Test func `what was counted decides`() async throws {
        let server = try await ScriptedServer.start {
            $0.route("GET", "/a", where: [.count("n", atMost: 1)], reply: ServerReply.ok("few").count("n"))
            $0.route("GET", "/a", where: [.count("n", 2)], reply: ServerReply.ok("two").count("n", "m"))
            $0.route("GET", "/a", where: [.count("n", atLeast: 3)], reply: .ok("$count.n and $count.m"))
        }
        let got = try answers(server, Array(repeating: "GET /a", count: 5))
        #expect(got == ["200 few", "200 few", "200 two", "200 3 and 1", "200 3 and 1"])
    }

    @Test func `an answer is made of its request`() async throws {
        let server = try await ScriptedServer.start {
            $0.route(
                "POST", "/{name}", where: [.anyQuery],
                reply: ServerReply.status("$request.query.status", #"{"a": "$request.json.a", "$$path": "$path.name"}"#)
                    .header("X-Method", "$request.method"))
            $0.route(
                "GET", "/{name}", reply: ServerReply.ok("").untilClose().paced(.raw("<$path.name>"), .wait(.zero)))
            $0.otherwise(.status(404, "$request.method $request.target"))
        }
        let got = try answers(
            server, ["POST /x?status=202\n{\"a\": \"q\"}", "POST /x?status=7", "GET /y", "PUT /z?a"])
        #expect(
            got == [
                #"202 {"a": "q", "$$path": "x"}"#, #"500 {"a": "", "$$path": "x"}"#, "200 <y>", "404 PUT /z?a",
            ])
    }

    @Test func `an answer lets another one go on`() async throws {
        let server = try await ScriptedServer.start {
            $0.route("GET", "/poll", reply: .ok("news").paced(.await("published"), .rest))
            $0.route("POST", "/publish", reply: ServerReply.status(202).paced(.signal("published")))
        }
        let port = try #require(server.url.split(separator: ":").last.flatMap { Int($0) })
        let client = try RawSocket(port: port)
        client.send("GET /poll HTTP/1.1\r\nHost: a.test\r\nConnection: close\r\n\r\n")
        while server.requestCount == 0 { await Task.yield() }
        #expect(try answers(server, ["POST /publish"]) == ["202 "])
        #expect(String(decoding: client.receiveToEnd().bytes, as: UTF8.self).hasSuffix("news"))
    }

    @Test func `replies say what the script says`() {
        let exchange = ServerReply.ok().set("a", "$count.c").count("c", "d").cors()
            .exchange(for: RequestMatch("GET", "/"))
        let changes = [
            StateChange("c", .count), StateChange("d", .count), StateChange("a", .set(StateName("$count.c"))),
        ]
        #expect(exchange.changes == changes && exchange.isShared == true)
        #expect(ServerReply.ok().cors().cors(false).exchange(for: RequestMatch()).isShared == false)
        #expect(ServerReply.ok().exchange(for: RequestMatch()).isShared == nil)
        let spread = ServerReply.ok().delayed(by: .seconds(1) ... .seconds(3)).exchange(for: RequestMatch()).reply
        #expect(spread?.delay == .seconds(1) && spread?.delaySpread == .uniform(.seconds(2)))
        let normal = ServerReply.ok().delayed(by: .seconds(9)).delayed(median: .seconds(1), sigma: 0.5)
            .exchange(for: RequestMatch()).reply
        #expect(normal?.delay == .zero && normal?.delaySpread == .logNormal(median: .seconds(1), sigma: 500))
        let plain = ServerReply.ok().delayed(median: .seconds(1), sigma: 0.5).delayed(by: .seconds(9))
            .exchange(for: RequestMatch()).reply
        #expect(plain?.delay == .seconds(9) && plain?.delaySpread == nil)
    }
}
