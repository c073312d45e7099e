import COpenSSL

/// What OpenSSL says in this thread while certificates are read, kept apart from what it says of connections.
enum CertificateErrors {
    /// Runs `body` and forgets the errors that it left in this thread's queue: `SSL_get_error` reads the same queue,
    /// and would take them for a connection's.
    static func forgotten<Result>(_ body: () -> Result) -> Result {
        ERR_set_mark()
        defer { ERR_pop_to_mark() }
        return body()
    }

    /// What the newest error says, to be called within `forgotten`.
    static var newest: String? {
        let code = ERR_peek_last_error()
        guard code != 0, let reason = ERR_reason_error_string(code) else { return nil }
        return String(cString: reason)
    }
}
