import Foundation
import Testing

#if PARITY_FOUNDATION
import FoundationNetworking
#else
import SessionNetworking
#endif

@Suite("Configuration")
struct ConfigurationParity {
    // BEHAVIOUR 1.A2-timeouts, 1.A2-connections, 1.A2-headers
    @Test func `defaults`() {
        for configuration in [URLSessionConfiguration.default, .ephemeral] {
            #expect(configuration.timeoutIntervalForRequest == 60)
            #expect(configuration.timeoutIntervalForResource == 604_800)
            #expect(configuration.httpMaximumConnectionsPerHost == 6)
            #expect(configuration.httpAdditionalHeaders == nil)
            #expect(configuration.identifier == nil)
        }
        #expect(URLSessionConfiguration.default !== URLSessionConfiguration.default)
    }

    // BEHAVIOUR 2.F16-value
    @Test func `a value with a line end is kept`() {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.httpAdditionalHeaders = ["X-One": "a\r\nb"]
        #expect(configuration.httpAdditionalHeaders as? [String: String] == ["X-One": "a\r\nb"])
    }

    @Test func `a copy changes alone`() throws {
        let configuration = URLSessionConfiguration.default
        configuration.httpAdditionalHeaders = ["X-One": "1"]
        let copy = try #require(configuration.copy() as? URLSessionConfiguration)
        copy.timeoutIntervalForRequest = 0.5
        copy.httpMaximumConnectionsPerHost = 1
        #expect(configuration.timeoutIntervalForRequest == 60)
        #expect(configuration.httpMaximumConnectionsPerHost == 6)
        #expect(copy.timeoutIntervalForRequest == 0.5)
        #expect(copy.httpAdditionalHeaders as? [String: String] == ["X-One": "1"])
    }
}
