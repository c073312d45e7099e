import COpenSSL
import TLSBasics

/// Whether a certificate is for a host (RFC 9525): by its alternative names only, never by its common name.
struct HostMatch {
    let host: String

    /// Nil when the certificate is for the host.
    func problem(with certificate: X509Certificate) -> TrustProblem? {
        guard !CertificateErrors.forgotten({ matches(certificate) }) else { return nil }
        let name = OpenSSLText.shown(host)
        return TrustProblem(
            .otherHost,
            "\(certificate.shownName) is not for \(name), but for \(named(in: certificate)). Use one of its names, or"
                + " have \(name) added to its alternative names (a common name does not count).")
    }

    private func matches(_ certificate: X509Certificate) -> Bool {
        if let address { return certificate.withPointer { X509_check_ip($0, address, address.count, 0) == 1 } }
        // An absolute name (RFC 1034 3.1) is the same host.
        let plain = host.hasSuffix(".") ? String(host.dropLast()) : host
        // OpenSSL takes a leading dot for "any host below", and an empty name for a C string.
        guard !plain.isEmpty, !plain.hasPrefix("."), !plain.utf8.contains(0) else { return false }
        let rules = UInt32(X509_CHECK_FLAG_NEVER_CHECK_SUBJECT | X509_CHECK_FLAG_NO_PARTIAL_WILDCARDS)
        return certificate.withPointer { X509_check_host($0, plain, plain.utf8.count, rules, nil) == 1 }
    }

    /// The bytes of an IP address; nil for a host.
    private var address: [UInt8]? {
        var text = Substring(host)
        if text.hasPrefix("["), text.hasSuffix("]") { text = text.dropFirst().dropLast() }
        // The zone names an interface of this machine: no part of the address (RFC 4007 11).
        if text.contains(":"), let zone = text.firstIndex(of: "%") { text = text[..<zone] }
        guard !text.utf8.contains(0) else { return nil }
        var bytes = [UInt8](repeating: 0, count: 16)
        let count = address_bytes(String(text), &bytes)
        return count > 0 ? Array(bytes.prefix(Int(count))) : nil
    }

    private func named(in certificate: X509Certificate) -> String {
        let names = certificate.names
        let all = names.hosts + names.addresses
        guard !all.isEmpty else { return "no host at all" }
        let most = 6
        let shown = all.prefix(most).map(OpenSSLText.shown).joined(separator: ", ")
        return all.count > most ? "\(shown) and \(all.count - most) more" : shown
    }
}
