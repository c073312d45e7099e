import COpenSSL

/// The public key of a certificate.
package struct CertificateKey: Hashable, Sendable {
    package enum Algorithm: Hashable, Sendable {
        case rsa, ellipticCurve, ed25519, ed448
        /// By its name in OpenSSL.
        case other(String)
    }

    package let algorithm: Algorithm
    /// Its size; 0 when OpenSSL does not know the algorithm.
    package let bits: Int
    /// The SubjectPublicKeyInfo in DER (RFC 5280 4.1.2.7): what public-key pins are usually hashes of.
    package let info: [UInt8]
    /// As Apple's `SecKeyCopyExternalRepresentation` gives it: of RSA the PKCS#1 RSAPublicKey in DER, of a curve the
    /// uncompressed point of X9.63, of others the bytes of the key.
    package let externalRepresentation: [UInt8]

    /// The SHA-256 of `info`; empty where the system refuses to compute it.
    package var infoHash: [UInt8] {
        var hash = [UInt8](repeating: 0, count: 32)
        var count = 0
        let isDone = EVP_Q_digest(nil, "SHA256", nil, info, info.count, &hash, &count) == 1 && count == hash.count
        return isDone ? hash : []
    }

    init(of certificate: OpaquePointer) {
        let key = X509_get_X509_PUBKEY(certificate)
        info = CertificateHandle.encoded { i2d_X509_PUBKEY(key, $0) }
        let decoded = CertificateErrors.forgotten { X509_get0_pubkey(certificate) }
        bits = decoded.map { Int(EVP_PKEY_get_bits($0)) } ?? 0
        var object: OpaquePointer?
        var bytes: UnsafePointer<UInt8>?
        var count: Int32 = 0
        X509_PUBKEY_get0_param(&object, &bytes, &count, nil, key)
        let raw = bytes.map { [UInt8](UnsafeBufferPointer(start: $0, count: Int(max(count, 0)))) } ?? []
        switch OBJ_obj2nid(object) {
        case NID_rsaEncryption, NID_rsassaPss: (algorithm, externalRepresentation) = (.rsa, raw)
        case NID_X9_62_id_ecPublicKey:
            (algorithm, externalRepresentation) = (.ellipticCurve, Self.uncompressed(raw, of: decoded))
        case NID_ED25519: (algorithm, externalRepresentation) = (.ed25519, raw)
        case NID_ED448: (algorithm, externalRepresentation) = (.ed448, raw)
        case let other:
            let name = other == NID_undef ? nil : OBJ_nid2sn(other).map { String(cString: $0) }
            (algorithm, externalRepresentation) = (.other(name ?? "unknown"), raw)
        }
    }

    /// A certificate may hold a point in its short form, one coordinate and a sign (SEC 1 2.3.3).
    private static func uncompressed(_ point: [UInt8], of key: OpaquePointer?) -> [UInt8] {
        guard let key, point.first == 2 || point.first == 3 else { return point }
        return CertificateErrors.forgotten {
            let width = point.count - 1
            guard let x = coordinate(OSSL_PKEY_PARAM_EC_PUB_X, of: key, width: width),
                let y = coordinate(OSSL_PKEY_PARAM_EC_PUB_Y, of: key, width: width)
            else { return point }
            return [4] + x + y
        }
    }

    private static func coordinate(_ name: String, of key: OpaquePointer, width: Int) -> [UInt8]? {
        var number: OpaquePointer?
        guard EVP_PKEY_get_bn_param(key, name, &number) == 1, let number else { return nil }
        defer { BN_free(number) }
        var bytes = [UInt8](repeating: 0, count: width)
        return BN_bn2binpad(number, &bytes, Int32(width)) == Int32(width) ? bytes : nil
    }
}
