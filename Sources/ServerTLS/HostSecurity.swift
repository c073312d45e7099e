import HTTPBasics
import NIOCore
import ServerScript
import TLSBasics
import TLSEngine
import TestCertificates

/// What the connections of one host share of TLS. The same file in both worlds. Confined to the server's thread.
package final class HostSecurity {
    let plan: HostTLS
    private let context: TLSServerContext

    /// - Parameter date: When the certificates of clients are judged, and when a stapled response is made.
    package init(_ plan: HostTLS, library: TLSLibrary, date: UnixTime) throws(TLSSetupError) {
        self.plan = plan
        guard let identity = TestCertificates.identity(named: plan.certificate.rawValue) else {
            throw TLSSetupError.unusableIdentity("there is no preset '\(plan.certificate.rawValue)'")
        }
        var settings = TLSServerSettings(identity: identity)
        settings.versions = plan.versions
        settings.securityLevel = plan.certificate.isWeak || plan.versions.lowerBound < .tls12 ? 0 : nil
        settings.cipherList = Self.list(plan.ciphers.filter { !$0.versions.contains(.tls13) })
        settings.cipherSuites = Self.list(plan.ciphers.filter { $0.versions.contains(.tls13) })
        settings.applicationProtocols = plan.applicationProtocols
        settings.tickets = plan.tickets
        settings.clientCertificate = Self.demand(plan.clientCertificate)
        settings.clientAnchors = TLSServerSettings.Anchors(
            certificates: TestCertificates.clientAuthority, date: date.seconds)
        settings.acceptedIssuers = TestCertificates.clientAuthority.compactMap { X509Certificate($0)?.subject.der }
        if let staple = plan.staple {
            settings.stapledResponse = try HostStaple(certificate: plan.certificate, preset: staple, date: date)
                .response()
        }
        context = try TLSServerContext(library: library, settings)
    }

    private static func list(_ ciphers: [CipherSuite]) -> String? {
        ciphers.isEmpty ? nil : ciphers.map(\.rawValue).joined(separator: ":")
    }

    private static func demand(_ wanted: HostTLS.CertificateDemand) -> TLSServerSettings.ClientCertificate {
        switch wanted {
        case .none: .none
        case .optional: .optional
        case .required: .required
        case .refused(let alert): .refused(alert)
        }
    }

    /// The layer of one accepted connection.
    ///
    /// - Parameters:
    ///   - outer: That of the proxy through which it was accepted.
    ///   - isSpoilt: Whether the host's fault strikes its handshake; `PeerTLS.spoil` may say so later.
    package func accept(within outer: PeerTLS? = nil, isSpoilt: Bool = false) throws(TLSSetupError) -> PeerTLS {
        let end = try TLSConnection(server: context)
        let layer = PeerTLS(end, plan.fault, recordSize: plan.recordSize, within: outer)
        if isSpoilt { layer.spoil() }
        return layer
    }
}
