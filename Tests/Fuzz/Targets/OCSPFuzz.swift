import HTTPBasics
import NIOCore
import TLSBasics
import TLSEngine
import TestCertificates

/// A response that a server has stapled to its certificates. The authority has signed "good" for `valid` and "revoked"
/// for `revoked`, in the corpus, and nothing else: whatever a response has become, nobody is told another thing.
enum OCSPFuzz {
    private static let store = TrustStore(anchors: TestCertificates.authority)
    /// The corpus was signed some weeks before, for a century.
    private static let date = UnixTime(seconds: 1_800_000_000)

    static func check(_ bytes: ByteBuffer) throws {
        let response = Array(bytes.readableBytesView)
        for name in ["valid", "revoked", "ecdsa"] {
            let peer = PeerCertificates(
                chain: TestCertificates.certificates(named: name), stapledResponse: response)
            var evaluation = TrustEvaluation(peer, host: "a.test", store: store, date: date)
            let problem = evaluation.outcome().problem
            try demand(problem == nil || name == "revoked" && problem?.reason == .revoked, "\(name): \(problem as Any)")
            try demand(evaluation.outcome().problem, equals: problem, "judged differently when judged again")
            evaluation.revocation = .response
            switch evaluation.outcome().problem?.reason {
            case nil: try demand(name == "valid", "a good response about '\(name)' that nobody has signed")
            case .revoked: try demand(problem?.reason == .revoked, "revoked only when somebody asks")
            case .revocationUnknown: try demand(problem == nil, "revoked only when nobody asks")
            case let reason: throw Violation(description: "\(name): \(reason as Any)")
            }
        }
    }
}
