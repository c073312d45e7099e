import HTTPBasics
import TLSBasics

/// Whether a certificate of a chain was revoked, by the responses that are there. None is fetched.
struct RevocationCheck {
    /// Each but the last one was issued by the one behind it.
    let chain: [CertificateBytes]
    let evaluation: TrustEvaluation

    /// The most responses that are looked at.
    static let mostResponses = 16

    var problem: TrustProblem? {
        guard evaluation.revocation != .none || !evaluation.responses.isEmpty else { return nil }
        let chain = chain.compactMap(CertificateCache.shared.certificate)
        let responses = evaluation.responses.prefix(Self.mostResponses).map { OCSPResponse($0) }
        var known: [[OCSPResponse.Answer]] = []
        for (certificate, issuer) in zip(chain, chain.dropFirst()) {
            let answers = responses.map { response in
                response?.answer(about: certificate, of: issuer, at: evaluation.date)
                    ?? .nothing("cannot be read, or is the refusal of a responder")
            }
            for case .revoked(let date) in answers { return revoked(certificate, since: date) }
            known.append(answers)
        }
        return unknown(known.first ?? [], chain)
    }

    private func revoked(_ certificate: X509Certificate, since date: UnixTime?) -> TrustProblem {
        let since = date.map { " since \(HTTPDate.text($0))" } ?? ""
        return TrustProblem(
            .revoked,
            "\(certificate.shownName) was revoked by its authority\(since). Somebody else may have its key: the server"
                + " needs a new key and a new certificate.")
    }

    /// - Parameter answers: Those about the first certificate.
    private func unknown(_ answers: [OCSPResponse.Answer], _ chain: [X509Certificate]) -> TrustProblem? {
        guard let own = chain.first else { return nil }
        let name =
            "Whether \(own.shownName.prefix(1).lowercased() + own.shownName.dropFirst()) was revoked is not known"
        let otherwise = "or ask for less than a positive response."
        switch evaluation.revocation {
        case .none: return nil
        case .list:
            return TrustProblem(
                .revocationUnknown,
                "\(name): lists of revoked certificates are not fetched. Ask for OCSP, whose response a server can"
                    + " bring along, \(otherwise)")
        case .response where answers.contains(.good): return nil
        case .response where chain.count == 1:
            return TrustProblem(
                .revocationUnknown,
                "\(name): it is trusted by itself, and no authority can say so. Trust its authority, \(otherwise)")
        case .response:
            let reasons = answers.map { answer in
                if case .nothing(let reason) = answer { "the response \(reason)" } else { "" }
            }
            let reason = reasons.first ?? "the server has brought no response along, and none is fetched"
            return TrustProblem(
                .revocationUnknown,
                "\(name): \(reason). Have the server staple a current OCSP response to its certificate, \(otherwise)")
        }
    }
}
