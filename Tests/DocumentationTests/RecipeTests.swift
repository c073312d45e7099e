import Foundation
import HTTPBasics
import MachineContract
import NIOCore
import ScenarioFormat
import ServerScript
import Testing

/// The recipes of Documentation/SERVING.md, each played as it stands there, over raw bytes.
@Suite struct RecipeTests {
    /// One client after another: each request goes over a connection of its own.
    private final class Service {
        private let machine: ScriptMachine
        private var now = Instant.zero
        private var peers = 0
        private var written: [Int: [UInt8]] = [:]

        init(_ script: Script) {
            machine = ScriptMachine(script: script, origins: ["a.test": "http://a.test"])
        }

        /// What comes at once.
        func ask(_ line: String, _ fields: String..., body: String = "") -> String {
            let peer = send(line, fields, body)
            return take(peer)
        }

        func send(_ line: String, _ fields: [String] = [], _ body: String = "") -> Int {
            let peer = peers
            peers += 1
            feed(.accepted(PeerID(peer), host: "a.test"))
            let length = body.isEmpty ? [] : ["Content-Length: \(body.utf8.count)"]
            let head = (["\(line) HTTP/1.1", "Host: a.test"] + length + fields).joined(separator: "\r\n")
            feed(.received(PeerID(peer), ByteBuffer(string: head + "\r\n\r\n" + body)))
            return peer
        }

        func take(_ peer: Int) -> String { String(decoding: written.removeValue(forKey: peer) ?? [], as: UTF8.self) }

        func advance(_ span: Duration) {
            now = now + span
            feed(.timePassed)
        }

        private func feed(_ input: ScriptInput) {
            var outputs: [ScriptOutput] = []
            machine.handle(
                input, at: Moment(instant: now, date: UnixTime(seconds: 1_767_225_600), entropy: 0), into: &outputs)
            for output in outputs {
                switch output {
                case .write(let peer, let bytes), .writeAhead(let peer, let bytes):
                    written[peer.value, default: []] += bytes.readableBytesView
                    feed(.wrote(peer, bytes: bytes.readableBytes))
                default: break
                }
            }
        }
    }

    private static let recipes: [(name: String, text: String)] = {
        let package = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let file = package.appendingPathComponent("Documentation/SERVING.md")
        let page = (try? String(contentsOf: file, encoding: .utf8)) ?? ""
        return page.components(separatedBy: "<!-- recipe: ").dropFirst().compactMap { part in
            let pieces = part.components(separatedBy: "```")
            guard pieces.count > 1, pieces[1].hasPrefix("yaml\n"), let name = part.components(separatedBy: " -->").first
            else { return nil }
            return (name, String(pieces[1].dropFirst(5)))
        }
    }()

