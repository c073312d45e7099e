/// What two ends agreed upon.
package struct TLSFacts: Hashable, Sendable {
    package let version: TLSVersion
    /// By its number in IANA's registry.
    package let cipherSuite: UInt16
    /// The protocol that ALPN has chosen; nil if none was.
    package let applicationProtocol: String?
    /// An earlier session goes on: no certificate was sent.
    package let isResumed: Bool

    package init(version: TLSVersion, cipherSuite: UInt16, applicationProtocol: String?, isResumed: Bool) {
        self.version = version
        self.cipherSuite = cipherSuite
        self.applicationProtocol = applicationProtocol
        self.isResumed = isResumed
    }
}
