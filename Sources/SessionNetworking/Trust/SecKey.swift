#if !canImport(Darwin)
import Foundation
import TLSEngine

/// A public key, or the private key of an identity.
///
/// Immutable; may be used from any thread. Differs from Apple: a key can neither sign nor verify, and a private one
/// never shows its bytes.
public final class SecKey: NSObject, @unchecked Sendable {
    // Safety of the unchecked conformance: a class below NSObject cannot state the checked one; what it holds is
    // Sendable and never changes.
    /// Of a private key its public half.
    package let key: CertificateKey
    package let isPrivate: Bool

    package init(_ key: CertificateKey, isPrivate: Bool) {
        self.key = key
        self.isPrivate = isPrivate
    }

    /// Whether the other object is the same key.
    public override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? SecKey else { return false }
        return other.isPrivate == isPrivate && other.key == key
    }

    /// Equal for equal keys.
    public override var hash: Int { key.hashValue }

    /// Algorithm and size.
    public override var description: String {
        "<SecKey: \(isPrivate ? "private" : "public"), \(key.algorithm), \(key.bits) bits>"
    }
}

/// The key of a key's algorithm, in its attributes.
public var kSecAttrKeyType: CFString { "type" }
/// RSA.
public var kSecAttrKeyTypeRSA: CFString { "42" }
/// A curve of NIST's: P-256, P-384 or P-521.
public var kSecAttrKeyTypeECSECPrimeRandom: CFString { "73" }
/// The same; the older name.
public var kSecAttrKeyTypeEC: CFString { "73" }
/// Ed25519.
public var kSecAttrKeyTypeEd25519: CFString { "107" }
/// The key of a key's size in bits, in its attributes.
public var kSecAttrKeySizeInBits: CFString { "bsiz" }
/// The key of the number of bits that count, in a key's attributes: here always the size.
public var kSecAttrEffectiveKeySize: CFString { "esiz" }
/// The key of whether a key is public or private, in its attributes.
public var kSecAttrKeyClass: CFString { "kcls" }
/// A public key.
public var kSecAttrKeyClassPublic: CFString { "0" }
/// A private key.
public var kSecAttrKeyClassPrivate: CFString { "1" }

/// The bytes of a public key: of RSA the PKCS#1 RSAPublicKey in DER, of a curve the uncompressed point of X9.63
/// (04 || X || Y), of Ed25519 its 32 bytes. May be called from any thread.
///
/// - Parameter error: Set when there are none; pass nil if that does not matter.
/// - Returns: Nil for a private key (`errSecKeyIsSensitive`): differs from Apple, where some can be exported.
public func SecKeyCopyExternalRepresentation(
    _ key: SecKey, _ error: UnsafeMutablePointer<Unmanaged<CFError>?>?
) -> CFData? {
    guard key.isPrivate else { return Data(key.key.externalRepresentation) as CFData }
    let refusal = SecStatus.error(errSecKeyIsSensitive, "A private key does not leave its identity.")
    error?.pointee = Unmanaged.passRetained(refusal)
    return nil
}

/// The key's algorithm, size in bits and class, under `kSecAttrKeyType`, `kSecAttrKeySizeInBits`,
/// `kSecAttrEffectiveKeySize` and `kSecAttrKeyClass`. May be called from any thread.
///
/// Differs from Apple: there are no other attributes; the type of an algorithm that Apple has no name for is OpenSSL's
/// name.
public func SecKeyCopyAttributes(_ key: SecKey) -> CFDictionary? {
    let type: CFString =
        switch key.key.algorithm {
        case .rsa: kSecAttrKeyTypeRSA
        case .ellipticCurve: kSecAttrKeyTypeECSECPrimeRandom
        case .ed25519: kSecAttrKeyTypeEd25519
        case .ed448: "ED448"
        case .other(let name): name as CFString
        }
    let attributes: [String: Any] = [
        kSecAttrKeyType as String: type, kSecAttrKeySizeInBits as String: key.key.bits,
        kSecAttrEffectiveKeySize as String: key.key.bits,
        kSecAttrKeyClass as String: key.isPrivate ? kSecAttrKeyClassPrivate : kSecAttrKeyClassPublic,
    ]
    return attributes as CFDictionary
}

/// The size of the key in bytes: of RSA that of a signature. May be called from any thread.
public func SecKeyGetBlockSize(_ key: SecKey) -> Int { (key.key.bits + 7) / 8 }

/// The public half of a key; of a public key the key itself. May be called from any thread.
public func SecKeyCopyPublicKey(_ key: SecKey) -> SecKey? {
    key.isPrivate ? SecKey(key.key, isPrivate: false) : key
}

/// The class `SecKey`, as `CFGetTypeID(_:)` tells it. May be called from any thread.
public func SecKeyGetTypeID() -> CFTypeID { UInt(bitPattern: ObjectIdentifier(SecKey.self)) }
#endif
