import COpenSSL
import HTTPBasics
import TLSBasics

/// What OpenSSL's refusal means, in the words of a person who must do something about it.
struct TrustExplanation {
    let refusal: ChainVerification.Refusal
    let evaluation: TrustEvaluation

    var problem: TrustProblem { TrustProblem(reason, detail) }

    private var certificate: X509Certificate { refusal.certificate }

    private var reason: TrustProblem.Reason {
        switch refusal.code {
        case X509_V_ERR_CERT_HAS_EXPIRED: .expired
        case X509_V_ERR_CERT_NOT_YET_VALID: .notYetValid
        case X509_V_ERR_DEPTH_ZERO_SELF_SIGNED_CERT: .selfSigned
        case X509_V_ERR_SELF_SIGNED_CERT_IN_CHAIN, X509_V_ERR_CERT_UNTRUSTED, X509_V_ERR_CERT_REJECTED:
            .unknownAuthority
        case X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT_LOCALLY, X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT,
            X509_V_ERR_UNABLE_TO_VERIFY_LEAF_SIGNATURE:
            isIncomplete ? .incomplete : .unknownAuthority
        case X509_V_ERR_EE_KEY_TOO_SMALL, X509_V_ERR_CA_KEY_TOO_SMALL, X509_V_ERR_CA_MD_TOO_WEAK: .weak
        case X509_V_ERR_INVALID_PURPOSE, X509_V_ERR_INVALID_CA, X509_V_ERR_KEYUSAGE_NO_CERTSIGN,
            X509_V_ERR_INVALID_NON_CA, X509_V_ERR_KEYUSAGE_NO_DIGITAL_SIGNATURE, X509_V_ERR_PATH_LENGTH_EXCEEDED,
            X509_V_ERR_PERMITTED_VIOLATION, X509_V_ERR_EXCLUDED_VIOLATION:
            .wrongUsage
        case X509_V_ERR_CERT_REVOKED: .revoked
        default: .malformed
        }
    }

    /// Whether an intermediate is missing, rather than a root. Nothing says so for certain. Only roots sign
    /// authorities in most chains, so that a chain that ends with an authority lacks its root. Of a server's own
    /// certificate, public authorities say where the intermediate can be fetched; private roots do not.
    private var isIncomplete: Bool {
        guard let last = refusal.chain.last else { return false }
        return !last.isAuthority && last.namesIssuerAddress
    }

    private var detail: String {
        switch reason {
        case .expired:
            "\(name) has expired: it was valid until \(Self.text(certificate.notAfter)), and \(now). \(renew)"
        case .notYetValid:
            "\(name) is not valid before \(Self.text(certificate.notBefore)), and \(now). Correct this machine's"
                + " clock, or have the certificate issued again."
        case .selfSigned:
            "\(name) is signed by itself, and this client does not trust it. For a test, set it as an anchor;"
                + " otherwise the server needs a certificate from an authority that is trusted."
        case .unknownAuthority: unknownAuthority
        case .incomplete:
            "\(name) was issued by \(issuer), whose certificate was not sent. The server must send the intermediate"
                + " certificates together with its own (often a file named fullchain)."
        case .weak: weakness
        case .wrongUsage: wrongUsage
        default: "\(name) cannot be used: \(said)."
        }
    }

    private var unknownAuthority: String {
        let help =
            "If the authority is your own, set its certificate as an anchor or add it to the machine's trust"
            + " store; otherwise install or update the package ca-certificates."
        guard let last = refusal.chain.last, !last.isSelfIssued else {
            return "\(name), the root of the chain, is not trusted by this client. \(help)"
        }
        let alternative = last.isAuthority ? "" : " If the authority is an intermediate, the server must send it."
        return "\(name) was issued by \(issuer), which this client does not trust. \(help)\(alternative)"
    }

    private var weakness: String {
        guard refusal.code == X509_V_ERR_CA_MD_TOO_WEAK else {
            return "The key of \(name) has \(certificate.key.bits) bits, and can be broken today. It must have at least"
                + " 2048 bits (RSA) or 256 (elliptic curves)."
        }
        return "\(name) is signed with \(certificate.signatureAlgorithm), which can be forged today. It must be issued"
            + " again with SHA-256 or better."
    }

    private var wrongUsage: String {
        let isOwn = certificate == refusal.chain.first
        switch refusal.code {
        case X509_V_ERR_INVALID_PURPOSE where isOwn:
            let use = evaluation.purpose == .client ? "client (clientAuth)" : "server (serverAuth)"
            return "\(name) is not meant for a TLS \(use): its key usage or extended key usage does not say so."
        case X509_V_ERR_PERMITTED_VIOLATION, X509_V_ERR_EXCLUDED_VIOLATION:
            return "\(name) has names that its authority may not issue certificates for: \(said)."
        case X509_V_ERR_PATH_LENGTH_EXCEEDED:
            return "\(name) may not have so many authorities below it: \(said)."
        default:
            return "\(name) signs other certificates, but is not meant to: \(said)."
        }
    }

    private var name: String { certificate.shownName }

    private var issuer: String { "\"\(OpenSSLText.shown(certificate.issuer.text))\"" }

    private var now: String { "the date of the check is \(Self.text(evaluation.date))" }

    private var renew: String {
        certificate == refusal.chain.first
            ? "The server needs a new certificate, or this machine's clock is wrong."
            : "The server must send another intermediate, or this machine's clock or trust store is out of date."
    }

    /// OpenSSL's own words.
    private var said: String {
        X509_verify_cert_error_string(Int(refusal.code)).map { String(cString: $0) } ?? "error \(refusal.code)"
    }

    private static func text(_ time: UnixTime?) -> String { time.map(HTTPDate.text) ?? "a date that cannot be read" }
}
