#if !canImport(Darwin)
import Foundation
import HTTPBasics
import Locks
import TLSBasics
import TLSEngine

/// The question whether certificates are trusted, with its settings and, once it was asked, its answer.
///
/// May be used from any thread; a change of its settings forgets the answer. Evaluating blocks the thread for a
/// fraction of a millisecond, the first time in a process for longer, as the machine's certificates are read then.
///
/// Differs from Apple: nothing is fetched from the network, neither missing authorities nor revocations; the machine's
/// certificates are those of OpenSSL's usual files, or those that the environment variables SSL_CERT_FILE and
/// SSL_CERT_DIR name.
public final class SecTrust: NSObject, @unchecked Sendable {
    // Safety of the unchecked conformance: a class below NSObject cannot state the checked one; `state` has its own
    // lock.
    private let state: Lock<State>
    /// As sent, the end's own first.
    package let chain: [CertificateBytes]

    struct Settings {
        var policies: [SecPolicy]
        var anchors: [SecCertificate]?
        var anchorsOnly: Bool?
        /// What is known of revocations: OCSP responses in DER.
        var responses: [[UInt8]]
        var date: UnixTime?
        let store: TrustStore?
    }

    private struct State {
        var settings: Settings
        var outcome: TrustEvaluation.Outcome?
    }

    /// For a session's challenge.
    ///
    /// - Parameters:
    ///   - store: Nil for a machine that trusts nobody.
    ///   - date: The world's.
    package convenience init(_ peer: PeerCertificates, host: String, store: TrustStore?, date: UnixTime) {
        self.init(peer, policies: [SecPolicy(.server(host: host))], store: store, date: date)
    }

    /// - Parameter date: Nil for the moment of the evaluation, by the wall clock.
    init(_ peer: PeerCertificates, policies: [SecPolicy], store: TrustStore?, date: UnixTime?) {
        chain = peer.chain
        let responses = peer.stapledResponse.map { [$0] } ?? []
        state = Lock(State(settings: Settings(policies: policies, responses: responses, date: date, store: store)))
    }

    /// The chain from the end's own certificate to the anchor, or why there is none. Remembered until a setting
    /// changes.
    package func evaluate() -> Result<[CertificateBytes], TrustProblem> {
        let outcome = outcome()
        return outcome.problem.map { .failure($0) } ?? .success(outcome.chain)
    }

    /// The same, with what could be built of a chain that is not trusted.
    func outcome() -> TrustEvaluation.Outcome {
        state.withLock { state in
            if let known = state.outcome { return known }
            let new = state.settings.evaluated(chain)
            state.outcome = new
            return new
        }
    }

    /// Nil when it was not evaluated since the last change.
    var knownOutcome: TrustEvaluation.Outcome? { state.withLock(\.outcome) }

    func change(_ change: @Sendable (inout Settings) -> Void) {
        state.withLock { state in
            change(&state.settings)
            state.outcome = nil
        }
    }

    var policies: [SecPolicy] { state.withLock(\.settings.policies) }
    var anchors: [SecCertificate]? { state.withLock(\.settings.anchors) }
    var date: UnixTime { state.withLock { $0.settings.moment } }

    /// The summary of the end's own certificate.
    var summary: String? { chain.first.flatMap { X509Certificate($0) }?.subjectSummary }

    /// The summary and whether it is trusted, as far as that is known.
    public override var description: String {
        let answer = knownOutcome.map { $0.problem == nil ? "trusted" : "not trusted" } ?? "not evaluated"
        return "<SecTrust: \(summary ?? "no certificate"), \(answer)>"
    }
}

extension SecTrust.Settings {
    var moment: UnixTime { date ?? UnixTime(Date()) }

    /// All policies must hold: the first that does not is told.
    func evaluated(_ chain: [CertificateBytes]) -> TrustEvaluation.Outcome {
        var last = evaluation(chain, policies.first?.rule ?? .basic).outcome()
        for policy in policies.dropFirst() where last.problem == nil { last = evaluation(chain, policy.rule).outcome() }
        return last
    }

    private func evaluation(_ chain: [CertificateBytes], _ rule: SecPolicy.Rule) -> TrustEvaluation {
        var evaluation = TrustEvaluation(PeerCertificates(chain: chain), host: nil, store: store, date: moment)
        evaluation.responses = responses
        switch rule {
        case .revocation(let demand): (evaluation.purpose, evaluation.revocation) = (.any, demand)
        case .basic: evaluation.purpose = .any
        case .server(let host): (evaluation.purpose, evaluation.host) = (.server, host)
        case .client: evaluation.purpose = .client
        }
        evaluation.anchors = (anchors ?? []).map(\.certificate.bytes)
        // Anchors that are set replace the machine's, unless one says otherwise.
        evaluation.anchorsOnly = anchorsOnly ?? (anchors != nil)
        return evaluation
    }
}

/// The class `SecTrust`, as `CFGetTypeID(_:)` tells it. May be called from any thread.
public func SecTrustGetTypeID() -> CFTypeID { UInt(bitPattern: ObjectIdentifier(SecTrust.self)) }
#endif
