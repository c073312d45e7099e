import TestSupport
import Testing

@testable import ScriptedServer

@Suite(.endsInTime) struct ScriptBuilderCheckTests {
    private static let mistakes: [(String, @Sendable (inout ScriptBuilder) -> Void)] = [
        ("step 1 (GET /): 99999 is not a final status", { $0.get("/", reply: .status(99999)) }),
        ("step 1 (GET /): 103 is not a final status", { $0.get("/", reply: .status(103)) }),
        ("step 1 (G T /): 'G T' is not a method", { $0.expect("G T", "/", reply: "") }),
        ("route 1 ( /): '' is not a method", { $0.route("", "/", reply: "") }),
        ("step 1 (GET /a b): '/a b' is not a target", { $0.get("/a b", reply: "") }),
        ("step 1 (GET /{a}/{a}): two captures are called 'a'", { $0.get("/{a}/{a}", reply: "") }),
        (
            "route 1 (GET /): the pattern 'a(', at its character 2: a '(' that is not closed",
            { $0.route("GET", "/", where: [.header("A", matches: "a(")], reply: "") }
        ),
        ("step 1 (POST /): no JSON: no value at byte 1", { $0.post("/", where: [.json("[x]")], reply: "") }),
        ("it cannot happen -1 times", { $0.get("/", times: -1, reply: "") }),
        ("no host 'b.test': name it with hosts(…)", { $0.expect("GET", "/", host: "b.test", reply: "") }),
        ("no host 'b.test': name it with hosts(…)", { $0.route("GET", "/", host: "b.test", reply: "") }),
        ("no host 'b.test': name it with hosts(…)", { $0.refuseConnections(to: "b.test") }),
        ("hosts: at least one is needed", { $0.hosts() }),
        ("'A B' is not a field name", { $0.get("/", reply: .ok().header("A B", "x")) }),
        ("'A B' is not a field name", { $0.get("/", where: [.present("A B")], reply: "") }),
        ("the value of 'A' has line ends", { $0.get("/", reply: .ok().header("A", "x\r\nB: y")) }),
        ("the value of 'T' has line ends", { $0.get("/", reply: .ok("x").trailer("T", "x\n")) }),
        ("99 is not an informational status", { $0.get("/", reply: .ok().interim(99)) }),
        ("101 is not an informational status", { $0.get("/", reply: .ok().interim(101)) }),
        ("200 is not an informational status", { $0.get("/", reply: .ok().interim(200)) }),
        ("'' is not a field name", { $0.get("/", reply: .ok().header("", "x")) }),
        ("nothing is read at 0 bytes", { $0.get("/", reply: .ok().reading(bytesPerSecond: 0)) }),
        ("-1 is not a percentage", { $0.get("/", reply: .fin().sometimes(percent: -1)) }),
        ("cannot come 0 times", { $0.get("/", reply: .ok().interim(103, times: 0)) }),
        ("nothing is sent at 0 bytes", { $0.get("/", reply: .ok().sending(bytesPerSecond: 0)) }),
        ("nothing is read at -1 bytes", { $0.get("/", reply: .ok().reading(bytesPerSecond: -1)) }),
        ("101 is not a percentage", { $0.get("/", reply: .fin().sometimes(percent: 101)) }),
        ("step 1 (GET /): there is no fault", { $0.get("/", reply: .ok("x").sometimes(percent: 5)) }),
        ("otherwise: there is no fault", { $0.otherwise(.ok("x").sometimes(percent: 5)) }),
        (
            "route 1 (GET /): only what is done to a layer of TLS",
            { $0.route("GET", "/", reply: .ok("x").inProxysTLS()) }
        ),
        (
            "step 1 (GET /): only what is done to a layer of TLS",
            { $0.get("/", reply: .ok("x").reset(at: .end).inProxysTLS()) }
        ),
        (
            "(GET /): no proxy of the script speaks TLS",
            { $0.get("/", reply: .ok("x").closeNotify(at: .end).inProxysTLS()) }
        ),
        (
            "a pause of an idle connection has no effect",
            { $0.get("/", reply: .ok().pause(at: .idle(.zero), for: .zero)) }
        ),
        (
            "a pause of an idle connection has no effect",
            { $0.accept(then: .pause(for: .seconds(1)), afterIdle: .seconds(1)) }
        ),
        ("the body has 2 bytes, so body+3 is never reached", { $0.get("/", reply: .ok("ab").fin(at: .body(3))) }),
        ("a fault at 'last-chunk' needs a chunked answer", { $0.get("/", reply: .ok("ab").fin(at: .lastChunk)) }),
        ("there is no chunk[1]", { $0.get("/", reply: .ok("ab").chunked(2).fin(at: .chunk(1, .data))) }),
        ("the answer has no trailers; write them", { $0.get("/", reply: .ok("ab").chunked(2).fin(at: .trailers)) }),
        ("there is no interim[1]", { $0.get("/", reply: .ok().interim(103).fin(at: .interim(1))) }),
        ("a.test: nobody can sign a response", { $0.secure(.selfSigned, staple: .good) }),
        ("there is no cipher suite 'RC4'", { $0.secure(ciphers: ["RC4"]) }),
        ("a.test: 'AES128-SHA' is of TLS 1.2", { $0.secure(versions: .tls13 ... .tls13, ciphers: ["AES128-SHA"]) }),
        (
            "a.test: no certificate is refused with 'close_notify'",
            { $0.secure(clientCertificate: .refused(.closeNotify)) }
        ),
        ("a.test: a protocol's name has 1 to 255 bytes, and this one has 0", { $0.secure(protocols: [""]) }),
        ("a.test: it cannot give 9 tickets", { $0.secure(tickets: 9) }),
        ("a.test: a record cannot protect 0 bytes", { $0.secure(recordSize: 0) }),
        ("a.test: there is no connection 0", { $0.secure(fault: .fin(at: .clientHello).onConnection(0)) }),
        (
            "a.test: 'ECDHE-ECDSA-AES128-GCM-SHA256' needs a key of ECDSA or Ed25519, and 'valid' has one of RSA",
            { $0.secure(versions: .tls12 ... .tls12, ciphers: ["ECDHE-ECDSA-AES128-GCM-SHA256"]) }
        ),
        (
            "a.test: an 'alert' there needs a cipher suite with GCM or ChaCha20-Poly1305",
            {
                $0.secure(
                    versions: .tls13 ... .tls13, ciphers: ["TLS_AES_128_CCM_SHA256"],
                    fault: .alert(.internalError, at: .finished()))
            }
        ),
        ("no host 'b.test': name it with hosts(…)", { $0.secure(host: "b.test") }),
        ("(GET /): a.test speaks no TLS, so it has no records", { $0.get("/", reply: .badRecord()) }),
        (
            "(GET /): a.test does not speak TLS 1.3",
            {
                $0.secure(versions: .tls12 ... .tls12)
                $0.route("GET", "/", reply: .ok("ab").updateKeys(at: .body(1)))
            }
        ),
        (
            "(GET /): only TLS up to 1.2 has 'renegotiate'",
            {
                $0.secure()
                $0.route("GET", "/", reply: .ok("ab").renegotiate(at: .body(1)))
            }
        ),
        (
            "(GET /): an 'alert' behind the handshake needs a cipher suite",
            {
                $0.secure(versions: .tls13 ... .tls13, ciphers: ["TLS_AES_128_CCM_SHA256"])
                $0.get("/", reply: .ok("ab").alert(.internalError, at: .body(1)))
            }
        ),
        (
            "otherwise: a.test does not speak TLS 1.3",
            {
                $0.secure(versions: .tls12 ... .tls12)
                $0.otherwise(.ok("ab").updateKeys(at: .body(1)))
            }
        ),
        ("otherwise: a.test speaks no TLS", { $0.otherwise(.ok("ab").badRecord(at: .body(1))) }),
        ("otherwise: 99999 is not a final status", { $0.otherwise(.status(99999)) }),
    ]

