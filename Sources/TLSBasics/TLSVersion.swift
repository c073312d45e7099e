/// A version of TLS; the raw value is its number on the wire.
package enum TLSVersion: UInt16, Hashable, Comparable, Sendable, CaseIterable {
    case tls10 = 0x0301
    case tls11 = 0x0302
    case tls12 = 0x0303
    case tls13 = 0x0304

    package static func < (left: TLSVersion, right: TLSVersion) -> Bool { left.rawValue < right.rawValue }
}

extension TLSVersion: CustomStringConvertible {
    /// As OpenSSL and most logs write it.
    package var description: String {
        switch self {
        case .tls10: "TLSv1.0"
        case .tls11: "TLSv1.1"
        case .tls12: "TLSv1.2"
        case .tls13: "TLSv1.3"
        }
    }
}
