import Digests
import Foundation

/// SHA-256 as pinning code takes it from CryptoKit or CommonCrypto.
enum SHA256Sum {
    static func hash(data: Data) -> Data { Data(HashFunction.sha256.hash(data) ?? []) }
}
