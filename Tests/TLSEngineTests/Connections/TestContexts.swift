import TLSBasics
import TLSEngine
import Testing

/// Contexts for tests, around identities that are made once.
enum TestContexts {
    static let server = Result { try #require(TestIdentity("a.test")).identity }
    static let rsaServer = Result { try #require(TestIdentity("a.test", .rsa(bits: 2048))).identity }
    static let user = Result { try #require(TestIdentity("user")).identity }

    static func client(
        _ versions: ClosedRange<TLSVersion> = .tls12 ... .tls13, protocols: [String] = [],
        library: TLSLibrary = .system, keyLog: (@Sendable (String) -> Void)? = nil
    ) throws -> TLSClientContext {
        try TLSClientContext(library: library, versions: versions, applicationProtocols: protocols, keyLog: keyLog)
    }

    static func server(
        _ versions: ClosedRange<TLSVersion> = .tls12 ... .tls13, library: TLSLibrary = .system,
        _ change: (inout TLSServerSettings) -> Void = { _ in }
    ) throws -> TLSServerContext {
        var settings = TLSServerSettings(identity: try server.get())
        settings.versions = versions
        change(&settings)
        return try TLSServerContext(library: library, settings)
    }
}
