import COpenSSL

/// A hash function, carried out by the system's libcrypto.
package enum HashFunction: Hashable, Sendable, CaseIterable {
    case md5
    case sha256
    /// SHA-512 with other initial values, cut to 256 bits (FIPS 180-4 5.3.6.2).
    case sha512t256

    /// Whether the system carries it out.
    package var isAvailable: Bool { Self.fetched[self] != nil }

    /// Nil where the system refuses to carry it out, as MD5 in FIPS mode.
    package func hash(_ text: String) -> [UInt8]? { hash(text.utf8) }

    package func hash(_ bytes: some Sequence<UInt8>) -> [UInt8]? {
        guard let running = RunningHash(self) else { return nil }
        let isHashed: Void? = bytes.withContiguousStorageIfAvailable { running.update(UnsafeRawBufferPointer($0)) }
        if isHashed == nil { Array(bytes).withUnsafeBytes { running.update($0) } }
        return running.finish()
    }

    // Safety: OpenSSL's objects of this kind never change. Fetched once and kept for the life of the process.
    fileprivate nonisolated(unsafe) static let fetched: [HashFunction: OpaquePointer] = {
        var found: [HashFunction: OpaquePointer] = [:]
        for function in allCases {
            // The last result is what is left in the thread's queue of errors.
            ERR_set_mark()
            found[function] = EVP_MD_fetch(nil, function.name, nil)
            ERR_pop_to_mark()
        }
        return found
    }()

    private var name: String {
        switch self {
        case .md5: "MD5"
        case .sha256: "SHA256"
        case .sha512t256: "SHA512-256"
        }
    }
}

/// A hash over bytes that come piece by piece.
package final class RunningHash {
    private let context: OpaquePointer

    /// Nil where the system refuses to carry the function out, or has no memory.
    package init?(_ function: HashFunction) {
        guard let function = HashFunction.fetched[function], let context = EVP_MD_CTX_new() else { return nil }
        self.context = context
        guard EVP_DigestInit_ex2(context, function, nil) == 1 else { return nil }
    }

    deinit { EVP_MD_CTX_free(context) }

    package func update(_ bytes: UnsafeRawBufferPointer) {
        EVP_DigestUpdate(context, bytes.baseAddress, bytes.count)
    }

    /// To be called once, behind the last piece.
    package func finish() -> [UInt8] { finish { Array($0) } ?? [] }

    /// The same without memory of its own.
    package func finish<Result>(_ take: (UnsafeRawBufferPointer) -> Result) -> Result? {
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: Int(EVP_MAX_MD_SIZE)) { space in
            var count: UInt32 = 0
            guard EVP_DigestFinal_ex(context, space.baseAddress, &count) == 1 else { return nil }
            return take(UnsafeRawBufferPointer(UnsafeBufferPointer(rebasing: space[..<Int(count)])))
        }
    }

    /// After `finish`: the next bytes are the first of another hash.
    package func restart() -> Bool { EVP_DigestInit_ex2(context, nil, nil) == 1 }
}
