import HTTPBasics
import TLSBasics
import Testing

@testable import TLSEngine

@Suite("Certificates: trust")
struct TrustEvaluationTests {
    let made: MadeChains

    init() throws { made = try MadeChains.shared.get() }

    @Test("A good chain is completed up to its anchor")
    func good() {
        #expect(made.evaluation().result() == .success(made.chain + [made.root.bytes]))
    }

    @Test(
        "Names are compared by RFC 9525",
        arguments: [
            ("example.com", true), ("EXAMPLE.com", true), ("example.com.", true), ("www.example.com", false),
            (".example.com", false), ("", false), ("a.wild.example", true), ("wild.example", false),
            ("a.b.wild.example", false), ("192.0.2.1", true), ("192.0.2.2", false), ("2001:db8::1", true),
            ("[2001:DB8:0::1]", true), ("[2001:db8::2]", false), ("Server", false), ("example.com\0", false),
            ("example.com\0.evil.example", false), (".", false), ("xn--bcher-kva.wild.example", true),
        ])
    func hosts(_ host: String, _ isItsOwn: Bool) {
        let problem = made.evaluation(host: host).outcome().problem
        #expect(problem?.reason == (isItsOwn ? nil : .otherHost))
        if let problem {
            #expect(problem.detail.contains("but for example.com, *.wild.example, 192.0.2.1, 2001:db8::1"))
        }
    }

    @Test("Without a host no name is compared")
    func noHost() { #expect(made.evaluation(host: nil).outcome().problem == nil) }

    @Test(
        "The date is the given one",
        arguments: [
            (-1, .notYetValid), (399, nil), (401, .expired), (3_000, .expired), (20_000_000, .expired),
            (-20_000_000, .notYetValid),
        ] as [(Int64, TrustProblem.Reason?)])
    func dates(_ days: Int64, _ reason: TrustProblem.Reason?) {
        var evaluation = made.evaluation()
        evaluation.date.seconds += days * 86_400
        #expect(evaluation.outcome().problem?.reason == reason)
    }

    @Test("The reason of the chain wins, and the other host is told too")
    func several() throws {
        var evaluation = made.evaluation(host: "other.example")
        evaluation.date.seconds += 401 * 86_400
        let problem = try #require(evaluation.outcome().problem)
        #expect(problem.reason == .expired)
        #expect(problem.detail.hasPrefix("The certificate \"Server\" has expired: it was valid until "))
        #expect(
            problem.detail.contains("Also: The certificate \"Server\" is not for other.example, but for example.com"))
    }

    @Test("A missing intermediate is told from an unknown authority")
    func missing() throws {
        let address = ["authorityInfoAccess=caIssuers;URI:http://example.com/intermediate.der"]
        let told = try made.maker.server("Told", by: made.intermediate, names: "DNS:example.com", address)
        #expect(made.evaluation([told.bytes]).outcome().problem?.reason == .incomplete)
        let problem = try #require(made.evaluation([made.server.bytes]).outcome().problem)
        #expect(problem.reason == .unknownAuthority)
        #expect(problem.detail.contains("\"O=Understudy, CN=Intermediate\""))
        #expect(problem.detail.contains("the server must send it"))
    }

    @Test("A root that is no anchor is unknown, sent or not; the chain so far is told")
    func unknownRoot() throws {
        let root = try made.maker.authority("Stranger")
        let server = try made.maker.server("Strange", by: root, names: "DNS:example.com")
        for chain in [[server.bytes], [server.bytes, root.bytes]] {
            let outcome = made.evaluation(chain).outcome()
            #expect(outcome.problem?.reason == .unknownAuthority)
            #expect(outcome.problem?.detail.contains("ca-certificates") == true)
            #expect(outcome.chain == chain)
        }
    }

    @Test("A certificate signed by itself is trusted only as an anchor; any certificate may be one")
    func anchors() throws {
        let own = try made.maker.make("Own", ["subjectAltName=DNS:example.com"])
        var evaluation = made.evaluation([own.bytes])
        #expect(evaluation.outcome().problem?.reason == .selfSigned)
        evaluation.anchors = [own.bytes]
        #expect(evaluation.result() == .success([own.bytes]))
        evaluation.date.seconds += 401 * 86_400
        #expect(evaluation.outcome().problem?.reason == .expired)

        evaluation = made.evaluation()
        evaluation.store = nil
        #expect(evaluation.outcome().problem?.reason == .noAnchors)
        evaluation.anchors = [made.intermediate.bytes]
        #expect(evaluation.result() == .success(made.chain))
        evaluation.anchors = [made.server.bytes]
        #expect(evaluation.result() == .success([made.server.bytes]))
        evaluation.host = "other.example"
        #expect(evaluation.outcome().problem?.reason == .otherHost)
    }

    @Test("Only the added anchors count when that is set")
    func anchorsOnly() throws {
        let other = try made.maker.authority("Other")
        var evaluation = made.evaluation()
        evaluation.anchors = [other.bytes]
        #expect(evaluation.outcome().problem == nil)
        evaluation.anchorsOnly = true
        #expect(evaluation.outcome().problem?.reason == .unknownAuthority)
        evaluation.anchors = []
        #expect(evaluation.outcome().problem?.reason == .unknownAuthority)
    }

