/// What one end tells the other before it gives up, or when it has nothing more to say (RFC 8446 6, RFC 5246 7.2).
package struct TLSAlert: RawRepresentable, Hashable, Sendable {
    package let rawValue: UInt8

    package init(rawValue: UInt8) { self.rawValue = rawValue }

    package static let closeNotify = TLSAlert(rawValue: 0)
    package static let unexpectedMessage = TLSAlert(rawValue: 10)
    package static let badRecordMAC = TLSAlert(rawValue: 20)
    package static let recordOverflow = TLSAlert(rawValue: 22)
    package static let handshakeFailure = TLSAlert(rawValue: 40)
    package static let noCertificate = TLSAlert(rawValue: 41)
    package static let badCertificate = TLSAlert(rawValue: 42)
    package static let unsupportedCertificate = TLSAlert(rawValue: 43)
    package static let certificateRevoked = TLSAlert(rawValue: 44)
    package static let certificateExpired = TLSAlert(rawValue: 45)
    package static let certificateUnknown = TLSAlert(rawValue: 46)
    package static let illegalParameter = TLSAlert(rawValue: 47)
    package static let unknownCA = TLSAlert(rawValue: 48)
    package static let accessDenied = TLSAlert(rawValue: 49)
    package static let decodeError = TLSAlert(rawValue: 50)
    package static let decryptError = TLSAlert(rawValue: 51)
    package static let protocolVersion = TLSAlert(rawValue: 70)
    package static let insufficientSecurity = TLSAlert(rawValue: 71)
    package static let internalError = TLSAlert(rawValue: 80)
    package static let inappropriateFallback = TLSAlert(rawValue: 86)
    package static let userCanceled = TLSAlert(rawValue: 90)
    package static let noRenegotiation = TLSAlert(rawValue: 100)
    package static let missingExtension = TLSAlert(rawValue: 109)
    package static let unsupportedExtension = TLSAlert(rawValue: 110)
    package static let unrecognizedName = TLSAlert(rawValue: 112)
    package static let badCertificateStatusResponse = TLSAlert(rawValue: 113)
    package static let unknownPSKIdentity = TLSAlert(rawValue: 115)
    package static let certificateRequired = TLSAlert(rawValue: 116)
    package static let noApplicationProtocol = TLSAlert(rawValue: 120)

    private static let names: [(alert: TLSAlert, name: String)] = [
        (.closeNotify, "close_notify"), (.unexpectedMessage, "unexpected_message"), (.badRecordMAC, "bad_record_mac"),
        (.recordOverflow, "record_overflow"), (.handshakeFailure, "handshake_failure"),
        (.noCertificate, "no_certificate"), (.badCertificate, "bad_certificate"),
        (.unsupportedCertificate, "unsupported_certificate"), (.certificateRevoked, "certificate_revoked"),
        (.certificateExpired, "certificate_expired"), (.certificateUnknown, "certificate_unknown"),
        (.illegalParameter, "illegal_parameter"), (.unknownCA, "unknown_ca"), (.accessDenied, "access_denied"),
        (.decodeError, "decode_error"), (.decryptError, "decrypt_error"), (.protocolVersion, "protocol_version"),
        (.insufficientSecurity, "insufficient_security"), (.internalError, "internal_error"),
        (.inappropriateFallback, "inappropriate_fallback"), (.userCanceled, "user_canceled"),
        (.noRenegotiation, "no_renegotiation"), (.missingExtension, "missing_extension"),
        (.unsupportedExtension, "unsupported_extension"), (.unrecognizedName, "unrecognized_name"),
        (.badCertificateStatusResponse, "bad_certificate_status_response"),
        (.unknownPSKIdentity, "unknown_psk_identity"), (.certificateRequired, "certificate_required"),
        (.noApplicationProtocol, "no_application_protocol"),
    ]

    /// Those with which OpenSSL can refuse a certificate.
    package static let refusals: [TLSAlert] = [
        .handshakeFailure, .badCertificate, .unsupportedCertificate, .certificateRevoked, .certificateExpired,
        .certificateUnknown, .unknownCA, .decryptError, .internalError,
    ]

    /// The alert with this name.
    package init?(name: String) {
        guard let found = Self.names.first(where: { $0.name == name }) else { return nil }
        self = found.alert
    }

    /// The names of all alerts that the standards define and that are still met.
    package static var allNames: [String] { names.map(\.name) }
}

extension TLSAlert: CustomStringConvertible {
    /// Its name in the standards, or its number.
    package var description: String { Self.names.first { $0.alert == self }?.name ?? "alert \(rawValue)" }
}
