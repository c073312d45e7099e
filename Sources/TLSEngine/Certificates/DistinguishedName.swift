import COpenSSL

/// The name of a subject or an issuer (RFC 5280 4.1.2.4).
package struct DistinguishedName: Hashable, Sendable {
    package let der: [UInt8]
    /// As "C=DE, O=Example, CN=Example Root"; characters that a terminal would obey are escaped.
    package let text: String
    private let attributes: [Attribute]

    private struct Attribute: Hashable {
        var kind: Int32
        var value: String
    }

    /// - Parameter name: Owned by the caller.
    init(_ name: OpaquePointer?) {
        der = CertificateHandle.encoded { i2d_X509_NAME(name, $0) }
        text = Self.text(of: name)
        attributes = CertificateErrors.forgotten {
            (0..<max(X509_NAME_entry_count(name), 0)).compactMap { index in
                guard let entry = X509_NAME_get_entry(name, index),
                    let value = OpenSSLText.utf8(X509_NAME_ENTRY_get_data(entry))
                else { return nil }
                return Attribute(kind: OBJ_obj2nid(X509_NAME_ENTRY_get_object(entry)), value: value)
            }
        }
    }

    /// In the order of the name.
    func values(of kind: Int32) -> [String] { attributes.filter { $0.kind == kind }.map(\.value) }

    private static func text(of name: OpaquePointer?) -> String {
        CertificateErrors.forgotten {
            guard let name, let memory = BIO_new(BIO_s_mem()) else { return "" }
            defer { BIO_free(memory) }
            let escapes = UInt(ASN1_STRFLGS_ESC_2253 | ASN1_STRFLGS_ESC_CTRL | ASN1_STRFLGS_UTF8_CONVERT)
            let layout = UInt(XN_FLAG_SEP_CPLUS_SPC | XN_FLAG_FN_SN)
            guard X509_NAME_print_ex(memory, name, 0, escapes | layout) >= 0 else { return "" }
            return OpenSSLText.content(of: memory)
        }
    }
}
