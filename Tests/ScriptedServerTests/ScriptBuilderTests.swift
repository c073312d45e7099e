import HTTPBasics
import ServerScript
import TLSBasics
import TestSupport
import Testing

@testable import ScriptedServer

@Suite(.endsInTime) struct ScriptBuilderTests {
    @Test func `Negotiate and lenient reading are as files have them`() throws {
        var builder = ScriptBuilder()
        builder.readLeniently()
        builder.get("/a", where: [.negotiate(user: "ann")], reply: .negotiateChallenge(token: "first"))
        builder.get("/a", where: [.negotiate(user: "ann", round: 2)], reply: .negotiateChallenge())
        try builder.check()
        #expect(builder.script.reading == .lenient)
        let exchanges = builder.script.steps.compactMap { step -> Exchange? in
            if case .exchange(let exchange) = step.action { exchange } else { nil }
        }
        let wanted = [NegotiateRule(user: "ann"), NegotiateRule(user: "ann", round: 2)]
        #expect(exchanges.map(\.request.negotiate) == wanted)
        #expect(exchanges.map(\.reply?.challenges) == [[.negotiate("first")], [.negotiate(nil)]])
        builder.get("/a", where: [.negotiate(user: "ann", round: 9)], reply: "a")
        #expect(throws: ScriptedServerError.self) { try builder.check() }
    }

    private func script(_ build: (inout ScriptBuilder) -> Void) -> Script {
        var builder = ScriptBuilder()
        build(&builder)
        return builder.script
    }

    private func exchange(_ reply: ServerReply) -> Exchange { reply.exchange(for: RequestMatch("GET", "/")) }

