import TLSBasics
import TestCertificates
import Testing

@testable import TLSEngine

@Suite("Certificates: PKCS#12, written")
struct PKCS12WritingTests {
    @Test("What is written is read, with the whole chain", arguments: ["client", "valid", "ed25519", "long-chain"])
    func roundTrip(_ name: String) throws {
        let identity = try #require(TestCertificates.identity(named: name))
        let container = try #require(PKCS12.container(of: identity, name: name, passphrase: "wörd"))
        #expect(try PKCS12.identity(container, passphrase: "wörd").get() == identity)
        let answer = PKCS12.identity(container, passphrase: "word")
        #expect(throws: IdentityProblem.self) { try answer.get() }
    }

    @Test("An identity that cannot be read is in no container")
    func unreadable() throws {
        let identity = try #require(TestCertificates.identity(named: "client"))
        let odd = TLSIdentity(chain: identity.chain + [CertificateBytes(der: [1])], privateKey: identity.privateKey)
        #expect(PKCS12.container(of: odd, name: "odd", passphrase: "") == nil)
        let keyless = TLSIdentity(chain: identity.chain, privateKey: [1])
        #expect(PKCS12.container(of: keyless, name: "keyless", passphrase: "") == nil)
    }
}
