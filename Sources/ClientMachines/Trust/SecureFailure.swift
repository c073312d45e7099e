import HTTPBasics
import TLSBasics

/// Why a connection is not secure, with what its error shows of it.
package struct SecureFailure: Error, Hashable, Sendable {
    package let failure: TLSFailure
    /// Set if the certificates were not trusted.
    package let problem: TrustProblem?
    /// What the server has shown of itself; nil if it did not come to that.
    package let peer: PeerCertificates?
    /// Set if it is the proxy's layer, and not the server's: which proxy.
    package let proxy: Origin?

    package init(
        _ failure: TLSFailure, problem: TrustProblem? = nil, peer: PeerCertificates? = nil, proxy: Origin? = nil
    ) {
        self.proxy = proxy
        self.failure = failure
        self.problem = problem
        self.peer = peer
    }

    /// BEHAVIOUR 2.B1-codes; of a proxy, too (2.E11-codes).
    package var kind: Failure.Kind {
        switch (failure.kind, failure.ownCertificate) {
        case (.untrusted, _): .serverCertificateUntrusted
        case (.truncated, _): .networkConnectionLost
        case (.unusableIdentity, _), (.refused, .sent): .clientCertificateRejected
        case (.refused, .missing): .clientCertificateRequired
        case (.refused, .notRequested), (.refused, .settled), (.broken, _), (.notTLS, _), (.ended, _):
            .secureConnectionFailed
        }
    }

    /// The server wanted our certificate, and was not content.
    var isAboutUs: Bool { kind == .clientCertificateRejected || kind == .clientCertificateRequired }

    package var detail: String {
        let detail = problem?.detail ?? failure.detail
        return proxy.map { "TLS to the proxy \($0.authority): \(detail)" } ?? detail
    }
}
