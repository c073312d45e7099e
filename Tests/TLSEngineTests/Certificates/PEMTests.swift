import TLSBasics
import Testing

@testable import TLSEngine

@Suite("Certificates: PEM")
struct PEMTests {
    let made: MadeChains

    init() throws { made = try MadeChains.shared.get() }

    private func kind<Value>(_ result: Result<Value, IdentityProblem>) -> IdentityProblem.Kind? {
        if case .failure(let problem) = result { problem.kind } else { nil }
    }

    @Test("Certificates are found between other text, in their order")
    func certificates() throws {
        let text = Array("words\n".utf8) + made.server.pem + made.server.keyPEM + Array("\r\n".utf8) + made.root.pem
        #expect(try PEM.certificates(text).get().map(\.bytes) == [made.server.bytes, made.root.bytes])
        let windows = made.root.pem.flatMap { $0 == 10 ? [13, 10] : [$0] }
        #expect(try PEM.certificates(windows).get().map(\.bytes) == [made.root.bytes])
    }

    @Test("An identity is put in the order of TLS")
    func order() throws {
        let text = made.root.pem + made.intermediate.pem + made.server.pem
        let identity = try PEM.identity(certificates: text, privateKey: made.server.keyPEM).get()
        #expect(identity.chain == made.chain + [made.root.bytes])
        #expect(
            try PEM.identity(certificates: made.server.keyPEM + text, privateKey: made.server.keyPEM + text).get()
                == identity)
    }

    @Test("Problems have names")
    func problems() {
        let (pem, key) = (made.server.pem, made.server.keyPEM)
        #expect(kind(PEM.certificates([])) == .noCertificate)
        #expect(kind(PEM.certificates(key)) == .noCertificate)
        #expect(kind(PEM.certificates(Array(pem.dropLast(60)))) == .malformedCertificate)
        #expect(kind(PEM.certificates(Array(repeating: 10, count: (16 << 20) + 1))) == .tooLarge)
        #expect(kind(PEM.identity(certificates: pem, privateKey: pem)) == .noKey)
        #expect(kind(PEM.identity(certificates: key, privateKey: key)) == .noCertificate)
        #expect(kind(PEM.identity(certificates: pem, privateKey: Array(key.dropLast(60)))) == .malformedKey)
        #expect(kind(PEM.identity(certificates: pem, privateKey: made.root.keyPEM)) == .keyDoesNotFit)
        let many = Array(repeating: pem, count: 101).flatMap(\.self)
        #expect(kind(PEM.identity(certificates: many, privateKey: key)) == .tooLarge)
        let binary = PEM.certificates(made.server.bytes.der)
        if case .failure(let problem) = binary { #expect(problem.detail.contains("DER")) }
    }

    @Test("Encrypted keys need their passphrase", arguments: ["pkcs8", "traditional"])
    func encrypted(_ form: String) throws {
        let maker = made.maker
        let words =
            form == "pkcs8"
            ? ["pkcs8", "-topk8", "-v2", "aes-256-cbc", "-passout", "pass:wörd"]
            : ["ec", "-aes128", "-passout", "pass:wörd"]
        try maker.run(words + ["-in", made.server.keyPath, "-out", maker.path(form + ".key")])
        let key = try maker.read(form + ".key")
        let plain = try PEM.identity(certificates: made.server.pem, privateKey: made.server.keyPEM).get()
        #expect(try PEM.identity(certificates: made.server.pem, privateKey: key, passphrase: "wörd").get() == plain)
        #expect(kind(PEM.identity(certificates: made.server.pem, privateKey: key)) == .passphraseNeeded)
        for wrong in ["word", "", String(repeating: "x", count: 5_000)] {
            let answer = PEM.identity(certificates: made.server.pem, privateKey: key, passphrase: wrong)
            #expect(kind(answer) == .wrongPassphrase)
        }
    }

    @Test("Damaged texts never do harm")
    func damaged() {
        let text = made.server.pem + made.server.keyPEM
        var damage = Damage(seed: 2)
        for _ in 0..<1_500 {
            let text = damage.applied(to: text)
            _ = PEM.identity(certificates: text, privateKey: text, passphrase: "x")
        }
    }
}
