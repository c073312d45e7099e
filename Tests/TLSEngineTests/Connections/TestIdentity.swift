import COpenSSL
import TLSBasics

/// A key and certificate made for one test.
final class TestIdentity {
    enum Key {
        case p256
        case rsa(bits: UInt32)
    }

    let identity: TLSIdentity
    /// Its subject, in DER.
    let subject: [UInt8]
    private let certificate: OpaquePointer
    private let key: OpaquePointer

    /// Valid in 2020 to 2099. Without an issuer it is signed by itself.
    init?(_ name: String, _ kind: Key = .p256, by issuer: TestIdentity? = nil) {
        guard let key = Self.makeKey(kind), let certificate = X509_new() else { return nil }
        self.key = key
        self.certificate = certificate
        X509_set_version(certificate, 2)
        ASN1_INTEGER_set(X509_get_serialNumber(certificate), Int.random(in: 1..<1 << 40))
        ASN1_TIME_set_string(X509_getm_notBefore(certificate), "20200101000000Z")
        ASN1_TIME_set_string(X509_getm_notAfter(certificate), "20991231000000Z")
        X509_set_pubkey(certificate, key)
        let subject = X509_get_subject_name(certificate)
        X509_NAME_add_entry_by_txt(subject, "CN", MBSTRING_UTF8, name, -1, -1, 0)
        X509_set_issuer_name(certificate, X509_get_subject_name(issuer?.certificate ?? certificate))
        if let constraints = X509V3_EXT_conf_nid(nil, nil, NID_basic_constraints, "critical,CA:TRUE") {
            X509_add_ext(certificate, constraints, -1)
            X509_EXTENSION_free(constraints)
        }
        X509_sign(certificate, issuer?.key ?? key, EVP_sha256())
        let info = EVP_PKEY2PKCS8(key)
        defer { PKCS8_PRIV_KEY_INFO_free(info) }
        let own = CertificateBytes(der: Self.bytes { i2d_X509(certificate, $0) })
        identity = TLSIdentity(
            chain: [own] + (issuer?.identity.chain ?? []), privateKey: Self.bytes { i2d_PKCS8_PRIV_KEY_INFO(info, $0) })
        self.subject = Self.bytes { i2d_X509_NAME(subject, $0) }
    }

    deinit {
        X509_free(certificate)
        EVP_PKEY_free(key)
    }

    private static func makeKey(_ kind: Key) -> OpaquePointer? {
        let isRSA = if case .rsa = kind { true } else { false }
        let maker = EVP_PKEY_CTX_new_id(isRSA ? EVP_PKEY_RSA : EVP_PKEY_EC, nil)
        defer { EVP_PKEY_CTX_free(maker) }
        EVP_PKEY_keygen_init(maker)
        switch kind {
        case .p256: EVP_PKEY_CTX_set_ec_paramgen_curve_nid(maker, NID_X9_62_prime256v1)
        case .rsa(let bits): EVP_PKEY_CTX_set_rsa_keygen_bits(maker, Int32(bits))
        }
        var key: OpaquePointer?
        EVP_PKEY_keygen(maker, &key)
        return key
    }

    private static func bytes(_ encode: (UnsafeMutablePointer<UnsafeMutablePointer<UInt8>?>?) -> Int32) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: Int(max(encode(nil), 0))) { space, count in
            var position = space.baseAddress
            count = Int(max(encode(&position), 0))
        }
    }
}
