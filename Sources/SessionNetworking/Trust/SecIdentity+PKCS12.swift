#if !canImport(Darwin)
import Foundation
import TLSBasics
import TLSEngine

/// The key of the passphrase, a string, in the options of `SecPKCS12Import(_:_:_:)`.
public var kSecImportExportPassphrase: CFString { "passphrase" }
/// The key of the `SecIdentity` in an imported item.
public var kSecImportItemIdentity: CFString { "identity" }
/// The key of the certificates in an imported item: an array of `SecCertificate`, the identity's own first.
public var kSecImportItemCertChain: CFString { "chain" }
/// The key of a `SecTrust` for the certificates, in an imported item.
public var kSecImportItemTrust: CFString { "trust" }

/// Reads the identity in a container of PKCS#12 (RFC 7292), usually a file named .p12 or .pfx. May be called from any
/// thread; blocks it while the passphrase is hashed, often for some tens of milliseconds.
///
/// Differs from Apple: at most one identity is read; a container without a private key is an error, not an empty array;
/// nothing is put into a keychain. Old containers need OpenSSL's provider "legacy".
///
/// - Parameters:
///   - pkcs12_data: The container, at most 16 MiB.
///   - options: The passphrase under `kSecImportExportPassphrase`; a container without one may do without.
///   - items: Set to an array of one dictionary, with the keys `kSecImportItemIdentity`, `kSecImportItemCertChain` and
///     `kSecImportItemTrust`; to an empty one on failure.
/// - Returns: `errSecSuccess`; `errSecAuthFailed` for a wrong passphrase; `errSecPassphraseRequired` when one is needed
///   and none was given; `errSecDecode` for what is no container, is damaged or too large; `errSecItemNotFound` when it
///   has no private key or no certificate; `errSecPublicKeyInconsistent` when they do not belong together;
///   `errSecUnsupportedFormat` when it is encrypted in a way that this machine's OpenSSL cannot undo; `errSecParam`
///   when the passphrase is no string.
@discardableResult
public func SecPKCS12Import(
    _ pkcs12_data: CFData, _ options: CFDictionary, _ items: UnsafeMutablePointer<CFArray?>
) -> OSStatus {
    items.pointee = [] as CFArray
    let option = options[kSecImportExportPassphrase]
    let passphrase = option as? String
    guard option == nil || passphrase != nil else { return errSecParam }
    switch PKCS12.identity([UInt8](pkcs12_data as Data), passphrase: passphrase ?? "") {
    case .success(let read):
        items.pointee = [SecIdentity(identity: read).importedItem] as CFArray
        return errSecSuccess
    case .failure(let problem):
        let isUnasked = problem.kind == .wrongPassphrase && passphrase == nil
        return isUnasked ? errSecPassphraseRequired : SecStatus.code(of: problem.kind)
    }
}

extension SecIdentity {
    /// Apple's trust of an imported item has the basic policy: nobody knows yet what it is for.
    fileprivate var importedItem: [String: Any] {
        let chain = identity.chain.compactMap { SecCertificate($0) }
        let trust = SecTrust(
            PeerCertificates(chain: chain.map(\.certificate.bytes)), policies: [SecPolicy(.basic)], store: .system,
            date: nil)
        return [
            kSecImportItemIdentity as String: self, kSecImportItemCertChain as String: chain,
            kSecImportItemTrust as String: trust,
        ]
    }
}
#endif