    private func service(_ name: String) throws -> Service {
        let text = try #require(RecipeTests.recipes.first { $0.name == name }?.text)
        let result = ScenarioReader.read(text: text, file: "\(name).yaml")
        #expect(result.diagnostics.map { $0.rendered() } == [])
        return Service(try #require(result.scenario?.cases.first?.script))
    }

    private func expect(
        _ answer: String, _ status: Int, _ parts: String..., sourceLocation: SourceLocation = #_sourceLocation
    ) {
        #expect(answer.hasPrefix("HTTP/1.1 \(status) "), "\(answer)", sourceLocation: sourceLocation)
        for part in parts { #expect(answer.contains(part), "\(answer)", sourceLocation: sourceLocation) }
    }

    @Test("Every recipe reads without a word, and the stories have fewer than ten lines")
    func all() throws {
        let names = [
            "flaky", "rate-limit", "pages", "token", "eventual", "idempotency", "events", "long-poll", "slow", "echo",
        ]
        #expect(RecipeTests.recipes.map(\.name) == names)
        for recipe in RecipeTests.recipes {
            _ = try service(recipe.name)
            #expect(recipe.text.split(separator: "\n").count < 10, "\(recipe.name)")
        }
    }

    @Test("A flaky endpoint")
    func flaky() throws {
        let service = try service("flaky")
        for _ in 0..<2 { expect(service.ask("GET /flaky"), 503, "Retry-After: 1\r\n") }
        for _ in 0..<3 { expect(service.ask("GET /flaky"), 200, "at last") }
    }

    @Test("A rate limit for each client")
    func rateLimit() throws {
        let service = try service("rate-limit")
        for key in ["X-Api-Key: a", "X-Api-Key: b"] {
            for _ in 0..<2 { expect(service.ask("GET /limited", key), 200, "X-RateLimit-Limit: 2\r\n") }
            expect(service.ask("GET /limited", key), 429, "Retry-After: 60\r\n")
        }
    }

    @Test("Pages of a list")
    func pages() throws {
        let service = try service("pages")
        expect(service.ask("GET /items"), 200, "Link: <http://a.test/items?page=2>; rel=\"next\"\r\n", "\r\n\r\n[1,2]")
        expect(service.ask("GET /items?page=2&per=2"), 200, "\r\n\r\n[3]")
        expect(service.ask("GET /items?page=3"), 404)
    }

    @Test("A token that has to be renewed")
    func token() throws {
        let service = try service("token")
        expect(
            service.ask("GET /me", "Authorization: Bearer old"), 401,
            "WWW-Authenticate: Bearer error=\"invalid_token\"\r\n")
        expect(service.ask("GET /me", "Authorization: Bearer fresh"), 401)
        expect(
            service.ask("POST /token", body: "grant_type=refresh_token&refresh_token=r1"), 200,
            "\"access_token\":\"fresh\"")
        expect(service.ask("GET /me", "Authorization: Bearer fresh"), 200, "{\"name\":\"ann\"}")
        expect(service.ask("GET /me", "Authorization: Bearer old"), 401)
    }

    @Test("Eventual consistency")
    func eventual() throws {
        let service = try service("eventual")
        expect(service.ask("GET /jobs/1"), 404)
        expect(service.ask("POST /jobs"), 202, "Location: /jobs/1\r\n")
        for _ in 0..<2 { expect(service.ask("GET /jobs/1"), 200, "pending") }
        expect(service.ask("GET /jobs/1"), 200, "done")
    }

    @Test("Idempotency keys")
    func idempotency() throws {
        let service = try service("idempotency")
        expect(service.ask("POST /orders", "Idempotency-Key: a"), 201, "{\"order\": \"a\", \"made\": 1}")
        expect(
            service.ask("POST /orders", "Idempotency-Key: a"), 200, "Idempotent-Replayed: true\r\n",
            "{\"order\": \"a\"}")
        expect(service.ask("POST /orders", "Idempotency-Key: b"), 201, "\"made\": 2")
        expect(service.ask("POST /orders"), 404, "Idempotency-Key: wanted")
    }

    @Test("Server-sent events leave at their times")
    func events() throws {
        let service = try service("events")
        let peer = service.send("GET /ticks")
        let first = service.take(peer)
        expect(first, 200, "Content-Type: text/event-stream\r\n", "Cache-Control: no-store\r\n")
        #expect(first.hasSuffix("\r\n\r\n: welcome\nretry: 3000\n\nevent: tick\nid: 1\ndata: one\n\n"))
        service.advance(.milliseconds(999))
        #expect(service.take(peer).isEmpty)
        service.advance(.milliseconds(1))
        #expect(service.take(peer) == "event: tick\nid: 2\ndata: two\ndata: lines\n\n")
    }

    @Test("Long polling")
    func longPoll() throws {
        let service = try service("long-poll")
        let peer = service.send("GET /poll")
        expect(service.take(peer), 200)
        expect(service.ask("POST /publish"), 202)
        #expect(service.take(peer) == "news")
    }

    @Test("Delays that differ")
    func slow() throws {
        let service = try service("slow")
        let slow = service.send("GET /slow"), even = service.send("GET /even")
        service.advance(.milliseconds(9))
        #expect(service.take(slow).isEmpty && service.take(even).isEmpty)
        service.advance(.milliseconds(292))
        expect(service.take(even), 200)
        service.advance(.seconds(3))
        expect(service.take(slow), 200)
    }

    @Test("An echo")
    func echo() throws {
        let service = try service("echo")
        let answer = service.ask(
            "POST /users/a%22b?status=201", "Origin: http://page.test", body: "{\"name\": \"ann \\u00e9\"}")
        expect(
            answer, 201, "{\"id\": \"a\\\"b\", \"name\": \"ann é\", \"at\": \"2026-01-01T00:00:00Z\"}",
            "Access-Control-Allow-Origin: http://page.test\r\n", "X-Request-Id: ")
        expect(service.ask("POST /users/1", body: "{}"), 500, "\"name\": \"\"")
        expect(
            service.ask("POST /users/1", "Accept: application/json", body: "[]"), 404, "application/problem+json",
            "body: wanted an object, got a list of 0")
    }
}