    @Test func `steps and routes land in the script as written`() {
        let script = script {
            $0.hosts("a.test", "b.test")
            $0.get("/a", on: "A", times: 2, reply: "hi")
            $0.expect("PATCH", "/b", where: [.header("X", "1"), .absent("Y")], host: "b.test", reply: .status(204))
            $0.route("GET", "/c*", reply: .ok())
            $0.accept(then: .reset, on: "D")
            $0.accept(then: .fin, afterIdle: .seconds(1), host: "b.test")
            $0.refuseConnections(to: "b.test")
            $0.neverAnswerConnections(to: "a.test")
            $0.otherwise(.status(404, "no"))
        }
        #expect(script.hosts == ["a.test", "b.test"])
        let patch = RequestMatch("PATCH", "/b", fields: [.init("X", .equals("1"))], absent: ["Y"])
        #expect(
            script.steps == [
                Step(
                    .exchange(Exchange(RequestMatch("GET", "/a"), reply: Reply(body: .text("hi")))), lane: "A", times: 2
                ),
                Step(.exchange(Exchange(patch, reply: Reply(status: 204, body: .text("")))), host: "b.test"),
                Step(.accept(Fault(at: .accept, do: .reset)), lane: "D"),
                Step(.accept(Fault(at: .idle(.seconds(1)), do: .fin)), host: "b.test"),
            ])
        let faults = ["a.test": Fault(at: .listen, do: .stall), "b.test": Fault(at: .listen, do: .reset)]
        #expect(script.listenFaults == faults)
        #expect(script.routes == [Route(Exchange(RequestMatch("GET", "/c*"), reply: Reply(body: .text(""))))])
        #expect(script.otherwise == Reply(status: 404, body: .text("no")))
    }

    @Test func `what requests mean is held against the script`() throws {
        let script = script {
            $0.route(
                "GET", "/i/{id}", where: [.query("p", "2"), .query("t", "a", "b"), .header("A", contains: "x")],
                reply: "")
            $0.route("GET", "/j", where: [.anyQuery, .header("A", matches: "^x")], reply: "")
            $0.route("POST", "/k", where: [.form("a", "1"), .form("b", "2", "3")], reply: "")
            $0.route("POST", "/l", where: [.json("{\"a\": 1}")], reply: "")
            $0.route("POST", "/m", where: [.json(subset: "[1]")], reply: "")
            $0.route("POST", "/n", where: [.body(contains: "x")], reply: "")
            $0.route("POST", "/o", where: [.body(matches: "^x")], reply: "")
        }
        let requests = script.routes.map(\.exchange.request)
        #expect(requests[0].query == [.init("p", .values(["2"])), .init("t", .values(["a", "b"]))])
        #expect(requests[0].fields == [.init("A", .contains("x"))] && requests[1].query == [])
        #expect(requests[1].fields == [.init("A", .matches(try TextPattern("^x")))])
        let bodies: [RequestMatch.BodyRule] = [
            .form([.init("a", .values(["1"])), .init("b", .values(["2", "3"]))]),
            .json(.object([.init("a", .number(try #require(JSONNumber("1"))))])),
            .jsonSubset(.list([.number(try #require(JSONNumber("1")))])), .contains("x"),
            .matches(try TextPattern("^x")),
        ]
        #expect(requests[2...].map(\.body) == bodies)
    }

    @Test func `a request is expected once, of any method`() {
        let script = script {
            $0.get("/", reply: "")
            $0.post("/", reply: "")
            $0.put("/", reply: "")
            $0.delete("/", reply: "")
            $0.expect("OPTIONS", "/", reply: "")
        }
        let wanted = ["GET", "POST", "PUT", "DELETE", "OPTIONS"].map {
            Step(.exchange(Exchange(RequestMatch($0, "/"), reply: Reply(body: .text("")))))
        }
        #expect(script.steps == wanted && wanted.allSatisfy { $0.times == 1 })
    }

    @Test func `replies carry what they were given`() {
        let reply = ServerReply.ok(.counter(100)).header("ETag", "\"v\"").chunked(10).trailer("T", "1").interim(103)
            .ranged().delayed(by: .seconds(1)).paced(.bytes(2), .wait(.seconds(1)), .await("go"), .rest)
            .readingOnly(5).reading(bytesPerSecond: 7).sending(bytesPerSecond: 8).stall(at: .body(50))
            .sometimes(percent: 30)
        let expected = Reply(
            fields: Fields([Fields.Field("ETag", "\"v\"")]), body: .counter(size: 100), framing: .chunked(size: 10),
            isRanged: true, trailers: Fields([Fields.Field("T", "1")]), interim: [Interim(status: 103)],
            timeline: [.bytes(2), .wait(.seconds(1)), .await("go"), .rest], sendRate: 8, delay: .seconds(1))
        let request = RequestMatch("GET", "/")
        #expect(
            exchange(reply)
                == Exchange(
                    request, reply: expected, faults: [Fault(at: .body(50), do: .stall, percent: 30)],
                    readBody: .part(bytes: 5), readRate: 7))
    }

    @Test func `a host's TLS is as written`() {
        let script = script {
            $0.hosts("a.test", "b.test")
            $0.secure()
            $0.secure(
                .ecdsa, staple: .good, versions: .tls10 ... .tls12, ciphers: ["AES128-SHA"],
                clientCertificate: .refused(.unknownCA), protocols: ["h2"], tickets: 0, recordSize: 7,
                fault: .split(at: .serverHello(9), pausing: .seconds(1)).onConnection(2), host: "b.test")
        }
        var tls = HostTLS(.ecdsa)
        tls.staple = .good
        tls.versions = .tls10 ... .tls12
        tls.ciphers = [.rsaWithAES128SHA]
        tls.clientCertificate = .refused(.unknownCA)
        tls.applicationProtocols = ["h2"]
        tls.tickets = 0
        tls.recordSize = 7
        tls.fault = HandshakeFault(at: .serverHello, plus: 9, do: .split, pace: .seconds(1), connection: 2)
        #expect(script.tls == ["a.test": HostTLS(), "b.test": tls])
    }

    @Test func `faults of TLS are what they say`() {
        let ok = ServerReply.ok("x")
        let replies: [(ServerReply, Fault.Effect)] = [
            (ok.truncate(at: .end), .truncate), (ok.alert(.accessDenied, at: .end), .record(.alert(.accessDenied))),
            (ok.badRecord(at: .end), .record(.badRecord)), (ok.longRecord(at: .end), .record(.longRecord)),
            (ok.clearRecord(at: .end), .record(.clearText)), (ok.updateKeys(at: .end), .record(.keyUpdate)),
            (ok.floodKeys(at: .end), .record(.keyFlood)), (ok.renegotiate(at: .end), .record(.renegotiation)),
        ]
        for (reply, effect) in replies { #expect(exchange(reply).faults == [Fault(at: .end, do: effect)]) }
        #expect(
            exchange(.truncate()) == Exchange(RequestMatch("GET", "/"), faults: [Fault(at: .request, do: .truncate)]))
        #expect(exchange(.badRecord()).faults == [Fault(at: .request, do: .record(.badRecord))])
        #expect(exchange(.alert(.internalError)).faults == [Fault(at: .request, do: .record(.alert(.internalError)))])
        let faults: [(ServerHandshakeFault, HandshakeFault)] = [
            (.fin(at: .clientHello), HandshakeFault(at: .clientHello, do: .fin)),
            (.reset(at: .serverHello()), HandshakeFault(at: .serverHello, do: .reset)),
            (.stall(at: .finished()), HandshakeFault(at: .finished, do: .stall)),
            (.garbage(at: .finished(3)), HandshakeFault(at: .finished, plus: 3, do: .garbage)),
            (.flood(at: .clientHello), HandshakeFault(at: .clientHello, do: .flood)),
            (.alert(.unknownCA, at: .clientHello), HandshakeFault(at: .clientHello, do: .alert(.unknownCA))),
            (.pause(at: .clientHello, for: .zero), HandshakeFault(at: .clientHello, do: .delay(.zero))),
            (.split(at: .clientHello), HandshakeFault(at: .clientHello, do: .split)),
        ]
        for (fault, expected) in faults { #expect(fault.fault == expected) }
    }

    @Test func `what is left out has its usual value`() {
        #expect(exchange(.redirect(to: "/b")).reply?.status == 302)
        #expect(exchange(.basicChallenge(realm: "r")).reply?.status == 401)
        let digest = exchange(.digestChallenge(realm: "r", nonce: "n", algorithm: .sha256, isStale: true)).reply
        let offered = ServerDigest(realm: "r", nonce: "n", algorithm: "SHA-256", isStale: true)
        #expect(digest?.status == 401 && digest?.challenges == [.digest(offered)])
        let rules: [RequestRule] = [.body("abc")]
        let script = script { $0.post("/", where: rules, reply: "") }
        let wanted = RequestMatch("POST", "/", body: .equals(.text("abc")))
        #expect(script.steps == [Step(.exchange(Exchange(wanted, reply: Reply(body: .text("")))))])
    }

    @Test func `a fault needs no answer`() {
        #expect(exchange(.reset()) == Exchange(RequestMatch("GET", "/"), faults: [Fault(at: .request, do: .reset)]))
        #expect(
            exchange(.fin(at: .requestBody(3)))
                == Exchange(RequestMatch("GET", "/"), faults: [Fault(at: .requestBody(3), do: .fin)]))
    }

    @Test func `a trailer makes an answer chunked, but leaves chosen chunks alone`() {
        #expect(exchange(.ok("x").trailer("T", "1")).reply?.framing == .chunked(size: 8192))
        #expect(exchange(.ok("x").chunked(3).trailer("T", "1")).reply?.framing == .chunked(size: 3))
    }

    /// It compiles: the closure belongs to the main actor, as it does in a program's `main`.
    @MainActor @Test func `a script is written where the server is started`() async throws {
        var replies = ["one", "two"]
        let server = try await ScriptedServer.start { script in
            while let reply = replies.popLast() { script.get("/\(reply)", reply: .ok(.text(reply))) }
        }
        #expect(replies.isEmpty)
        try await server.stop()
    }
}
