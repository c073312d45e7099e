import COpenSSL
import TLSBasics

/// The last entry of OpenSSL's queue of errors, which every thread has one of.
struct OpenSSLReason {
    private let code: UInt

    /// Takes it and empties the queue.
    static func take() -> OpenSSLReason {
        let reason = OpenSSLReason(code: ERR_peek_last_error())
        ERR_clear_error()
        return reason
    }

    var text: String { ERR_reason_error_string(code).map { String(cString: $0) } ?? "no reason given" }

    /// The number of the reason, if it is one of the TLS code.
    var number: Int32? { ERR_GET_LIB(code) == ERR_LIB_SSL ? ERR_GET_REASON(code) : nil }

    /// The peer's alert, if that was the reason.
    var alert: TLSAlert? {
        guard let number, number >= SSL_AD_REASON_OFFSET else { return nil }
        return UInt8(exactly: number - SSL_AD_REASON_OFFSET).map(TLSAlert.init(rawValue:))
    }

    var isMismatchOfKey: Bool {
        number == SSL_R_PRIVATE_KEY_MISMATCH
            || ERR_GET_LIB(code) == ERR_LIB_X509
                && (ERR_GET_REASON(code) == X509_R_KEY_VALUES_MISMATCH
                    || ERR_GET_REASON(code) == X509_R_KEY_TYPE_MISMATCH)
    }
}
