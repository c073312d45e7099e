import TLSBasics
import Testing

@testable import TLSEngine

@Suite("Certificates: PKCS#12")
struct PKCS12Tests {
    let made: MadeChains

    init() throws { made = try MadeChains.shared.get() }

    private func export(_ name: String, _ words: [String] = [], passphrase: String = "wörd") throws -> [UInt8] {
        let path = made.maker.path(name)
        try made.maker.run(["pkcs12", "-export", "-out", path, "-passout", "pass:" + passphrase] + words)
        return try made.maker.read(name)
    }

    private func exportServer(_ name: String, _ words: [String] = [], passphrase: String = "wörd") throws -> [UInt8] {
        let server = ["-in", made.server.path, "-inkey", made.server.keyPath, "-certfile", made.intermediate.path]
        return try export(name, server + words, passphrase: passphrase)
    }

    private func kind(_ container: [UInt8], _ passphrase: String) -> IdentityProblem.Kind? {
        if case .failure(let problem) = PKCS12.identity(container, passphrase: passphrase) {
            problem.kind
        } else {
            nil
        }
    }

    @Test("Modern and old containers are read", arguments: [[], ["-legacy"], ["-legacy", "-descert"]])
    func read(_ words: [String]) throws {
        let container = try exportServer("good.p12", words)
        let identity = try PKCS12.identity(container, passphrase: "wörd").get()
        #expect(
            identity
                == (try PEM.identity(
                    certificates: made.server.pem + made.intermediate.pem, privateKey: made.server.keyPEM
                ).get()))
        #expect(kind(container, "word") == .wrongPassphrase)
        #expect(kind(container, "") == .wrongPassphrase)
    }

    @Test("An empty passphrase is one")
    func empty() throws {
        let container = try exportServer("empty.p12", passphrase: "")
        #expect(kind(container, "") == nil)
        #expect(kind(container, "x") == .wrongPassphrase)
    }

    @Test(
        "Whatever is hashed counts: for the code over the content, for the certificates, for the key",
        arguments: [
            ["-iter", "2000", "-nomaciter"], ["-certpbe", "NONE", "-iter", "2000", "-nomaciter"],
            ["-keypbe", "NONE", "-iter", "2000", "-nomaciter"], ["-iter", "1000", "-nomaciter"],
            ["-iter", "2000", "-nomaciter", "-legacy"], ["-macalg", "sha256", "-iter", "2000"],
        ])
    func rounds(_ words: [String]) throws {
        let container = try exportServer("rounds.p12", words)
        #expect(PKCS12.identity(container, passphrase: "wörd", mostRounds: 1500).problem?.kind == .unsupported)
        #expect(PKCS12.identity(container, passphrase: "wörd", mostRounds: 4000).problem == nil)
    }

    @Test("Problems have names")
    func problems() throws {
        #expect(kind([], "") == .malformed)
        #expect(kind(made.server.pem, "") == .malformed)
        #expect(kind([UInt8](repeating: 0, count: (16 << 20) + 1), "") == .tooLarge)
        #expect(kind(try export("nokey.p12", ["-nokeys", "-in", made.server.path]), "wörd") == .noKey)
        #expect(
            kind(
                try export("nocert.p12", ["-nocerts", "-inkey", made.server.keyPath, "-in", made.server.keyPath]),
                "wörd") == .noCertificate)
        #expect(kind(try exportServer("nomac.p12", ["-nomac"]), "wörd") == .unsupported)
    }

    @Test("Damaged containers never do harm")
    func damaged() throws {
        let container = try exportServer("damaged.p12", ["-iter", "1"])
        var damage = Damage(seed: 3)
        for _ in 0..<1_000 { _ = PKCS12.identity(damage.applied(to: container), passphrase: "wörd") }
    }
}

extension Result where Failure == IdentityProblem {
    fileprivate var problem: IdentityProblem? {
        if case .failure(let problem) = self { problem } else { nil }
    }
}
