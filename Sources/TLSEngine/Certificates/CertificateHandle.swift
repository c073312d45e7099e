import COpenSSL

/// OpenSSL's form of a certificate, shared by all who read it.
final class CertificateHandle: @unchecked Sendable {
    // Safety: never changed after it was read; what OpenSSL caches in it, it caches under a lock of its own.
    let pointer: OpaquePointer

    /// Takes over the caller's reference.
    init(owning pointer: OpaquePointer) { self.pointer = pointer }

    deinit { X509_free(pointer) }

    /// Nil unless `der` is one certificate and nothing else.
    static func read(_ der: [UInt8]) -> CertificateHandle? {
        CertificateErrors.forgotten {
            der.withUnsafeBufferPointer { bytes in
                var position = bytes.baseAddress
                guard let read = d2i_X509(nil, &position, bytes.count) else { return nil }
                let handle = CertificateHandle(owning: read)
                return position == bytes.baseAddress.map { $0 + bytes.count } ? handle : nil
            }
        }
    }

    /// The certificate in DER.
    static func der(of pointer: OpaquePointer) -> [UInt8] { encoded { i2d_X509(pointer, $0) } }

    /// What one of OpenSSL's `i2d` functions writes; empty when it fails.
    static func encoded(_ write: (UnsafeMutablePointer<UnsafeMutablePointer<UInt8>?>) -> Int32) -> [UInt8] {
        CertificateErrors.forgotten {
            var output: UnsafeMutablePointer<UInt8>?
            let count = write(&output)
            guard count > 0, let output else { return [] }
            // It may be a private key.
            defer { openssl_free_secret(output, Int(count)) }
            return [UInt8](UnsafeBufferPointer(start: output, count: Int(count)))
        }
    }
}
