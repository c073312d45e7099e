import TLSBasics

/// What a server that speaks TLS tells its client before it gives up (RFC 8446 6, RFC 5246 7.2).
public struct ServerAlert: Hashable, Sendable {
    let alert: TLSAlert

    /// Nothing follows; no error. Number 0.
    public static let closeNotify = ServerAlert(alert: .closeNotify)
    /// A message came that had no place there. Number 10.
    public static let unexpectedMessage = ServerAlert(alert: .unexpectedMessage)
    /// A record could not be opened. Number 20.
    public static let badRecordMAC = ServerAlert(alert: .badRecordMAC)
    /// A record was too long. Number 22.
    public static let recordOverflow = ServerAlert(alert: .recordOverflow)
    /// There is nothing that both ends can do. Number 40.
    public static let handshakeFailure = ServerAlert(alert: .handshakeFailure)
    /// No certificate; of SSL 3. Number 41.
    public static let noCertificate = ServerAlert(alert: .noCertificate)
    /// A certificate is damaged. Number 42.
    public static let badCertificate = ServerAlert(alert: .badCertificate)
    /// A certificate is of a kind that is not taken. Number 43.
    public static let unsupportedCertificate = ServerAlert(alert: .unsupportedCertificate)
    /// A certificate was revoked. Number 44.
    public static let certificateRevoked = ServerAlert(alert: .certificateRevoked)
    /// A certificate is not valid at this time. Number 45.
    public static let certificateExpired = ServerAlert(alert: .certificateExpired)
    /// Something else about a certificate. Number 46.
    public static let certificateUnknown = ServerAlert(alert: .certificateUnknown)
    /// A field had a value that it cannot have. Number 47.
    public static let illegalParameter = ServerAlert(alert: .illegalParameter)
    /// The authority of a certificate is not known. Number 48.
    public static let unknownCA = ServerAlert(alert: .unknownCA)
    /// The certificate is good, and does not suffice. Number 49.
    public static let accessDenied = ServerAlert(alert: .accessDenied)
    /// A message could not be read. Number 50.
    public static let decodeError = ServerAlert(alert: .decodeError)
    /// A signature or a check value was wrong. Number 51.
    public static let decryptError = ServerAlert(alert: .decryptError)
    /// The version is not spoken. Number 70.
    public static let protocolVersion = ServerAlert(alert: .protocolVersion)
    /// What the client can do is too weak. Number 71.
    public static let insufficientSecurity = ServerAlert(alert: .insufficientSecurity)
    /// An error that has nothing to do with the peer. Number 80.
    public static let internalError = ServerAlert(alert: .internalError)
    /// The client tried a lower version than it needs to. Number 86.
    public static let inappropriateFallback = ServerAlert(alert: .inappropriateFallback)
    /// Somebody has changed their mind; no error. Number 90.
    public static let userCanceled = ServerAlert(alert: .userCanceled)
    /// Nothing is agreed upon anew; no error. Number 100.
    public static let noRenegotiation = ServerAlert(alert: .noRenegotiation)
    /// An extension was missing. Number 109.
    public static let missingExtension = ServerAlert(alert: .missingExtension)
    /// An extension was not asked for. Number 110.
    public static let unsupportedExtension = ServerAlert(alert: .unsupportedExtension)
    /// The server does not know the name that it was asked for by. Number 112.
    public static let unrecognizedName = ServerAlert(alert: .unrecognizedName)
    /// A stapled response was wrong. Number 113.
    public static let badCertificateStatusResponse = ServerAlert(alert: .badCertificateStatusResponse)
    /// A shared key is not known. Number 115.
    public static let unknownPSKIdentity = ServerAlert(alert: .unknownPSKIdentity)
    /// The client has shown no certificate. Number 116.
    public static let certificateRequired = ServerAlert(alert: .certificateRequired)
    /// There is no protocol that both ends speak. Number 120.
    public static let noApplicationProtocol = ServerAlert(alert: .noApplicationProtocol)
}
