import COpenSSL

/// The names of a certificate's extension "subject alternative name" (RFC 5280 4.2.1.6): the only ones that a host is
/// compared with (RFC 9525 2).
package struct SubjectNames: Hashable, Sendable {
    /// As they stand in the certificate: perhaps with a wildcard, or with characters that no host has.
    package private(set) var hosts: [String] = []
    /// IP addresses as text.
    package private(set) var addresses: [String] = []
    package private(set) var emails: [String] = []

    init(of certificate: OpaquePointer) {
        CertificateErrors.forgotten {
            guard let names = X509_get_ext_d2i(certificate, NID_subject_alt_name, nil, nil).map({ OpaquePointer($0) })
            else { return }
            defer { GENERAL_NAMES_free(names) }
            for index in 0..<general_names_count(names) {
                let bytes = OpenSSLText.bytes(general_name_string(names, index))
                switch general_name_type(names, index) {
                case GEN_DNS: hosts.append(String(decoding: bytes, as: UTF8.self))
                case GEN_EMAIL: emails.append(String(decoding: bytes, as: UTF8.self))
                case GEN_IPADD: addresses.append(Self.address(bytes))
                default: break
                }
            }
        }
    }

    private static func address(_ bytes: [UInt8]) -> String {
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: 64) { text in
            guard let start = text.baseAddress, let shown = address_text(bytes, Int32(clamping: bytes.count), start)
            else { return "address of \(bytes.count) bytes" }
            return String(cString: shown)
        }
    }
}