    @Test("Weak keys and signatures are refused, of authorities too")
    func weak() throws {
        let maker = made.maker
        let key = try maker.server("Short", key: .rsa1024, by: made.root, names: "DNS:example.com")
        let sha1 = try maker.server("Old", by: made.root, names: "DNS:example.com", options: ["-sha1"])
        let authority = try maker.authority("Short CA", key: .rsa1024, by: made.root)
        let below = try maker.server("Below", by: authority, names: "DNS:example.com")
        for chain in [[key.bytes], [sha1.bytes], [below.bytes, authority.bytes]] {
            #expect(made.evaluation(chain).outcome().problem?.reason == .weak)
        }
        #expect(made.evaluation([key.bytes]).outcome().problem?.detail.contains("\"Short\" has 1024 bits") == true)
        #expect(made.evaluation([sha1.bytes]).outcome().problem?.detail.contains("ecdsa-with-SHA1") == true)
    }

    @Test("A certificate must be meant for its use")
    func usage() throws {
        let maker = made.maker
        let client = try maker.make(
            "Client", by: made.root, ["extendedKeyUsage=clientAuth", "subjectAltName=DNS:example.com"])
        var evaluation = made.evaluation([client.bytes])
        #expect(evaluation.outcome().problem?.reason == .wrongUsage)
        evaluation.purpose = .client
        #expect(evaluation.outcome().problem == nil)
        evaluation.purpose = .any
        #expect(evaluation.outcome().problem == nil)
        // A server's certificate that signs others
        let forged = try maker.server("Forged", by: made.server, names: "DNS:example.com")
        let problem = made.evaluation([forged.bytes] + made.chain).outcome().problem
        #expect(problem?.reason == .wrongUsage)
        #expect(problem?.detail.contains("\"Server\" signs other certificates") == true)
    }

    @Test("A chain of a hundred is refused, a long one in any order is not")
    func depth() throws {
        let maker = made.maker
        var authorities = [made.root]
        for number in 1...98 {
            let signer = try #require(authorities.last)
            authorities.append(
                try maker.make(
                    "CA \(number)", keyOf: made.root, by: signer, days: 4_000, ["basicConstraints=critical,CA:TRUE"]))
        }
        for (depth, reason) in [(18, nil), (98, TrustProblem.Reason.malformed)] {
            let end = try maker.server("Deep", by: authorities[depth], names: "DNS:example.com")
            let chain = [end.bytes] + authorities[1...depth].map(\.bytes)
            #expect(made.evaluation(chain).outcome().problem?.reason == reason)
        }
        let flood = Array(repeating: made.server.bytes, count: 101)
        #expect(made.evaluation(flood).outcome().problem?.reason == .malformed)
    }

    @Test("A thousand names are compared, and a few are told")
    func manyNames() throws {
        let names = (1...1_000).map { "DNS:host\($0).example" }.joined(separator: ",")
        let server = try made.maker.server("Many", by: made.root, names: names)
        #expect(made.evaluation([server.bytes], host: "host1000.example").outcome().problem == nil)
        let problem = try #require(made.evaluation([server.bytes], host: "host1001.example").outcome().problem)
        #expect(problem.reason == .otherHost)
        #expect(problem.detail.contains("host6.example and 994 more"))
        #expect(problem.detail.utf8.count < 1_000)
    }

    @Test("A NUL in a name does not end it, and is shown")
    func nul() throws {
        let name = Array("example.com\0.evil.example".utf8)
        let bytes = [0x30, UInt8(name.count + 2), 0x82, UInt8(name.count)] + name
        let hex = bytes.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined(separator: ":")
        let server = try made.maker.make("Nul", by: made.root, ["subjectAltName=DER:" + hex])
        let problem = made.evaluation([server.bytes]).outcome().problem
        #expect(problem?.reason == .otherHost)
        #expect(problem?.detail.contains(#"example.com\u{0}.evil.example"#) == true)
    }

    @Test("What is no certificate is malformed, unless it is not needed")
    func malformed() {
        let junk = CertificateBytes(der: [1, 2, 3])
        #expect(made.evaluation([junk]).outcome().problem?.reason == .malformed)
        #expect(made.evaluation([]).outcome().problem?.reason == .malformed)
        #expect(made.evaluation(made.chain + [junk]).outcome().problem == nil)
    }

    @Test("A signature that does not fit is refused")
    func forged() throws {
        let namesake = try made.maker.make(
            "Namesake", by: nil, subject: "/O=Understudy/CN=Root", ["basicConstraints=critical,CA:TRUE"])
        let server = try made.maker.server("Forgery", by: namesake, names: "DNS:example.com")
        #expect(made.evaluation([server.bytes]).outcome().problem != nil)
        #expect(made.evaluation([server.bytes, namesake.bytes]).outcome().problem != nil)
    }

    @Test("Damaged certificates are refused, and never do harm")
    func damaged() {
        var damage = Damage(seed: 1)
        for _ in 0..<1_500 {
            let bytes = CertificateBytes(der: damage.applied(to: made.server.bytes.der))
            guard let read = X509Certificate(bytes) else { continue }
            _ = (read.subjectSummary, read.serial, read.names, read.key, read.notAfter, read.issuer.text)
            _ = made.evaluation([bytes, made.intermediate.bytes]).outcome()
        }
    }
}
