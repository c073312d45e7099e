import Foundation
import SessionNetworking
import Testing

@Suite("Trust: identities")
struct SecIdentityTests {
    let fixture: TrustFixture

    init() throws { fixture = try TrustFixture.shared.get() }

    private func identity(_ certificate: String, _ key: String, _ passphrase: String? = nil) throws -> SecIdentity {
        try SecIdentity(
            certificatePEM: fixture.data(certificate), privateKeyPEM: fixture.data(key), passphrase: passphrase)
    }

    @Test("PEM gives an identity, whose key stays secret")
    func pem() throws {
        let identity = try identity("server.pem", "server.key")
        #expect(try identity == self.identity("server.pem", "secret.key", "secret"))
        var key: SecKey?
        #expect(SecIdentityCopyPrivateKey(identity, &key) == errSecSuccess)
        let secret = try #require(key)
        #expect((SecKeyCopyAttributes(secret) as? [String: Any])?[kSecAttrKeyClass as String] as? String == "1")
        var error: Unmanaged<CFError>?
        #expect(SecKeyCopyExternalRepresentation(secret, &error) == nil)
        #expect(error?.takeRetainedValue().code == Int(errSecKeyIsSensitive))
        var certificate: SecCertificate?
        SecIdentityCopyCertificate(identity, &certificate)
        #expect(SecKeyCopyPublicKey(secret) == certificate.flatMap(SecCertificateCopyKey))
        #expect("\(identity)".contains("Test Server"))
    }

    @Test(
        "Problems have codes",
        arguments: [
            ("server.pem", "other.key", nil, errSecPublicKeyInconsistent),
            ("server.pem", "secret.key", nil, errSecPassphraseRequired),
            ("server.pem", "secret.key", "wrong", errSecAuthFailed),
            ("server.pem", "server.pem", nil, errSecItemNotFound), ("cnf", "server.key", nil, errSecItemNotFound),
        ] as [(String, String, String?, OSStatus)])
    func problems(_ certificate: String, _ key: String, _ passphrase: String?, _ status: OSStatus) throws {
        let error = #expect(throws: SecReadingError.self) { try identity(certificate, key, passphrase) }
        #expect(error?.status == status)
    }

    @Test("PKCS#12 problems have codes")
    func containers() throws {
        func imported(_ data: Data, _ options: [String: Any]) -> OSStatus {
            var items: CFArray?
            let status = SecPKCS12Import(data as CFData, options as CFDictionary, &items)
            #expect(items.map(CFArrayGetCount) == (status == errSecSuccess ? 1 : 0))
            return status
        }

        let passphrase = kSecImportExportPassphrase as String
        let server = try fixture.data("server.p12")
        #expect(imported(server, [passphrase: "secret"]) == errSecSuccess)
        #expect(imported(server, [passphrase: "wrong"]) == errSecAuthFailed)
        #expect(imported(server, [:]) == errSecPassphraseRequired)
        #expect(imported(server, [passphrase: 1]) == errSecParam)
        #expect(imported(try fixture.data("nokey.p12"), [passphrase: "secret"]) == errSecItemNotFound)
        #expect(imported(Data("x".utf8), [passphrase: "secret"]) == errSecDecode)
    }
}
