#if !canImport(Darwin)
import Foundation
import HTTPBasics
import TLSBasics
import TLSEngine

/// Makes a trust of certificates and policies. May be called from any thread.
///
/// - Parameters:
///   - certificates: A `SecCertificate`, or a `CFArray` of them with the one to be judged first.
///   - policies: A `SecPolicy`, or a `CFArray` of them, which must all hold; nil for the basic one.
///   - trust: Set to the new trust on success.
/// - Returns: `errSecSuccess`; `errSecParam` when the arguments are of other classes, or there is no certificate.
@discardableResult
public func SecTrustCreateWithCertificates(
    _ certificates: CFTypeRef, _ policies: CFTypeRef?, _ trust: UnsafeMutablePointer<SecTrust?>
) -> OSStatus {
    guard let chain: [SecCertificate] = SecTrust.elements(of: certificates), !chain.isEmpty,
        let rules: [SecPolicy] = policies.map(SecTrust.elements(of:)) ?? [SecPolicy(.basic)]
    else { return errSecParam }
    trust.pointee = SecTrust(
        PeerCertificates(chain: chain.map(\.certificate.bytes)), policies: rules, store: .system, date: nil)
    return errSecSuccess
}

/// Replaces the policies. May be called from any thread.
///
/// - Parameter policies: A `SecPolicy`, or a `CFArray` of them, which must all hold.
/// - Returns: `errSecSuccess`; `errSecParam` for other objects.
@discardableResult
public func SecTrustSetPolicies(_ trust: SecTrust, _ policies: CFTypeRef) -> OSStatus {
    guard let rules: [SecPolicy] = SecTrust.elements(of: policies) else { return errSecParam }
    trust.change { $0.policies = rules }
    return errSecSuccess
}

/// Puts an array of the policies into `policies`. May be called from any thread.
///
/// - Returns: `errSecSuccess`, always.
@discardableResult
public func SecTrustCopyPolicies(_ trust: SecTrust, _ policies: UnsafeMutablePointer<CFArray?>) -> OSStatus {
    policies.pointee = trust.policies as CFArray
    return errSecSuccess
}

/// Trusts these certificates instead of the machine's; `SecTrustSetAnchorCertificatesOnly(_:_:)` with false adds the
/// machine's again. Any certificate may be an anchor, also an intermediate or the server's own. May be called from any
/// thread.
///
/// - Parameter anchorCertificates: A `CFArray` of `SecCertificate`; nil for the machine's alone.
/// - Returns: `errSecSuccess`; `errSecParam` when there are other objects in the array.
@discardableResult
public func SecTrustSetAnchorCertificates(_ trust: SecTrust, _ anchorCertificates: CFArray?) -> OSStatus {
    guard let array = anchorCertificates else {
        trust.change { ($0.anchors, $0.anchorsOnly) = (nil, nil) }
        return errSecSuccess
    }
    guard let anchors: [SecCertificate] = SecTrust.elements(of: array) else { return errSecParam }
    trust.change { $0.anchors = anchors }
    return errSecSuccess
}

/// Whether the anchors that were set count alone (true, the default once some were set) or beside the machine's. May be
/// called from any thread.
///
/// - Returns: `errSecSuccess`, always.
@discardableResult
public func SecTrustSetAnchorCertificatesOnly(_ trust: SecTrust, _ anchorCertificatesOnly: Bool) -> OSStatus {
    trust.change { $0.anchorsOnly = anchorCertificatesOnly }
    return errSecSuccess
}

/// Puts the anchors that were set into `anchors`; nil when none were. May be called from any thread.
///
/// - Returns: `errSecSuccess`, always.
@discardableResult
public func SecTrustCopyCustomAnchorCertificates(
    _ trust: SecTrust, _ anchors: UnsafeMutablePointer<CFArray?>
) -> OSStatus {
    anchors.pointee = trust.anchors.map { $0 as CFArray }
    return errSecSuccess
}

/// Puts an array of the certificates that this machine trusts into `anchors`; they are read if need be. May be called
/// from any thread.
///
/// - Returns: `errSecSuccess`; `errSecNotTrusted` when the machine has none: `anchors` is nil then.
@discardableResult
public func SecTrustCopyAnchorCertificates(_ anchors: UnsafeMutablePointer<CFArray?>) -> OSStatus {
    let now = UnixTime(Date())
    anchors.pointee = (try? TrustStore.system.certificates(at: now).get()).map {
        $0.map { SecCertificate($0) } as CFArray
    }
    return anchors.pointee == nil ? errSecNotTrusted : errSecSuccess
}

/// The moment at which the certificates must be valid, in place of that of the evaluation. Fractions of a second do not
/// count. May be called from any thread.
///
/// - Returns: `errSecSuccess`, always.
@discardableResult
public func SecTrustSetVerifyDate(_ trust: SecTrust, _ verifyDate: CFDate) -> OSStatus {
    trust.change { $0.date = UnixTime(verifyDate as Date) }
    return errSecSuccess
}

/// The moment at which the certificates must be valid, in seconds since 2001-01-01T00:00:00Z: the one that was set, or
/// now. May be called from any thread.
public func SecTrustGetVerifyTime(_ trust: SecTrust) -> CFAbsoluteTime {
    CFAbsoluteTime(trust.date.seconds) - Date.timeIntervalBetween1970AndReferenceDate
}

/// Sets what is known of revocations, in place of what the server has stapled to the handshake. The evaluation decides
/// what a response is worth: see `SecPolicyCreateRevocation(_:)`. May be called from any thread.
///
/// Differs from Apple: only the first 16 count.
///
/// - Parameter responseData: An OCSP response in DER (RFC 6960) as `CFData`, at most 32 KiB, or a `CFArray` of them;
///   they may also be about authorities of the chain. Nil for none.
/// - Returns: `errSecSuccess`; `errSecParam` for other objects.
@discardableResult
public func SecTrustSetOCSPResponse(_ trust: SecTrust, _ responseData: CFTypeRef?) -> OSStatus {
    guard let responses: [Data] = responseData.map(SecTrust.elements(of:)) ?? [] else { return errSecParam }
    trust.change { $0.responses = responses.map { [UInt8]($0) } }
    return errSecSuccess
}

/// Whether an evaluation may fetch what is missing. Nothing is ever fetched here: the setting has no effect.
///
/// - Returns: `errSecSuccess`; `errSecUnimplemented` for true.
@discardableResult
public func SecTrustSetNetworkFetchAllowed(_ trust: SecTrust, _ allowFetch: Bool) -> OSStatus {
    allowFetch ? errSecUnimplemented : errSecSuccess
}

extension SecTrust {
    /// Of an argument that may be one object or an array of them; nil unless all are of the class.
    static func elements<Element>(of object: CFTypeRef) -> [Element]? {
        if let single = object as? Element { return [single] }
        return object as? [Element]
    }
}
#endif
