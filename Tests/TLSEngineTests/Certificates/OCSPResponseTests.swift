import HTTPBasics
import TLSBasics
import Testing

@testable import TLSEngine

@Suite("Certificates: OCSP responses")
struct OCSPResponseTests {
    let made: MadeChains
    let server, intermediate: X509Certificate

    init() throws {
        made = try MadeChains.shared.get()
        server = try #require(X509Certificate(made.server.bytes))
        intermediate = try #require(X509Certificate(made.intermediate.bytes))
    }

    private static let day: Int64 = 86_400

    private func date(_ days: Int64, seconds: Int64 = 0) -> UnixTime {
        UnixTime(seconds: made.now.seconds + days * Self.day + seconds)
    }

    private func answer(_ response: [UInt8], at date: UnixTime? = nil) -> OCSPResponse.Answer? {
        OCSPResponse(response)?.answer(about: server, of: intermediate, at: date ?? made.now)
    }

    private func isNothing(_ answer: OCSPResponse.Answer?, because words: String) -> Bool {
        if case .nothing(let reason)? = answer { reason.contains(words) } else { false }
    }

    @Test("It says what its signer says")
    func statuses() throws {
        #expect(answer(try made.response(.good)) == .good)
        let since = UnixTime(seconds: made.now.seconds - 3_600 - Self.day)
        #expect(answer(try made.response(.revoked)) == .revoked(since))
        #expect(isNothing(answer(try made.response(.unknown)), because: "does not know"))
    }

    @Test("It counts within its dates, by the given one, give or take five minutes")
    func dates() throws {
        let start = UnixTime(seconds: made.now.seconds), end = date(7)
        let response = try made.response(.good, from: start, until: end)
        for (at, isGood) in [
            (start.seconds - 301, false), (start.seconds - 300, true), (end.seconds + 300, true),
            (end.seconds + 301, false), (.min, false), (.max, false),
        ] as [(Int64, Bool)] {
            #expect((answer(response, at: UnixTime(seconds: at)) == .good) == isGood, "\(at)")
        }
        #expect(isNothing(answer(response, at: date(8)), because: "is out of date since \(HTTPDate.text(end))"))
        #expect(isNothing(answer(response, at: date(-1)), because: "is not valid before \(HTTPDate.text(start))"))
    }

    @Test("One that does not say when the next one comes counts for a day")
    func endless() throws {
        let response = try made.response(.good, from: date(0), until: nil)
        #expect(answer(response, at: date(1, seconds: 300)) == .good)
        #expect(isNothing(answer(response, at: date(1, seconds: 301)), because: "out of date"))
    }

    @Test("A responder counts that the authority has certified for that, and nobody else")
    func signers() throws {
        let maker = made.maker, root = made.root, intermediate = made.intermediate
        let signing = ["extendedKeyUsage=OCSPSigning", "basicConstraints=CA:FALSE"]
        let responder = try maker.make("Responder", by: intermediate, signing)
        #expect(answer(try made.response(.good, by: responder, shown: true)) == .good)
        let past = try made.response(.good, by: responder, shown: true, from: date(401), until: date(402))
        #expect(isNothing(answer(past, at: date(401, seconds: 60)), because: "is signed neither"))
        let stranger = try maker.authority("Stranger of responses")
        for signer in [
            made.server, root, stranger, try maker.make("Responder of the root", by: root, signing),
            try maker.make("Responder of a stranger", by: stranger, signing),
            try maker.make("Namesake", subject: "/O=Understudy/CN=Intermediate", signing),
        ] {
            let response = try made.response(.good, by: signer, shown: true)
            #expect(isNothing(answer(response), because: "is signed neither"), "\(signer.path)")
        }
        #expect(isNothing(answer(try made.response(.good, by: responder, shown: false)), because: "is signed neither"))
    }

    @Test("Of several statements about a certificate those count that are within their dates, and a revocation first")
    func several() throws {
        let old = OCSPSigner.Claim(.revoked, from: date(-30), until: date(-20))
        let good = OCSPSigner.Claim(.good, from: date(0, seconds: -3_600), until: date(7))
        let bad = OCSPSigner.Claim(.revoked, from: date(0, seconds: -3_600), until: date(7))
        #expect(answer(try made.response([old, good])) == .good)
        for list in [[good, bad], [bad, good], [old, bad]] {
            guard case .revoked? = answer(try made.response(list)) else {
                Issue.record("no revocation")
                continue
            }
        }
        #expect(isNothing(answer(try made.response([old])), because: "is out of date"))
    }

    @Test("Another certificate's is about another certificate")
    func others() throws {
        let other = try made.maker.server("Another", by: made.intermediate, names: "DNS:example.com")
        #expect(isNothing(answer(try made.response(.revoked, about: other)), because: "is about another certificate"))
        // The same serial number, of another authority.
        let response = try made.response(.revoked, of: made.root)
        #expect(isNothing(answer(response), because: "is about another certificate"))
    }

    @Test("Whatever byte of it is another, it says nothing else")
    func damage() throws {
        let response = try made.response(.good)
        for place in response.indices {
            var damaged = response
            damaged[place] ^= 0x11
            if case .revoked? = answer(damaged) { Issue.record("byte \(place) makes it a revocation") }
        }
        #expect(OCSPResponse([]) == nil)
        #expect(OCSPResponse(response + [0]) == nil)
        #expect(OCSPResponse(Array(response.dropLast())) == nil)
        // A responder's refusal, tryLater, has no more than this: RFC 6960 4.2.1.
        #expect(OCSPResponse([0x30, 3, 0x0A, 1, 3]) == nil)
        #expect(OCSPResponse([0x30, 3, 0x0A, 1, 0]) == nil)
    }

    // BEHAVIOUR 2.B8-staple
    @Test(
        "Those of the command openssl count, if they are signed with SHA-256 at least",
        arguments: [
            ("sha256", nil, true), ("sha384", nil, true), ("sha512", nil, true), ("sha1", nil, false),
            ("sha224", nil, false), ("sha256", "pss", true), ("sha224", "pss", false), ("sha1", "pss", false),
        ] as [(String, String?, Bool)])
    func command(digest: String, padding: String?, counts: Bool) throws {
        let name = "response-\(digest)-\(padding ?? "none")"
        let (path, maker) = (made.maker.path(name), made.maker)
        try maker.run(["x509", "-in", made.server.path, "-noout", "-out", path + ".none"])
        let serial = server.serial.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined().uppercased()
        try Self.write("V\t991231235959Z\t\t\(serial.drop { $0 == "0" })\tunknown\t/CN=Server\n", to: path + ".index")
        let signer =
            try padding.map { _ in
                try maker.make(
                    name, key: .rsa2048, by: made.intermediate,
                    ["extendedKeyUsage=OCSPSigning", "basicConstraints=CA:FALSE"])
            } ?? made.intermediate
        try maker.run(
            [
                "ocsp", "-index", path + ".index", "-CA", made.intermediate.path, "-rsigner", signer.path,
                "-rkey", signer.keyPath, "-issuer", made.intermediate.path, "-cert", made.server.path,
                "-rmd", digest, "-ndays", "7", "-respout", path, "-noverify",
            ] + (padding.map { ["-rsigopt", "rsa_padding_mode:\($0)"] } ?? []))
        let answer = answer(try maker.read(name))
        if counts {
            #expect(answer == .good)
        } else {
            #expect(isNothing(answer, because: "is signed neither"))
        }
    }
}
