import COpenSSL
import HTTPBasics
import TLSBasics

/// What an authority says of the revocation of its certificates: RFC 6960.
final class OCSPResponse {
    enum Answer: Hashable {
        case good
        /// Since then, if the date can be read.
        case revoked(UnixTime?)
        /// It says nothing that counts, for this reason: the end of a sentence about "the response".
        case nothing(String)
    }

    private typealias Date = UnsafeMutablePointer<ASN1_GENERALIZEDTIME>

    private let basic: OpaquePointer

    /// By how much the clocks of client and responder may differ, in seconds.
    private static let tolerance: Int64 = 300
    /// How long a response counts that does not say when the next one comes, in seconds: a day.
    private static let usualLife: Int64 = 86_400

    /// Nil unless `der` is a successful response, and nothing else.
    init?(_ der: [UInt8]) {
        let read: OpaquePointer? = CertificateErrors.forgotten {
            der.withUnsafeBufferPointer { bytes in
                var position = bytes.baseAddress
                guard der.count <= PeerCertificates.longestResponse,
                    let response = d2i_OCSP_RESPONSE(nil, &position, bytes.count)
                else { return nil }
                defer { OCSP_RESPONSE_free(response) }
                guard position == bytes.baseAddress.map({ $0 + bytes.count }),
                    OCSP_response_status(response) == OCSP_RESPONSE_STATUS_SUCCESSFUL
                else { return nil }
                return OCSP_response_get1_basic(response)
            }
        }
        guard let read else { return nil }
        basic = read
    }

    deinit { OCSP_BASICRESP_free(basic) }

    /// What it says of a certificate of this issuer, at this date, whatever a clock says. Of several statements that
    /// count, one that it was revoked has the last word.
    func answer(about certificate: X509Certificate, of issuer: X509Certificate, at date: UnixTime) -> Answer {
        CertificateErrors.forgotten {
            // The cheap questions first.
            let statements = statements(about: certificate, of: issuer).map { Self.answer($0, at: date) }
            guard
                let last = statements.first(where: \.isRevocation) ?? statements.first(where: \.counts)
                    ?? statements.first
            else { return .nothing("is about another certificate") }
            guard last.counts || last == Self.unknown else { return last }
            return isSigned(for: issuer, at: date)
                ? last : .nothing("is signed neither by the certificate's authority nor by a responder of it")
        }
    }

    private static let unknown = Answer.nothing("says that the authority does not know the certificate")

    private static func answer(_ single: OpaquePointer, at date: UnixTime) -> Answer {
        var since: Date?, from: Date?, until: Date?
        let status = OCSP_single_get0_status(single, nil, &since, &from, &until)
        if let problem = problem(from: from, until: until, at: date) { return .nothing(problem) }
        switch status {
        case V_OCSP_CERTSTATUS_GOOD: return .good
        case V_OCSP_CERTSTATUS_REVOKED: return .revoked(since.flatMap { X509Certificate.time($0) })
        default: return unknown
        }
    }

    /// The parts that are about the certificate, which a response may name by any of these digests.
    private func statements(about certificate: X509Certificate, of issuer: X509Certificate) -> [OpaquePointer] {
        var found: [OpaquePointer] = []
        for digest in [EVP_sha1(), EVP_sha256(), EVP_sha384(), EVP_sha512()] {
            // Nil where the system forbids the digest.
            guard let name = certificate.withPointer({ own in issuer.withPointer { OCSP_cert_to_id(digest, own, $0) } })
            else { continue }
            defer { OCSP_CERTID_free(name) }
            var place = OCSP_resp_find(basic, name, -1)
            while place >= 0 {
                if let statement = OCSP_resp_get0(basic, place) { found.append(statement) }
                place = OCSP_resp_find(basic, name, place)
            }
        }
        return found
    }

    private static func problem(from: Date?, until: Date?, at date: UnixTime) -> String? {
        guard let start = from.flatMap({ X509Certificate.time($0) }) else { return "has dates that cannot be read" }
        // Dates of certificates end with the year 9999: the sums fit.
        let usual = UnixTime(seconds: start.seconds + usualLife)
        guard let end = until == nil ? usual : until.flatMap({ X509Certificate.time($0) }) else {
            return "has dates that cannot be read"
        }
        if start.seconds - tolerance > date.seconds { return "is not valid before \(HTTPDate.text(start))" }
        if end.seconds + tolerance < date.seconds { return "is out of date since \(HTTPDate.text(end))" }
        return nil
    }

    /// By the issuer itself, or by a responder with a certificate of the issuer for this purpose (RFC 6960 4.2.2.2).
    private func isSigned(for issuer: X509Certificate, at date: UnixTime) -> Bool {
        guard isStrong, let anchors = TrustAnchors([issuer]), let known = certificates_new() else { return false }
        defer { certificates_free(known) }
        return withExtendedLifetime((issuer, anchors)) {
            certificates_push(known, issuer.handle.pointer)
            let parameters = X509_STORE_get0_param(anchors.store)
            ChainVerification.configure(parameters, date: date)
            X509_VERIFY_PARAM_set_flags(parameters, UInt(X509_V_FLAG_PARTIAL_CHAIN))
            return OCSP_basic_verify(basic, known, anchors.store, UInt(OCSP_NOEXPLICIT)) == 1
        }
    }

    /// Whether the signature is over a digest of 256 bits at least, or of a kind that has its own (BEHAVIOUR
    /// 2.B8-staple).
    private var isStrong: Bool {
        guard let signature = OCSP_resp_get0_tbs_sigalg(basic) else { return false }
        var object: OpaquePointer?
        X509_ALGOR_get0(&object, nil, nil, signature)
        let algorithm = OBJ_obj2nid(object)
        if [NID_ED25519, NID_ED448].contains(algorithm) { return true }
        if algorithm == NID_rsassaPss { return Self.strongDigests.contains(ocsp_pss_digest(signature)) }
        var digest = NID_undef
        OBJ_find_sigid_algs(algorithm, &digest, nil)
        return Self.strongDigests.contains(digest)
    }

    private static let strongDigests = [
        NID_sha256, NID_sha384, NID_sha512, NID_sha512_256, NID_sha3_256, NID_sha3_384, NID_sha3_512,
    ]
}

extension OCSPResponse.Answer {
    fileprivate var isRevocation: Bool { if case .revoked = self { true } else { false } }
    /// It is good or revoked.
    fileprivate var counts: Bool { if case .nothing = self { false } else { true } }
}
