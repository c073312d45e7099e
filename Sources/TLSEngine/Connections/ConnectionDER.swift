import COpenSSL
import TLSBasics

/// From DER to OpenSSL's objects of a library context. Nothing may follow what is read.
enum ConnectionDER {
    /// The caller frees it.
    static func certificate(_ bytes: CertificateBytes, _ library: OpaquePointer?) -> OpaquePointer? {
        read(bytes.der, free: X509_free) { pointer, count in
            // OpenSSL frees it when it cannot read.
            var certificate = X509_new_ex(library, nil)
            return certificate == nil ? nil : d2i_X509(&certificate, &pointer, count)
        }
    }

    /// The caller frees it.
    static func name(_ der: [UInt8]) -> OpaquePointer? {
        read(der, free: X509_NAME_free) { pointer, count in d2i_X509_NAME(nil, &pointer, count) }
    }

    /// The key in a PKCS#8 structure; the caller frees it.
    static func privateKey(_ der: [UInt8], _ library: OpaquePointer?) -> OpaquePointer? {
        let info = read(der, free: PKCS8_PRIV_KEY_INFO_free) { pointer, count in
            d2i_PKCS8_PRIV_KEY_INFO(nil, &pointer, count)
        }
        guard let info else { return nil }
        defer { PKCS8_PRIV_KEY_INFO_free(info) }
        return EVP_PKCS82PKEY_ex(info, library, nil)
    }

    private static func read(
        _ der: [UInt8], free: (OpaquePointer) -> Void, _ parse: (inout UnsafePointer<UInt8>?, Int) -> OpaquePointer?
    ) -> OpaquePointer? {
        der.withUnsafeBufferPointer { bytes in
            var position = bytes.baseAddress
            guard let object = parse(&position, bytes.count) else { return nil }
            if position == bytes.baseAddress.map({ $0 + bytes.count }) { return object }
            free(object)
            return nil
        }
    }
}
