import COpenSSL
import HTTPBasics
import TLSBasics

/// OpenSSL's verification of one chain, without its host: RFC 5280 6.
struct ChainVerification {
    let own: X509Certificate
    let others: [X509Certificate]
    let evaluation: TrustEvaluation

    /// Where and why it stopped.
    struct Refusal: Error {
        /// One of OpenSSL's X509_V_ERR numbers.
        var code: Int32
        /// The certificate that it is about.
        var certificate: X509Certificate
        /// As far as it was built.
        var chain: [X509Certificate]

        /// No anchor was found: others might do.
        var isAboutAnchors: Bool {
            switch code {
            case X509_V_ERR_DEPTH_ZERO_SELF_SIGNED_CERT, X509_V_ERR_SELF_SIGNED_CERT_IN_CHAIN,
                X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT_LOCALLY, X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT,
                X509_V_ERR_UNABLE_TO_VERIFY_LEAF_SIGNATURE, X509_V_ERR_CERT_UNTRUSTED, X509_V_ERR_CERT_REJECTED:
                true
            default: false
            }
        }
    }

    /// - Parameter allowsPartialChain: An anchor need not be signed by itself.
    func run(against anchors: TrustAnchors, allowsPartialChain: Bool) -> Result<[CertificateBytes], Refusal> {
        CertificateErrors.forgotten {
            guard let context = X509_STORE_CTX_new(), let sent = certificates_new() else { return .failure(noMemory) }
            defer {
                X509_STORE_CTX_free(context)
                certificates_free(sent)
            }
            // OpenSSL borrows all of them.
            return withExtendedLifetime((own, others, anchors)) {
                for certificate in others { _ = certificates_push(sent, certificate.handle.pointer) }
                guard X509_STORE_CTX_init(context, anchors.store, own.handle.pointer, sent) == 1 else {
                    return .failure(noMemory)
                }
                configure(context, allowsPartialChain)
                let isTrusted = X509_verify_cert(context) == 1
                let chain = builtChain(context)
                guard !isTrusted else { return .success(chain.map(\.bytes)) }
                return .failure(refusal(context, chain))
            }
        }
    }

    /// The years 1 to 9999: OpenSSL cannot compare others with a certificate's.
    private static let first: Int64 = -62_135_596_800
    private static let last: Int64 = 253_402_300_799

    private var noMemory: Refusal { Refusal(code: X509_V_ERR_OUT_OF_MEM, certificate: own, chain: [own] + others) }

    private func configure(_ context: OpaquePointer, _ allowsPartialChain: Bool) {
        switch evaluation.purpose {
        case .server: X509_STORE_CTX_set_default(context, "ssl_server")
        case .client: X509_STORE_CTX_set_default(context, "ssl_client")
        case .any: break
        }
        let parameters = X509_STORE_CTX_get0_param(context)
        Self.configure(parameters, date: evaluation.date)
        X509_VERIFY_PARAM_set_depth(parameters, Int32(TrustEvaluation.mostAuthorities))
        var flags = UInt(X509_V_FLAG_TRUSTED_FIRST)
        if allowsPartialChain { flags |= UInt(X509_V_FLAG_PARTIAL_CHAIN) }
        X509_VERIFY_PARAM_set_flags(parameters, flags)
    }

    /// What holds for every certificate that is looked at.
    static func configure(_ parameters: OpaquePointer?, date: UnixTime) {
        X509_VERIFY_PARAM_set_time(parameters, time_t(min(max(date.seconds, first), last)))
        // 112 bits: refuses RSA below 2048 bits, and signatures over MD5 or SHA-1.
        X509_VERIFY_PARAM_set_auth_level(parameters, 2)
    }

    /// Those that were sent keep the bytes that were sent.
    private func builtChain(_ context: OpaquePointer) -> [X509Certificate] {
        let built = X509_STORE_CTX_get0_chain(context)
        let sent = Dictionary(([own] + others).map { ($0.handle.pointer, $0) }) { first, _ in first }
        return (0..<certificates_count(built)).compactMap { index in
            guard let pointer = certificates_at(built, index) else { return nil }
            return sent[pointer] ?? X509Certificate(sharing: pointer)
        }
    }

    private func refusal(_ context: OpaquePointer, _ chain: [X509Certificate]) -> Refusal {
        let depth = Int(X509_STORE_CTX_get_error_depth(context))
        let current = X509_STORE_CTX_get_current_cert(context).map { X509Certificate(sharing: $0) }
        let certificate = current ?? (chain.indices.contains(depth) ? chain[depth] : own)
        return Refusal(
            code: X509_STORE_CTX_get_error(context), certificate: certificate, chain: chain.isEmpty ? [own] : chain)
    }
}
