extension HashFunction {
    /// HMAC (RFC 2104) with this function, whose blocks have 64 bytes: MD5 and SHA-256.
    ///
    /// - Returns: Nil where the system refuses to carry the function out.
    package func authenticationCode(key: [UInt8], _ bytes: [UInt8]) -> [UInt8]? {
        guard let short = key.count > 64 ? hash(key) : key else { return nil }
        let padded = short + Array(repeating: 0, count: 64 - short.count)
        guard let inner = hash(padded.map { $0 ^ 0x36 } + bytes) else { return nil }
        return hash(padded.map { $0 ^ 0x5C } + inner)
    }
}
