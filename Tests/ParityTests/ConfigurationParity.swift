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

    // BEHAVIOUR 1.A2-whole
    @Test func `every property of FoundationNetworking's can be read and set`() throws {
        let configuration = URLSessionConfiguration.default
        #expect(configuration.allowsCellularAccess)
        #expect(configuration.connectionProxyDictionary == nil)
        #expect(configuration.httpCookieAcceptPolicy == .onlyFromMainDocumentDomain)
        #expect(configuration.httpCookieStorage === HTTPCookieStorage.shared)
        #expect(configuration.httpShouldSetCookies)
        #expect(!configuration.isDiscretionary)
        #expect(configuration.networkServiceType == .default)
        #expect(configuration.protocolClasses != nil)
        #expect(configuration.requestCachePolicy == .useProtocolCachePolicy)
        #expect(configuration.sharedContainerIdentifier == nil)
        #expect(configuration.urlCache === URLCache.shared)
        #expect(configuration.urlCredentialStorage === URLCredentialStorage.shared)
        configuration.allowsCellularAccess = false
        configuration.connectionProxyDictionary = [:]
        configuration.httpAdditionalHeaders = [:]
        configuration.httpCookieAcceptPolicy = .never
        configuration.httpCookieStorage = nil
        configuration.httpMaximumConnectionsPerHost = 2
        configuration.httpShouldSetCookies = false
        configuration.isDiscretionary = true
        configuration.networkServiceType = .voice
        configuration.protocolClasses = []
        configuration.requestCachePolicy = .reloadIgnoringLocalCacheData
        configuration.timeoutIntervalForRequest = 1
        configuration.timeoutIntervalForResource = 2
        configuration.urlCache = nil
        configuration.urlCredentialStorage = nil
        let copy = try #require(configuration.copy() as? URLSessionConfiguration)
        #expect(!copy.allowsCellularAccess && copy.connectionProxyDictionary?.isEmpty == true)
        #expect(copy.httpCookieAcceptPolicy == .never && copy.httpCookieStorage == nil && !copy.httpShouldSetCookies)
        #expect(copy.isDiscretionary && copy.networkServiceType == .voice && copy.protocolClasses?.isEmpty == true)
        #expect(copy.requestCachePolicy == .reloadIgnoringLocalCacheData)
        #expect(copy.timeoutIntervalForResource == 2 && copy.urlCache == nil && copy.urlCredentialStorage == nil)
        #expect(URLSessionConfiguration.default.networkServiceType == .default)
    }

    #if !PARITY_FOUNDATION
    // Deprecated there, which is an error in this package.
    // BEHAVIOUR 1.A2-whole
    @Test func `so can those that are deprecated`() {
        let configuration = URLSessionConfiguration.default
        #expect(!configuration.httpShouldUsePipelining && !configuration.shouldUseExtendedBackgroundIdleMode)
        configuration.httpShouldUsePipelining = true
        configuration.shouldUseExtendedBackgroundIdleMode = true
        #expect(configuration.httpShouldUsePipelining && configuration.shouldUseExtendedBackgroundIdleMode)
    }
    #endif

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
