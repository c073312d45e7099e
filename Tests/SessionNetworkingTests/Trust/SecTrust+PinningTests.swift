import Foundation
import SessionNetworking
import Testing

/// What guides to certificate pinning for iOS show, word for word: it must compile and work as it stands.
@Suite("Trust: the usual pinning code")
struct SecTrustPinningTests {
    let fixture: TrustFixture

    init() throws { fixture = try TrustFixture.shared.get() }

    /// What a session puts into a challenge: the host's policy, and here the test's authority.
    private func serverTrust(host: String = "api.example.com") throws -> SecTrust {
        let chain = try SecCertificate.certificates(pem: fixture.data("server.pem"))
        var trust: SecTrust?
        #expect(
            SecTrustCreateWithCertificates(chain as CFArray, SecPolicyCreateSSL(true, host as CFString), &trust) == 0)
        let made = try #require(trust)
        let authority = try #require(SecCertificateCreateWithData(nil, fixture.data("authority.cer") as CFData))
        SecTrustSetAnchorCertificates(made, [authority] as CFArray)
        return made
    }

    @Test("A certificate is pinned", arguments: [("server.cer", true), ("other.cer", false)])
    func certificate(_ file: String, _ isPinned: Bool) throws {
        let pinnedCertificateData = try fixture.data(file)

        func isServerTrusted(_ serverTrust: SecTrust) -> Bool {
            let policy = SecPolicyCreateSSL(true, "api.example.com" as CFString)
            SecTrustSetPolicies(serverTrust, policy)

            var error: CFError?
            guard SecTrustEvaluateWithError(serverTrust, &error) else {
                print("not trusted: \(error?.localizedDescription ?? "unknown")")
                return false
            }
            guard let chain = SecTrustCopyCertificateChain(serverTrust) as? [SecCertificate],
                let serverCertificate = chain.first
            else { return false }
            let remoteCertificateData = SecCertificateCopyData(serverCertificate) as Data
            return remoteCertificateData == pinnedCertificateData
        }

        #expect(isServerTrusted(try serverTrust()) == isPinned)
    }

    @Test("A public key is pinned by the SHA-256 of its SubjectPublicKeyInfo")
    func publicKey() throws {
        // The header of an RSA-2048 SubjectPublicKeyInfo, which the external representation lacks
        let rsa2048Asn1Header: [UInt8] = [
            0x30, 0x82, 0x01, 0x22, 0x30, 0x0d, 0x06, 0x09, 0x2a, 0x86, 0x48, 0x86,
            0xf7, 0x0d, 0x01, 0x01, 0x01, 0x05, 0x00, 0x03, 0x82, 0x01, 0x0f, 0x00,
        ]

        func sha256(data: Data) -> String {
            var keyWithHeader = Data(rsa2048Asn1Header)
            keyWithHeader.append(data)
            return Data(SHA256Sum.hash(data: keyWithHeader)).base64EncodedString()
        }

        func pin(of serverTrust: SecTrust) -> String? {
            guard SecTrustEvaluateWithError(serverTrust, nil) else { return nil }
            if let certificates = SecTrustCopyCertificateChain(serverTrust) as? [SecCertificate],
                let certificate = certificates.first,
                let serverPublicKey = SecCertificateCopyKey(certificate),
                let serverPublicKeyData = SecKeyCopyExternalRepresentation(serverPublicKey, nil)
            {
                let data: Data = serverPublicKeyData as Data
                return sha256(data: data)
            }
            return nil
        }

        #expect(pin(of: try serverTrust()) == (try fixture.text("server.pin")))
        #expect(pin(of: try serverTrust(host: "other.example")) == nil)
    }

    @Test("A certificate tells the hash of its SubjectPublicKeyInfo, of every kind of key")
    func publicKeyInfoHash() throws {
        for name in ["server", "other"] {
            let certificate = try #require(
                SecCertificateCreateWithData(nil, try fixture.data("\(name).cer") as CFData))
            #expect(certificate.publicKeyInfoHash.base64EncodedString() == (try fixture.text("\(name).pin")))
            #expect(Data(SHA256Sum.hash(data: certificate.publicKeyInfo)) == certificate.publicKeyInfoHash)
        }
    }

    @Test("The keys of a trust and of a curve, with the error's usual form")
    func keyOfTrust() throws {
        let serverTrust = try serverTrust()
        guard let publicKey = SecTrustCopyKey(serverTrust) else {
            Issue.record("no key")
            return
        }
        var error: Unmanaged<CFError>?
        guard let keyData = SecKeyCopyExternalRepresentation(publicKey, &error) as Data? else {
            throw error!.takeRetainedValue() as Error
        }
        let attributes = SecKeyCopyAttributes(publicKey) as? [CFString: AnyObject]
        let keyType = attributes?[kSecAttrKeyType] as? String
        let keySize = (attributes?[kSecAttrKeySizeInBits] as? NSNumber)?.intValue
        #expect(keyType == kSecAttrKeyTypeRSA as String && keySize == 2_048 && SecKeyGetBlockSize(publicKey) == 256)
        #expect(keyData.count == 270)

        let other = try #require(
            SecCertificateCreateWithData(kCFAllocatorDefault, try fixture.data("other.cer") as NSData))
        let point =
            try #require(SecCertificateCopyKey(other).flatMap { SecKeyCopyExternalRepresentation($0, nil) }) as Data
        let secp384r1Header: [UInt8] = [
            0x30, 0x76, 0x30, 0x10, 0x06, 0x07, 0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x02, 0x01, 0x06, 0x05, 0x2B, 0x81, 0x04,
            0x00, 0x22, 0x03, 0x62, 0x00,
        ]
        #expect(SHA256Sum.hash(data: secp384r1Header + point).base64EncodedString() == (try fixture.text("other.pin")))
    }

    @Test("An authority of one's own is trusted, for its host")
    func ownAuthority() throws {
        let certificateData = try fixture.data("authority.cer")

        func evaluate(_ trust: SecTrust) throws -> Bool {
            guard let certificate = SecCertificateCreateWithData(nil, certificateData as CFData) else { return false }
            let anchors = [certificate] as CFArray
            guard SecTrustSetAnchorCertificates(trust, anchors) == errSecSuccess else { return false }
            SecTrustSetAnchorCertificatesOnly(trust, true)
            var result: CFError?
            let trusted = SecTrustEvaluateWithError(trust, &result)
            if let error = result { throw error }
            return trusted
        }

        let certificates = try SecCertificate.certificates(pem: fixture.data("server.pem"))
        var optionalTrust: SecTrust?
        let policy = SecPolicyCreateSSL(true, "api.example.com" as CFString)
        let status = SecTrustCreateWithCertificates(certificates as AnyObject, [policy] as AnyObject, &optionalTrust)
        #expect(status == errSecSuccess)
        let trust = try #require(optionalTrust)
        #expect(!SecTrustEvaluateWithError(trust, nil))
        #expect(try evaluate(trust))
        #expect(throws: NSError.self) { try evaluate(try serverTrust(host: "evil.example")) }
    }

    @Test("A client's identity is read from a PKCS#12 file")
    func identity() throws {
        let p12Data = try fixture.data("server.p12")

        let options: NSDictionary = [kSecImportExportPassphrase as NSString: "secret"]
        var items: CFArray?
        let result = SecPKCS12Import(p12Data as NSData, options, &items)
        guard result == errSecSuccess else {
            Issue.record("\(result)")
            return
        }
        let itemArray = items! as! [[String: Any]]
        let identity = itemArray.first![kSecImportItemIdentity as String] as! SecIdentity
        let chain = itemArray[0][kSecImportItemCertChain as String] as? [SecCertificate]
        let trust = itemArray[0][kSecImportItemTrust as String] as! SecTrust
        #expect(chain?.count == 2 && SecTrustCopyKey(trust) != nil)

        var rawItems: CFArray?
        let options2 = [kSecImportExportPassphrase as String: "secret"] as CFDictionary
        #expect(SecPKCS12Import(p12Data as CFData, options2, &rawItems) == errSecSuccess)
        guard let items2 = rawItems as? [[String: AnyObject]], let firstItem = items2.first,
            let identity2 = firstItem[kSecImportItemIdentity as String] as! SecIdentity?
        else {
            Issue.record("no items")
            return
        }
        let typed = rawItems as! Array<Dictionary<String, Any>>
        #expect(identity2 == identity && typed.count == 1)

        var certificate: SecCertificate?
        #expect(SecIdentityCopyCertificate(identity, &certificate) == errSecSuccess)
        #expect(SecCertificateCopySubjectSummary(certificate!) as String? == "Test Server")
        let items3 = (rawItems! as [AnyObject])[0] as? [CFString: Any]
        #expect(items3?[kSecImportItemIdentity] is SecIdentity)
    }

    @Test("Older guides' code: mutable arrays, bytes by pointer, type numbers")
    func older() throws {
        let serverTrust = try serverTrust()
        let policies = NSMutableArray()
        policies.add(SecPolicyCreateSSL(true, "api.example.com" as CFString))
        SecTrustSetPolicies(serverTrust, policies)
        guard SecTrustEvaluateWithError(serverTrust, nil), let chain = SecTrustCopyCertificateChain(serverTrust),
            CFArrayGetCount(chain) > 0, let certificate = (chain as [AnyObject]).first as! SecCertificate?
        else {
            Issue.record("not trusted")
            return
        }
        #expect(CFGetTypeID(certificate) == SecCertificateGetTypeID())
        let serverCertificateData = SecCertificateCopyData(certificate)
        let data = CFDataGetBytePtr(serverCertificateData)
        let size = CFDataGetLength(serverCertificateData)
        let cert1 = NSData(bytes: data, length: size)
        let cert2 = try fixture.data("server.cer")
        #expect(cert1.isEqual(to: cert2) && CFEqual(serverCertificateData, cert2 as CFData))

        var anchors: CFArray?
        #expect(SecTrustCopyAnchorCertificates(&anchors) == errSecSuccess)
        #expect((anchors as? [SecCertificate])?.isEmpty == false)
    }
}
