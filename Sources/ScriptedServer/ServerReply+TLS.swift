import ServerScript

/// Faults of a connection that is secured with TLS. On another they make the server's start throw, except for
/// `truncate`, which is `fin` there. One that what was agreed upon does not allow, such as an alert with a cipher suite
/// of an older kind than GCM, does not strike, and is a violation.
extension ServerReply {
    /// Ends the connection without the word of TLS that nothing follows (close_notify), as if someone on the way had
    /// cut it.
    public func truncate(at point: ReplyPoint) -> ServerReply { failing(point, .truncate) }

    /// Says that nothing follows (close_notify), then ends the connection: of two layers that alone which the fault
    /// strikes, see `inProxysTLS()`. With one layer it is what `fin(at:)` does.
    public func closeNotify(at point: ReplyPoint) -> ServerReply { failing(point, .record(.closeNotify)) }

    /// Sends this alert, protected as everything else is, then FIN. Needs TLS 1.2 or 1.3.
    public func alert(_ alert: ServerAlert, at point: ReplyPoint) -> ServerReply {
        failing(point, .record(.alert(alert.alert)))
    }

    /// Sends a record that no key opens, then FIN.
    public func badRecord(at point: ReplyPoint) -> ServerReply { failing(point, .record(.badRecord)) }

    /// Sends the beginning of a record that is longer than any may be, then FIN.
    public func longRecord(at point: ReplyPoint) -> ServerReply { failing(point, .record(.longRecord)) }

    /// Sends text in clear in the place of a record, then FIN.
    public func clearRecord(at point: ReplyPoint) -> ServerReply { failing(point, .record(.clearText)) }

    /// Takes new keys and asks the client for the same, then goes on. Needs TLS 1.3.
    public func updateKeys(at point: ReplyPoint) -> ServerReply { failing(point, .record(.keyUpdate)) }

    /// Takes 10,000 new keys, each of which the client has to answer; then sends nothing more, and reads nothing. Needs
    /// TLS 1.3.
    public func floodKeys(at point: ReplyPoint) -> ServerReply { failing(point, .record(.keyFlood)) }

    /// Asks the client to agree anew, then goes on; a client that declines is refused with `handshakeFailure`. Needs a
    /// host that speaks TLS 1.2 or below only.
    public func renegotiate(at point: ReplyPoint) -> ServerReply { failing(point, .record(.renegotiation)) }
}
