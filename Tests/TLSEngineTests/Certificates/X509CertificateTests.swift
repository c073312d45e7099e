import HTTPBasics
import TLSBasics
import Testing

@testable import TLSEngine

@Suite("Certificates: reading")
struct X509CertificateTests {
    let made: MadeChains

    init() throws { made = try MadeChains.shared.get() }

    private func read(_ made: CertificateMaker.Made) throws -> X509Certificate {
        try #require(X509Certificate(made.bytes))
    }

    @Test("Names, dates and issuer are read")
    func facts() throws {
        let server = try read(made.server)
        #expect(server.commonName == "Server")
        #expect(server.subject.text == "O=Understudy, CN=Server")
        #expect(server.issuer == (try read(made.intermediate)).subject)
        #expect(server.names.hosts == ["example.com", "*.wild.example"])
        #expect(server.names.addresses == ["192.0.2.1", "2001:db8::1"])
        let (start, end) = (try #require(server.notBefore), try #require(server.notAfter))
        #expect(end.seconds - start.seconds == 400 * 86_400)
        #expect(!server.isSelfIssued && !server.isAuthority)
        #expect(try read(made.root).isSelfIssued && read(made.root).isAuthority)
        #expect(server.signatureAlgorithm == "ecdsa-with-SHA256")
    }

    @Test(
        "The summary is chosen as Apple's",
        arguments: [
            ("/O=Organization/OU=Unit/CN=Common", "Common"), ("/O=Organization/OU=Unit", "Unit"),
            ("/O=Organization", "Organization"), ("/CN=One/CN=Two", "Two, One"),
            ("/description=Words/CN=Common", "Common (Words)"), ("/C=DE", "host.example"), ("/CN=Grüße", "Grüße"),
        ])
    func summary(_ subject: String, _ summary: String) throws {
        let own = try made.maker.make(
            "Summary", keyOf: made.root, subject: subject, ["subjectAltName=DNS:host.example"], options: ["-utf8"])
        #expect(try read(own).subjectSummary == summary)
    }

    @Test("Serial numbers are the content of the DER integer, negative ones too")
    func serials() throws {
        for (option, serial) in [("0x80", [0, 0x80]), ("1", [1]), ("-2", [0xFE])] as [(String, [UInt8])] {
            let own = try made.maker.make("Serial", keyOf: made.root, options: ["-set_serial", option])
            #expect(try read(own).serial == serial)
        }
        let long = String(repeating: "7f", count: 200)
        let own = try made.maker.make("Serial", keyOf: made.root, options: ["-set_serial", "0x" + long])
        #expect(try read(own).serial == Array(repeating: 0x7F, count: 200))
    }

    @Test("Keys are told as Apple tells them")
    func keys() throws {
        let ec = try read(made.server).key
        #expect(ec.algorithm == .ellipticCurve && ec.bits == 256)
        #expect(ec.externalRepresentation.count == 65 && ec.externalRepresentation.first == 4)
        #expect(ec.info.suffix(65) == ec.externalRepresentation[...])
        let rsa = try read(made.maker.make("RSA", key: .rsa2048)).key
        #expect(rsa.algorithm == .rsa && rsa.bits == 2_048)
        // SEQUENCE, INTEGER of 257 bytes, INTEGER 65537
        #expect(rsa.externalRepresentation.count == 270 && rsa.externalRepresentation.first == 0x30)
        #expect(rsa.info.count == 294)
        let edwards = try read(made.maker.make("Ed", key: .ed25519)).key
        #expect(edwards.algorithm == .ed25519 && edwards.bits == 256 && edwards.externalRepresentation.count == 32)
    }

    @Test("A point in its short form is told in its long one")
    func shortPoint() throws {
        let maker = made.maker
        try maker.run([
            "genpkey", "-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-256", "-out", maker.path("long.key"),
        ])
        try maker.run([
            "ec", "-in", maker.path("long.key"), "-conv_form", "compressed", "-out", maker.path("short.key"),
        ])
        let words = ["req", "-x509", "-new", "-config", maker.path("cnf"), "-subj", "/CN=point"]
        for form in ["long", "short"] {
            try maker.run(words + ["-key", maker.path(form + ".key"), "-out", maker.path(form + ".pem")])
        }
        let long = try #require(X509Certificate(maker.der(maker.path("long.pem")))).key
        let short = try #require(X509Certificate(maker.der(maker.path("short.pem")))).key
        #expect(short.info.count == long.info.count - 32)
        #expect(short.externalRepresentation == long.externalRepresentation)
    }

    @Test("What follows a certificate, or is too long, is refused")
    func bounds() {
        let der = made.server.bytes.der
        #expect(X509Certificate(CertificateBytes(der: der + [0])) == nil)
        #expect(X509Certificate(CertificateBytes(der: Array(der.dropLast()))) == nil)
        #expect(X509Certificate(CertificateBytes(der: [])) == nil)
        #expect(X509Certificate(CertificateBytes(der: Array(repeating: 0x30, count: 2 << 20))) == nil)
    }

    @Test("Dates beyond the year 9999 or before 1970 are no trouble")
    func farDates() throws {
        let own = try made.maker.make("Far", keyOf: made.root, days: 2_900_000)
        #expect(try #require(try read(own).notAfter).seconds > 250_000_000_000)
    }
}
