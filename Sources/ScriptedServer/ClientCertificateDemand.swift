import ServerScript

/// Whether a server that speaks TLS wants a certificate of its client. It takes those that the authority for clients
/// has signed, which `understudy certs` writes.
public struct ClientCertificateDemand: Hashable, Sendable {
    let demand: HostTLS.CertificateDemand

    /// None is asked for.
    public static let none = ClientCertificateDemand(demand: .none)
    /// One is asked for; a client that has none is served, too.
    public static let optional = ClientCertificateDemand(demand: .optional)
    /// A client without one is refused.
    public static let required = ClientCertificateDemand(demand: .required)

    /// One is asked for, and refused with this alert, whichever it is. Of the alerts those will do that are about
    /// certificates or what is checked about them: `handshakeFailure`, `badCertificate`, `unsupportedCertificate`,
    /// `certificateRevoked`, `certificateExpired`, `certificateUnknown`, `unknownCA`, `decryptError`, `internalError`.
    public static func refused(_ alert: ServerAlert = .badCertificate) -> ClientCertificateDemand {
        ClientCertificateDemand(demand: .refused(alert.alert))
    }
}
