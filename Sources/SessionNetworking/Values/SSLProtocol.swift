#if !canImport(Darwin)
/// A version of SSL or TLS, under the name that Security had for it before `tls_protocol_version_t`.
///
/// Raw values are Apple's. SSL itself, and its ranges, are there for their names only.
@available(*, deprecated, message: "use tls_protocol_version_t")
public enum SSLProtocol: Int32, Sendable {
    case sslProtocolUnknown = 0
    case sslProtocol2 = 1
    case sslProtocol3 = 2
    case sslProtocol3Only = 3
    case tlsProtocol1 = 4
    case tlsProtocol1Only = 5
    case sslProtocolAll = 6
    case tlsProtocol11 = 7
    case tlsProtocol12 = 8
    case dtlsProtocol1 = 9
    case tlsProtocol13 = 10
    case dtlsProtocol12 = 11
    case tlsProtocolMaxSupported = 999

    init(_ version: tls_protocol_version_t) {
        switch version {
        case .TLSv10: self = .tlsProtocol1
        case .TLSv11: self = .tlsProtocol11
        case .TLSv12: self = .tlsProtocol12
        case .TLSv13: self = .tlsProtocol13
        case .DTLSv10: self = .dtlsProtocol1
        case .DTLSv12: self = .dtlsProtocol12
        }
    }

    /// The version that it stands for as a limit; nil leaves the limit as it is at first.
    var version: tls_protocol_version_t? {
        switch self {
        case .sslProtocolUnknown, .sslProtocolAll: nil
        // No session speaks SSL: the oldest of TLS is the nearest.
        case .sslProtocol2, .sslProtocol3, .sslProtocol3Only, .tlsProtocol1, .tlsProtocol1Only: .TLSv10
        case .tlsProtocol11: .TLSv11
        case .tlsProtocol12: .TLSv12
        case .tlsProtocol13, .tlsProtocolMaxSupported: .TLSv13
        case .dtlsProtocol1: .DTLSv10
        case .dtlsProtocol12: .DTLSv12
        }
    }
}

extension URLSessionConfiguration {
    /// The oldest version that connections may speak, by its former name.
    @available(*, deprecated, message: "use tlsMinimumSupportedProtocolVersion")
    public var tlsMinimumSupportedProtocol: SSLProtocol {
        get { SSLProtocol(tlsMinimumSupportedProtocolVersion) }
        set { tlsMinimumSupportedProtocolVersion = newValue.version ?? .TLSv12 }
    }

    /// The newest version that connections may speak, by its former name.
    @available(*, deprecated, message: "use tlsMaximumSupportedProtocolVersion")
    public var tlsMaximumSupportedProtocol: SSLProtocol {
        get { SSLProtocol(tlsMaximumSupportedProtocolVersion) }
        set { tlsMaximumSupportedProtocolVersion = newValue.version ?? .TLSv13 }
    }
}
#endif
