import COpenSSL
import TLSBasics

/// OpenSSL's context with what both ends have in common: what many connections share.
final class ContextHandle: @unchecked Sendable {
    // Safety: it is changed only while its owner is being made, and OpenSSL guards what connections change in it.
    let pointer: OpaquePointer
    /// Its library context; nil is OpenSSL's default.
    let library: OpaquePointer?

    /// Without a `securityLevel` it is OpenSSL's usual 2, but 0 if versions are allowed that know no better hashes than
    /// SHA-1.
    init(
        _ method: OpaquePointer?, _ library: TLSLibrary, _ versions: ClosedRange<TLSVersion>, securityLevel: Int? = nil
    ) throws(TLSSetupError) {
        ERR_clear_error()
        self.library = try library.openSSL()
        guard let pointer = SSL_CTX_new_ex(self.library, nil, method) else { throw .openSSL(OpenSSLReason.take().text) }
        self.pointer = pointer
        let lowest = versions.lowerBound
        // The machine's openssl.cnf may have changed any of these.
        tls_set_versions(pointer, Int32(lowest.rawValue), Int32(versions.upperBound.rawValue))
        SSL_CTX_set_security_level(pointer, Int32(clamping: securityLevel ?? (lowest < .tls12 ? 0 : 2)))
        tls_set_modes(pointer)
        tls_refuse_renegotiation(pointer)
        tls_set_session_cache(pointer, Int(SSL_SESS_CACHE_OFF))
        SSL_CTX_set_msg_callback(pointer, TLSDialogue.messageCallback)
    }

    deinit { SSL_CTX_free(pointer) }

    /// Names of protocols in the form in which they are sent: RFC 7301 3.1.
    static func encode(protocols: [String]) throws(TLSSetupError) -> [UInt8] {
        var bytes: [UInt8] = []
        for name in protocols {
            guard let count = UInt8(exactly: name.utf8.count), count > 0 else { throw .unusableProtocol(name) }
            bytes.append(count)
            bytes += name.utf8
        }
        return bytes
    }
}
