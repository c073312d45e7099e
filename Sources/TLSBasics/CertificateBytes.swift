/// One X.509 certificate as it was sent, in DER: a value that says nothing of whether it can be read or trusted.
package struct CertificateBytes: Hashable, Sendable {
    package let der: [UInt8]

    package init(der: [UInt8]) { self.der = der }
}

extension CertificateBytes: CustomStringConvertible {
    package var description: String { "certificate of \(der.count) bytes" }
}