    @Test(arguments: mistakes.indices)
    func `what no server can do is refused, with its place`(index: Int) async throws {
        let (wanted, build) = ScriptBuilderCheckTests.mistakes[index]
        let error = await #expect(throws: ScriptedServerError.self) { try await ScriptedServer.start(build) }
        #expect(error?.description.contains(wanted) == true, "\(error?.description ?? "")")
    }

    @Test func `all mistakes are told at once`() {
        var builder = ScriptBuilder()
        builder.get("/", reply: .status(0))
        builder.route("G T", "/", reply: .status(1000))
        let error = #expect(throws: ScriptedServerError.self) { try builder.check() }
        #expect(error?.description.split(separator: "\n").count == 4)
    }

    @Test func `what lies on purpose is no mistake`() throws {
        var builder = ScriptBuilder()
        builder.get("/", reply: ServerReply.ok("abc").header("Content-Length", "-1").header("Content-Length", "x"))
        builder.get("/", reply: ServerReply.ok("abc").header("Content-Encoding", "gzip"))
        builder.get("/", reply: .ok("abc").chunked().paced(.chunk(3, sizeLine: "ffff")).interim(raw: [0]))
        builder.expect("M-SEARCH", "*", reply: .status(999))
        builder.get("/", reply: .status(200).interim(100).interim(199, times: 1))
        builder.get("/", reply: .ok().sending(bytesPerSecond: 1).reading(bytesPerSecond: 1))
        builder.get("/", reply: .fin().sometimes(percent: 0))
        builder.get("/", times: 0, reply: "")
        try builder.check()
    }
}
