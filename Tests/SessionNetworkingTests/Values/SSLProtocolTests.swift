import Testing

@testable import SessionNetworking

@Suite struct SSLProtocolTests {
    // BEHAVIOUR 2.B7-versions
    @available(*, deprecated)
    @Test func theFormerNamesOfTheLimitsAreTheSameLimits() {
        let configuration = URLSessionConfiguration.ephemeral
        #expect(configuration.tlsMinimumSupportedProtocol == .tlsProtocol12)
        #expect(configuration.tlsMaximumSupportedProtocol == .tlsProtocol13)
        configuration.tlsMinimumSupportedProtocol = .tlsProtocol11
        configuration.tlsMaximumSupportedProtocol = .tlsProtocol12
        #expect(configuration.tlsMinimumSupportedProtocolVersion == .TLSv11)
        #expect(configuration.tlsMaximumSupportedProtocolVersion == .TLSv12)
        configuration.tlsMinimumSupportedProtocol = .sslProtocol3
        configuration.tlsMaximumSupportedProtocol = .tlsProtocolMaxSupported
        #expect(configuration.tlsMinimumSupportedProtocolVersion == .TLSv10)
        #expect(configuration.tlsMaximumSupportedProtocolVersion == .TLSv13)
        configuration.tlsMinimumSupportedProtocol = .sslProtocolUnknown
        #expect(configuration.tlsMinimumSupportedProtocolVersion == .TLSv12)
    }
}
