import Foundation
// snippet
import ScriptedServer
import SessionNetworking
import Testing

// end
import InProcessServer
import TestSupport

@Suite(.endsInTime) struct MisbehavingSnippets {
    // snippet
    @Test func `a lost connection is told as such`() async throws {
        let server = try await ScriptedServer.start {
            $0.get("/file", reply: .ok(.counter(1_000_000)).reset(at: .body(400_000)))
        }
        let url = try #require(URL(string: server.url + "/file"))
        let error = await #expect(throws: URLError.self) {
            try await URLSession.shared.data(from: url)
        }
        #expect(error?.code == .networkConnectionLost)
        let verdict = try await server.stop()
        #expect(verdict.isFulfilled, "\(verdict)")
    }
    // end

    @Test func `steps and routes`() async throws {
        // snippet
        let server = try await ScriptedServer.start {
            $0.get("/a", reply: .redirect(to: "/b"))
            $0.get("/b", where: [.absent("Authorization")], reply: .basicChallenge(realm: "r"))
            $0.route("GET", "/logo", reply: .ok(.random(5_000)))
        }
        // end
        let url = try #require(URL(string: server.url + "/a"))
        let (_, response) = try await URLSession.shared.data(from: url)
        #expect((response as? HTTPURLResponse)?.statusCode == 401)
        #expect(try await server.stop().isFulfilled)
    }

    @Test func `kinds of trouble`() throws {
        // snippet
        let replies: [ServerReply] = [
            .reset(),
            .stall(at: .requestHead),
            .garbage(),
            .ok("late").delayed(by: .milliseconds(300)),
            .ok(.counter(1_000_000)).fin(at: .body(400_000)),
            .ok(.counter(100_000)).chunked(4_096).stall(at: .lastChunk),
            .ok(.counter(1_000_000)).sending(bytesPerSecond: 50_000),
            .ok("abcdef").paced(.bytes(2), .wait(.milliseconds(50)), .rest),
            .ok(ServerBody.text("hello").gzipped),
        ]
        // end
        #expect(replies.count == 9)
    }

    @Test func `connections`() async throws {
        // snippet
        let server = try await ScriptedServer.start {
            $0.hosts("a", "b")
            $0.refuseConnections(to: "b")
            $0.get("/1", on: "first", reply: "one")
            $0.get("/2", on: "first", reply: "two")
            $0.accept(then: .reset, on: "second")
        }
        // end
        #expect(server.url(of: "b") != nil)
        #expect(try await !server.stop().isFulfilled)
    }

    @Test func `chances have a seed`() async throws {
        // snippet
        let server = try await ScriptedServer.start(seed: 7) {
            $0.route("GET", "/flaky", reply: ServerReply.ok("hi").reset(at: .headEnd).sometimes(percent: 30))
        }
        // end
        #expect(try await server.stop().isFulfilled)
    }

    @Test func `a signal lets an answer go on`() async throws {
        let server = try await ScriptedServer.start {
            $0.get("/slow", reply: .ok("abcdef").paced(.bytes(2), .await("go"), .rest))
        }
        let url = try #require(URL(string: server.url + "/slow"))
        // snippet
        let (bytes, _) = try await URLSession.shared.bytes(from: url)
        var iterator = bytes.makeAsyncIterator()
        let first = try await iterator.next()
        server.signal("go")
        // end
        #expect(first == UInt8(ascii: "a"))
        while try await iterator.next() != nil {}
        #expect(try await server.stop().isFulfilled)
    }

    @Test func `without a port`() async throws {
        // snippet
        let server = try await ScriptedServer.startInProcess {
            $0.get("/users", reply: .ok(.counter(1_000_000)).reset(at: .body(400_000)))
        }
        let configuration = URLSessionConfiguration.reaching(server)
        configuration.reach(server, as: "api.example.com")
        let session = URLSession(configuration: configuration)
        // end
        let url = try #require(URL(string: "http://api.example.com/users"))
        let error = await #expect(throws: URLError.self) { try await session.data(from: url) }
        #expect(error?.code == .networkConnectionLost)
        #expect(try await server.stop().isFulfilled)
    }

    @Test func `state, and words of the request`() async throws {
        // snippet
        let server = try await ScriptedServer.start {
            $0.route(
                "POST", "/orders/{id}", where: [.state("order-$path.id", .none)],
                reply: ServerReply.status(201, #"{"order": "$path.id", "made": $count.orders}"#)
                    .set("order-$path.id", "made").count("orders"))
            $0.route("POST", "/orders/{id}", reply: .status(409))
            $0.route(
                "GET", "/limited", where: [.count("calls", atMost: 1)],
                reply: ServerReply.ok("call $count.calls").count("calls"))
            $0.route("GET", "/limited", reply: ServerReply.status(429).header("Retry-After", "60"))
        }
        // end
        var statuses: [Int?] = [], bodies: [String] = []
        for target in ["POST /orders/7", "POST /orders/7", "GET /limited", "GET /limited", "GET /limited"] {
            let words = target.split(separator: " ")
            var request = URLRequest(url: try #require(URL(string: server.url + words[1])))
            request.httpMethod = String(words[0])
            let (data, response) = try await URLSession.shared.data(for: request)
            statuses.append((response as? HTTPURLResponse)?.statusCode)
            bodies.append(String(decoding: data, as: UTF8.self))
        }
        #expect(statuses == [201, 409, 200, 200, 429])
        #expect(bodies == [#"{"order": "7", "made": 1}"#, "", "call 1", "call 2", ""])
    }
}
