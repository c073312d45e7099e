import HTTPBasics
import NIOCore
import TLSBasics
import TLSEngine
import TestCertificates

/// What a server sends: certificates in DER, one behind the other. Whatever they are, they are read, shown and judged;
/// none is trusted but those that were made so.
enum CertificateFuzz {
    private static let store = TrustStore(anchors: TestCertificates.authority)
    private static let date = UnixTime(seconds: 1_790_000_000)
    /// Those to which the authority leads: nothing else can have its signature.
    private static let trusted = Set(TestCertificates.names.flatMap { TestCertificates.certificates(named: $0) })

    static func check(_ bytes: ByteBuffer) throws {
        let chain = split(Array(bytes.readableBytesView)).map { CertificateBytes(der: $0) }
        try check(chain.compactMap { X509Certificate($0) })
        for host in ["a.test", "127.0.0.1", "\u{0}", nil] {
            let evaluation = TrustEvaluation(
                PeerCertificates(chain: chain), host: host, store: store, date: date)
            let outcome = evaluation.outcome(), again = evaluation.outcome()
            try demand(outcome.problem, equals: again.problem, "a chain is judged differently when judged again")
            if let problem = outcome.problem {
                try demand(!problem.detail.isEmpty && problem.detail.utf8.count < 4096, "words: \(problem.detail)")
            } else {
                try demand(outcome.chain.allSatisfy(trusted.contains), "a stranger's certificate is trusted")
            }
        }
    }

    /// What is shown of them can be shown, and what is read reads back.
    static func check(_ certificates: [X509Certificate]) throws {
        for certificate in certificates {
            try demand(X509Certificate(certificate.bytes), equals: certificate, "a certificate reads differently")
            _ = (certificate.subject.text, certificate.issuer.text, certificate.subjectSummary, certificate.serial)
            _ = (certificate.notBefore, certificate.notAfter, certificate.isAuthority, certificate.signatureAlgorithm)
            _ = (certificate.names.hosts, certificate.names.emails, certificate.key.info, certificate.isSelfIssued)
        }
    }

    /// By the length that stands in each; a rest whose length is wrong is one more.
    private static func split(_ bytes: [UInt8]) -> [[UInt8]] {
        var pieces: [[UInt8]] = [], rest = bytes[...]
        while !rest.isEmpty {
            let head = Array(rest.prefix(4))
            let count = head.count == 4 && head[1] == 0x82 ? 4 + Int(head[2]) << 8 + Int(head[3]) : rest.count
            pieces.append(Array(rest.prefix(count)))
            rest = rest.dropFirst(max(1, count))
        }
        return pieces
    }
}
