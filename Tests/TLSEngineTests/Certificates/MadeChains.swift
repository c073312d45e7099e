import HTTPBasics
import TLSBasics

@testable import TLSEngine

/// Certificates that several suites look at, made once.
struct MadeChains: Sendable {
    let maker: CertificateMaker
    let root, intermediate, server: CertificateMaker.Made

    static let shared = Result { try MadeChains() }

    private init() throws {
        maker = try CertificateMaker()
        root = try maker.authority("Root")
        intermediate = try maker.authority("Intermediate", by: root, days: 2_000)
        server = try maker.server(
            "Server", by: intermediate, names: "DNS:example.com,DNS:*.wild.example,IP:192.0.2.1,IP:2001:db8::1")
    }

    var chain: [CertificateBytes] { [server.bytes, intermediate.bytes] }

    /// The time of the test, by what the certificates say: they are made now.
    var now: UnixTime {
        let start = X509Certificate(server.bytes)?.notBefore ?? UnixTime(seconds: 0)
        return UnixTime(seconds: start.seconds + 3_600)
    }

    func evaluation(_ chain: [CertificateBytes]? = nil, host: String? = "example.com") -> TrustEvaluation {
        TrustEvaluation(
            PeerCertificates(chain: chain ?? self.chain), host: host, store: TrustStore(anchors: [root.bytes]),
            date: now)
    }
}
