import COpenSSL
import HTTPBasics
import TLSBasics

/// The question whether a chain of certificates is trusted, as a value. Answering it does no I/O, but that a
/// `TrustStore` of the machine reads its files.
package struct TrustEvaluation: Sendable {
    /// What the first certificate must be meant for.
    package enum Purpose: Hashable, Sendable {
        case server, client
        /// Not checked.
        case any
    }

    /// What must be known of the revocation of the first certificate.
    package enum RevocationDemand: Hashable, Sendable {
        case none
        /// A response must say that it was not revoked.
        case response
        /// A list of its authority must say so. There never is one.
        case list
    }

    /// As sent: the end's own certificate first, the others in any order.
    package var chain: [CertificateBytes]
    /// A host (internationalized ones as A-labels) or an IP address, also in brackets; nil when the name does not
    /// matter.
    package var host: String?
    /// Trusted beside those of the store. Any certificate may be one, also the end's own.
    package var anchors: [CertificateBytes] = []
    /// The store does not count.
    package var anchorsOnly = false
    package var store: TrustStore?
    package var date: UnixTime
    package var purpose = Purpose.server
    /// OCSP responses in DER: what is known of revocations. One that says that a certificate was revoked always counts.
    package var responses: [[UInt8]]
    package var revocation = RevocationDemand.none

    package init(_ peer: PeerCertificates, host: String?, store: TrustStore?, date: UnixTime) {
        chain = peer.chain
        responses = peer.stapledResponse.map { [$0] } ?? []
        self.host = host
        self.store = store
        self.date = date
    }

    /// What was found out.
    package struct Outcome: Sendable {
        /// From the end's own certificate to the anchor; when there is a problem, as far as it could be built.
        package var chain: [CertificateBytes]
        package var problem: TrustProblem?
    }

    /// The most certificates that are looked at, and the most that lead from the first one to an anchor.
    package static let mostCertificates = 100
    package static let mostAuthorities = 20

    /// The chain from the end's own certificate to the anchor, or why there is none.
    package func result() -> Result<[CertificateBytes], TrustProblem> {
        let outcome = outcome()
        return outcome.problem.map { .failure($0) } ?? .success(outcome.chain)
    }

    package func outcome() -> Outcome {
        guard !chain.isEmpty else { return refused(.malformed, "The other end has sent no certificate.") }
        guard chain.count <= Self.mostCertificates else {
            let counts = "\(chain.count) certificates; at most \(Self.mostCertificates) are looked at"
            return refused(.malformed, "The other end has sent \(counts).")
        }
        guard let own = CertificateCache.shared.certificate(chain[0]) else {
            return refused(.malformed, "The certificate of \(chain[0].der.count) bytes cannot be read.")
        }
        // Those that cannot be read are passed over: they may not be needed.
        // A certificate that is an anchor itself needs none of them, whatever is wrong with them.
        let isAnchor = anchors.contains(own.bytes)
        let others = isAnchor ? [] : chain.dropFirst().compactMap(CertificateCache.shared.certificate)
        var outcome = anchored(ChainVerification(own: own, others: others, evaluation: self))
        if outcome.problem == nil { outcome.problem = RevocationCheck(chain: outcome.chain, evaluation: self).problem }
        let mismatch = host.flatMap { HostMatch(host: $0).problem(with: own) }
        outcome.problem = Self.combined(outcome.problem, mismatch)
        return outcome
    }

    /// Tries the added anchors, then the store: each is a whole of its own, and the store is shared and never changed.
    private func anchored(_ verification: ChainVerification) -> Outcome {
        var refusals: [ChainVerification.Refusal] = []
        for place in places() {
            switch place {
            case .failure(let problem): return Outcome(chain: chain, problem: problem)
            case .success(let place):
                switch verification.run(against: place.anchors, allowsPartialChain: place.isAdded) {
                case .success(let chain): return Outcome(chain: chain, problem: nil)
                case .failure(let refusal): refusals.append(refusal)
                }
            }
        }
        // A chain that leads to an anchor, but is expired, says more than one that leads nowhere.
        guard let told = refusals.first(where: { !$0.isAboutAnchors }) ?? refusals.last else {
            return refused(.noAnchors, "No certificate is trusted: there is no trust store, and no anchor was set.")
        }
        let problem = TrustExplanation(refusal: told, evaluation: self).problem
        return Outcome(chain: told.chain.map(\.bytes), problem: problem)
    }

    private struct Place {
        var anchors: TrustAnchors
        var isAdded: Bool
    }

    private func places() -> [Result<Place, TrustProblem>] {
        let added = anchors.compactMap(CertificateCache.shared.certificate)
        var places: [Result<Place, TrustProblem>] = []
        if anchorsOnly || !added.isEmpty, let anchors = TrustAnchors(added) {
            places.append(.success(Place(anchors: anchors, isAdded: true)))
        }
        if !anchorsOnly, let store {
            places.append(store.anchors(at: date).map { Place(anchors: $0, isAdded: false) })
        }
        return places
    }

    private static func combined(_ problem: TrustProblem?, _ mismatch: TrustProblem?) -> TrustProblem? {
        guard let problem, let mismatch else { return problem ?? mismatch }
        return TrustProblem(problem.reason, problem.detail + " Also: " + mismatch.detail)
    }

    private func refused(_ reason: TrustProblem.Reason, _ detail: String) -> Outcome {
        Outcome(chain: chain, problem: TrustProblem(reason, detail))
    }
}
