#if !BENCHMARK_FOUNDATION
import Foundation
import SessionNetworking

/// What goes along with each request of `DelegateLoader`, or the way that it takes.
enum Identity: String {
    /// Nobody looks for cookies.
    case jarless = "no-jar"
    /// 10,000 cookies of 1,000 hosts, ten of them of the server's.
    case jar
    /// Credentials of Digest, for a server that asks for them once. The URL has them.
    case digest
    /// A proxy's tunnel; $PROXY is its port.
    case tunnel

    func configure(_ configuration: URLSessionConfiguration) {
        switch self {
        case .jarless: configuration.httpCookieStorage = nil
        case .jar:
            for host in ["127.0.0.1"] + (1..<1000).map({ "host\($0).test" }) {
                for index in 0..<10 {
                    let properties: [HTTPCookiePropertyKey: Any] = [
                        .name: "cookie\(index)", .value: "\(index)", .domain: host, .path: "/",
                    ]
                    if let cookie = HTTPCookie(properties: properties) {
                        configuration.httpCookieStorage?.setCookie(cookie)
                    }
                }
            }
        case .digest: break
        case .tunnel:
            configuration.connectionProxyDictionary = [
                "HTTPSEnable": 1, "HTTPSProxy": "127.0.0.1",
                "HTTPSPort": Int(ProcessInfo.processInfo.environment["PROXY"] ?? "") ?? 0,
            ]
        }
    }
}
#endif
