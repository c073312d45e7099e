import COpenSSL
import HTTPBasics
import TLSBasics

/// Signs OCSP responses, for servers that staple them: an authority, or somebody in its place.
package struct OCSPSigner {
    package enum Statement: Hashable, Sendable {
        case good, revoked, unknown
    }

    /// What is said, since when it is known, and until when it counts; nil if that is not said.
    package struct Claim: Hashable, Sendable {
        let status: Statement
        let from: UnixTime
        let until: UnixTime?

        package init(_ status: Statement, from: UnixTime, until: UnixTime?) {
            (self.status, self.from, self.until) = (status, from, until)
        }
    }

    package enum Unsigned: Error {
        case unreadable, refused(String)
    }

    private let certificate: X509Certificate
    private let privateKey: [UInt8]
    /// Whether its certificate goes along, which no client needs of the certificate's own issuer.
    private let showsItself: Bool

    /// Nil when the identity has no certificate that can be read.
    package init?(_ identity: TLSIdentity, showsItself: Bool) {
        guard let certificate = identity.chain.first.flatMap({ X509Certificate($0) }) else { return nil }
        self.certificate = certificate
        privateKey = identity.privateKey
        self.showsItself = showsItself
    }

    /// The DER of a response about a certificate of this issuer. The same arguments give the same bytes, if the key's
    /// algorithm needs no random numbers.
    ///
    /// - Parameters:
    ///   - from: When it is known, and the time of the signature; what is revoked was revoked a day before.
    ///   - until: When newer information will be there; nil if that is not said.
    package func response(
        _ status: Statement, about subject: X509Certificate, of issuer: X509Certificate, from: UnixTime,
        until: UnixTime?
    ) throws(Unsigned) -> [UInt8] {
        try response([Claim(status, from: from, until: until)], about: subject, of: issuer, at: from)
    }

    /// A response with several statements about one certificate, in this order.
    package func response(
        _ claims: [Claim], about subject: X509Certificate, of issuer: X509Certificate, at time: UnixTime
    ) throws(Unsigned) -> [UInt8] {
        ERR_clear_error()
        defer { ERR_clear_error() }
        guard let key = ConnectionDER.privateKey(privateKey, nil), let basic = OCSP_BASICRESP_new() else {
            throw .unreadable
        }
        defer {
            EVP_PKEY_free(key)
            OCSP_BASICRESP_free(basic)
        }
        guard let name = subject.withPointer({ own in issuer.withPointer { OCSP_cert_to_id(EVP_sha1(), own, $0) } })
        else { throw .refused(OpenSSLReason.take().text) }
        defer { OCSP_CERTID_free(name) }
        for claim in claims { Self.add(claim, about: name, to: basic) }
        ocsp_set_time(basic, time_t(time.seconds))
        let flags = OCSP_NOTIME | (showsItself ? 0 : OCSP_NOCERTS)
        let isSigned = certificate.withPointer {
            OCSP_basic_sign(basic, $0, key, EVP_sha256(), nil, UInt(flags)) == 1
        }
        guard isSigned, let response = OCSP_response_create(OCSP_RESPONSE_STATUS_SUCCESSFUL, basic) else {
            throw .refused(OpenSSLReason.take().text)
        }
        defer { OCSP_RESPONSE_free(response) }
        return CertificateHandle.encoded { i2d_OCSP_RESPONSE(response, $0) }
    }

    private static func add(_ claim: Claim, about name: OpaquePointer, to basic: OpaquePointer) {
        let since = ASN1_TIME_set(nil, time_t(claim.from.seconds - 86_400))
        let start = ASN1_TIME_set(nil, time_t(claim.from.seconds))
        let end = claim.until.flatMap { ASN1_TIME_set(nil, time_t($0.seconds)) }
        defer { for date in [since, start, end] { ASN1_STRING_free(date) } }
        OCSP_basic_add1_status(
            basic, name, number(claim.status), OCSP_REVOKED_STATUS_NOSTATUS, claim.status == .revoked ? since : nil,
            start, end)
    }

    private static func number(_ status: Statement) -> Int32 {
        switch status {
        case .good: V_OCSP_CERTSTATUS_GOOD
        case .revoked: V_OCSP_CERTSTATUS_REVOKED
        case .unknown: V_OCSP_CERTSTATUS_UNKNOWN
        }
    }
}
