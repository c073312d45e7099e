import COpenSSL

/// What a client needs to resume a session. It skips the question of trust, so keep it only of connections that were
/// trusted, and offer it only to the same server, under the same rules of trust.
package final class TLSSession: @unchecked Sendable {
    // Safety: it is a copy of OpenSSL's own, and nobody changes it; connections are given further copies.
    private let session: OpaquePointer

    /// Nil if it cannot be resumed.
    init?(copying original: OpaquePointer) {
        guard SSL_SESSION_is_resumable(original) == 1, let copy = SSL_SESSION_dup(original) else { return nil }
        session = copy
    }

    deinit { SSL_SESSION_free(session) }

    /// One of TLS 1.3 is for one connection (RFC 8446 C.4). Before, a server gives no new one as long as the old one
    /// will do.
    package var isForMany: Bool { SSL_SESSION_get_protocol_version(session) < TLS1_3_VERSION }

    /// Offers it to the server. A copy, because OpenSSL marks the session of a connection that fails as unusable, while
    /// another thread might read it.
    func offer(on ssl: OpaquePointer) {
        guard let copy = SSL_SESSION_dup(session) else { return }
        SSL_set_session(ssl, copy)
        SSL_SESSION_free(copy)
    }
}

extension TLSSession: Equatable {
    package static func == (left: TLSSession, right: TLSSession) -> Bool { left === right }
}
