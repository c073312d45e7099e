import TLSBasics

/// A version of TLS that a scripted server speaks.
public enum ServerTLSVersion: Hashable, Comparable, Sendable, CaseIterable {
    /// TLS 1.0.
    case tls10
    /// TLS 1.1.
    case tls11
    /// TLS 1.2.
    case tls12
    /// TLS 1.3.
    case tls13

    /// The older one is less.
    public static func < (left: ServerTLSVersion, right: ServerTLSVersion) -> Bool { left.version < right.version }

    var version: TLSVersion {
        switch self {
        case .tls10: .tls10
        case .tls11: .tls11
        case .tls12: .tls12
        case .tls13: .tls13
        }
    }
}
