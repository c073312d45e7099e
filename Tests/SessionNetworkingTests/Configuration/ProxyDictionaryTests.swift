import ClientMachines
import Foundation
import HTTPBasics
import Testing

@testable import SessionNetworking

/// BEHAVIOUR 2.E1, 2.E6-pac
@Suite struct ProxyDictionaryTests {
    private static func settings(_ dictionary: [AnyHashable: Any]) -> ProxySettings {
        ProxyDictionary(dictionary).settings
    }

    @Test func `values come as numbers, texts and objects`() {
        let wanted = Proxy(.http, host: "p.test", port: 8080)
        for port in [8080, NSNumber(value: 8080), UInt16(8080), "8080", 8080.0] as [Any] {
            for enable in [1, true, NSNumber(value: true), nil] as [Any?] {
                var dictionary: [AnyHashable: Any] = ["HTTPProxy": NSString("P.test"), "HTTPPort": port]
                dictionary["HTTPEnable"] = enable
                #expect(Self.settings(dictionary) == ProxySettings(http: wanted))
            }
        }
        let keys: [AnyHashable: Any] = [kCFNetworkProxiesHTTPProxy: "p.test", kCFNetworkProxiesHTTPPort: 8080]
        #expect(Self.settings(keys) == ProxySettings(http: wanted))
    }

    @Test func `what is no proxy is none`() {
        for dictionary: [AnyHashable: Any] in [
            [:], ["HTTPProxy": "p.test", "HTTPEnable": 0], ["HTTPProxy": "", "HTTPPort": 1], ["HTTPPort": 1],
            ["HTTPEnable": 0, "HTTPProxy": 9], [7: "x"],
            ["ProxyAutoConfigEnable": 1, "ProxyAutoConfigURLString": "http://p.test/proxy.pac"],
        ] {
            #expect(Self.settings(dictionary) == ProxySettings())
        }
    }

    /// BEHAVIOUR 2.E10-slip
    @Test func `what cannot be read is a proxy that nobody can use`() {
        for dictionary: [AnyHashable: Any] in [
            ["HTTPProxy": "p.test", "HTTPPort": 70_000], ["HTTPProxy": "p.test", "HTTPPort": -1],
            ["HTTPProxy": "p.test", "HTTPPort": 0], ["HTTPProxy": "p.test", "HTTPPort": "http"], ["HTTPProxy": 9],
            ["HTTPEnable": 1], ["HTTPEnable": 1, "HTTPProxy": ""], ["HTTPProxyHost": 9],
        ] {
            #expect(Self.settings(dictionary) == ProxySettings(http: .unreadable))
        }
        #expect(Self.settings(["SOCKSEnable": 1]) == ProxySettings(fallback: .unreadable))
    }

    @Test func `each kind has its port, and users their keys`() {
        let ann = Credential(user: "ann", password: "s3cret")
        let settings = Self.settings([
            "HTTPSProxy": "[::1]", "SOCKSProxy": "s.test", "HTTPProxyHost": "old.test", "HTTPProxyPort": 3128,
            kCFStreamPropertySOCKSVersion: kCFStreamSocketSOCKSVersion4, kCFProxyUsernameKey: "ann",
            kCFProxyPasswordKey: "s3cret",
        ])
        #expect(settings.http == Proxy(.http, host: "old.test", port: 3128, credential: ann))
        #expect(settings.https == Proxy(.http, host: "::1", port: 443, credential: ann))
        #expect(settings.fallback == Proxy(.socks4, host: "s.test", port: 1080, credential: ann))
        #expect(!"\(settings)".contains("s3cret"))
    }

    @Test func `a configuration's dictionary is copied with it`() {
        let configuration = URLSessionConfiguration.default
        #expect(configuration.connectionProxyDictionary == nil)
        configuration.connectionProxyDictionary = ["HTTPProxy": "p.test"]
        let copy = configuration.copy() as? URLSessionConfiguration
        configuration.connectionProxyDictionary = [:]
        #expect(copy?.connectionProxyDictionary?["HTTPProxy"] as? String == "p.test")
        let environment = ["http_proxy": "e.test:1"]
        #expect(configuration.clientSettings { environment[$0] }.proxies == nil)
        configuration.connectionProxyDictionary = nil
        #expect(configuration.clientSettings { environment[$0] }.proxies?.http?.host == "e.test")
    }
}
