import COpenSSL
import HTTPBasics
import TLSBasics

/// A certificate that can be read; it need not be trusted.
///
/// Everything is read from OpenSSL's form when it is asked for: most certificates are looked at once.
package struct X509Certificate: Sendable {
    package let bytes: CertificateBytes
    let handle: CertificateHandle

    /// The largest certificate that is looked at. Real ones have 1 to 4 KiB, and those of large hosting companies some
    /// 20 KiB.
    package static let largest = 1 << 20

    /// Nil when the bytes are no certificate, or when more bytes follow it.
    package init?(_ bytes: CertificateBytes) {
        guard bytes.der.count <= Self.largest, let handle = CertificateHandle.read(bytes.der) else { return nil }
        self.bytes = bytes
        self.handle = handle
    }

    /// - Parameter pointer: A certificate that others own too.
    init(sharing pointer: OpaquePointer) {
        X509_up_ref(pointer)
        handle = CertificateHandle(owning: pointer)
        bytes = CertificateBytes(der: CertificateHandle.der(of: pointer))
    }

    /// For calls of OpenSSL: what they return may point into the certificate, which lives at least as long as `body`
    /// runs.
    func withPointer<Result>(_ body: (OpaquePointer) -> Result) -> Result {
        withExtendedLifetime(handle) { body(handle.pointer) }
    }

    package var subject: DistinguishedName { withPointer { DistinguishedName(X509_get_subject_name($0)) } }

    package var issuer: DistinguishedName { withPointer { DistinguishedName(X509_get_issuer_name($0)) } }

    /// The first common name of the subject.
    package var commonName: String? { subject.values(of: NID_commonName).first }

    /// The content of the DER integer: the most significant byte first, negative as two's complement.
    package var serial: [UInt8] {
        let integer = withPointer { pointer in
            CertificateHandle.encoded { i2d_ASN1_INTEGER(X509_get0_serialNumber(pointer), $0) }
        }
        guard integer.count > 2 else { return [] }
        // A length of 128 or more has its own length in the low bits (X.690 8.1.3.5).
        return Array(integer.dropFirst(integer[1] < 0x80 ? 2 : 2 + Int(integer[1] & 0x7F)))
    }

    /// Nil when the date cannot be read.
    package var notBefore: UnixTime? { withPointer { X509_get0_notBefore($0).flatMap(Self.time) } }

    /// Nil when the date cannot be read. May lie beyond the year 9999.
    package var notAfter: UnixTime? { withPointer { X509_get0_notAfter($0).flatMap(Self.time) } }

    /// The issuer has the subject's name; whether it is also signed by itself is another question.
    package var isSelfIssued: Bool {
        withPointer { X509_NAME_cmp(X509_get_subject_name($0), X509_get_issuer_name($0)) == 0 }
    }

    /// May sign other certificates.
    package var isAuthority: Bool { CertificateErrors.forgotten { withPointer { X509_check_ca($0) > 0 } } }

    /// Says where its issuer's certificate can be fetched (RFC 5280 4.2.2.1): a sign that the issuer is an
    /// intermediate.
    package var namesIssuerAddress: Bool {
        CertificateErrors.forgotten { withPointer { certificate_names_issuer_address($0) == 1 } }
    }

    /// By names and key identifiers; the signature is not looked at.
    func hasIssued(_ other: X509Certificate) -> Bool {
        CertificateErrors.forgotten {
            withPointer { issuer in other.withPointer { X509_check_issued(issuer, $0) == X509_V_OK } }
        }
    }

    /// By its name in OpenSSL, as "RSA-SHA256".
    package var signatureAlgorithm: String {
        let name = OBJ_nid2sn(withPointer { X509_get_signature_nid($0) })
        return name.map { String(cString: $0) } ?? "unknown"
    }

    package var key: CertificateKey { withPointer { CertificateKey(of: $0) } }

    /// As Apple's `SecCertificateCopySubjectSummary`: the common name, else the organizational unit or the
    /// organization, else an e-mail address, else the first host.
    package var subjectSummary: String? {
        let subject = subject
        let main = [NID_commonName, NID_organizationalUnitName, NID_organizationName].lazy
            .map { subject.values(of: $0) }.first { !$0.isEmpty }?.reversed().joined(separator: ", ")
        let description = subject.values(of: NID_description).joined(separator: ", ")
        guard description.isEmpty else { return main.map { "\($0) (\(description))" } ?? description }
        let names = names
        return main ?? subject.values(of: NID_pkcs9_emailAddress).first ?? names.emails.first ?? names.hosts.first
    }

    /// How a sentence for people begins.
    var shownName: String {
        let name = subjectSummary ?? subject.text
        return name.isEmpty ? "The certificate without a name" : "The certificate \"\(OpenSSLText.shown(name))\""
    }

    /// The names that the certificate is for, beside its subject's.
    package var names: SubjectNames { withPointer { SubjectNames(of: $0) } }

    static func time(_ date: UnsafePointer<ASN1_TIME>) -> UnixTime? {
        CertificateErrors.forgotten {
            guard let epoch = ASN1_TIME_set(nil, 0) else { return nil }
            defer { ASN1_STRING_free(epoch) }
            var days: Int32 = 0
            var seconds: Int32 = 0
            guard ASN1_TIME_diff(&days, &seconds, epoch, date) == 1 else { return nil }
            return UnixTime(seconds: Int64(days) * 86_400 + Int64(seconds))
        }
    }
}

extension X509Certificate: Hashable {
    package static func == (left: X509Certificate, right: X509Certificate) -> Bool { left.bytes == right.bytes }

    package func hash(into hasher: inout Hasher) { hasher.combine(bytes) }
}
