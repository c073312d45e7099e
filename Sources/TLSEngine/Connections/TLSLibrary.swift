import COpenSSL

/// A library context of OpenSSL: its algorithms, and where its random numbers come from.
package final class TLSLibrary: @unchecked Sendable {
    // Safety: the pointer never changes, and OpenSSL itself guards what it leads to.
    private let context: OpaquePointer?
    private let isSeeded: Bool

    private init(context: OpaquePointer?, isSeeded: Bool) {
        self.context = context
        self.isSeeded = isSeeded
    }

    /// OpenSSL as it is, with true randomness.
    package static let system = TLSLibrary(context: nil, isSeeded: false)

    /// For simulations only, since whoever reads the traffic can compute the keys: what would be random follows from
    /// the seed.
    ///
    /// The same calls after the same `reseed`, on one thread, give the same bytes on the wire, if the contexts and with
    /// them the keys are made after it. Two things still read the clock: the ages of tickets that a resuming
    /// ClientHello of TLS 1.3 names, and the times inside tickets, which their encryption spreads over all their bytes.
    /// Both count whole seconds.
    package static let seeded = TLSLibrary(context: tls_seeded_library(), isSeeded: true)

    /// Starts the random numbers anew, for the calling thread: OpenSSL has two generators in every thread, for what is
    /// public and for keys. Nothing happens to the system's.
    package func reseed(_ seed: UInt64) {
        guard isSeeded, let context else { return }
        var seeds = (seed, ~seed)
        let count = MemoryLayout<UInt64>.size
        EVP_RAND_reseed(RAND_get0_public(context), 0, &seeds.0, count, nil, 0)
        EVP_RAND_reseed(RAND_get0_private(context), 0, &seeds.1, count, nil, 0)
    }

    /// What OpenSSL's functions take, where nil stands for its default context.
    func openSSL() throws(TLSSetupError) -> OpaquePointer? {
        if isSeeded && context == nil { throw .openSSL(OpenSSLReason.take().text) }
        return context
    }
}
