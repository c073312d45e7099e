import Locks
import TLSBasics

/// The certificates that were read lately: OpenSSL 3.0 needs more time to read one than to verify it, and servers send
/// the same ones with each connection.
final class CertificateCache: Sendable {
    static let shared = CertificateCache()

    private let known = Lock<[CertificateBytes: X509Certificate]>([:])

    /// Some hundred hosts' chains. All are forgotten when one more comes: simple, and rare.
    private static let most = 256
    /// Larger ones would make the cache large; they are read each time.
    private static let largest = 8 << 10

    /// As `X509Certificate.init`.
    func certificate(_ bytes: CertificateBytes) -> X509Certificate? {
        guard bytes.der.count <= Self.largest else { return X509Certificate(bytes) }
        if let found = known.withLock({ $0[bytes] }) { return found }
        guard let new = X509Certificate(bytes) else { return nil }
        known.withLock { known in
            if known.count >= Self.most { known.removeAll(keepingCapacity: true) }
            known[bytes] = new
        }
        return new
    }
}
