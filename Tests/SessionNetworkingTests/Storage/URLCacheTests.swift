import Foundation
import Testing

@testable import SessionNetworking

/// What a program does with a cache itself; what sessions do is in `scenarios/cache`.
@Suite struct URLCacheTests {
    private let cache = URLCache()

    init() { cache.memoryCapacity = 100_000 }

    private static func request(
        _ text: String, _ fields: [String: String] = [:], method: String = "GET"
    ) throws -> URLRequest {
        var request = URLRequest(url: try #require(URL(string: text)))
        request.httpMethod = method
        request.allHTTPHeaderFields = fields
        return request
    }

    private static func answer(
        to request: URLRequest, _ text: String, _ fields: [String: String] = [:],
        policy: URLCache.StoragePolicy = .allowed
    ) throws -> CachedURLResponse {
        let url = try #require(request.url)
        let response = try #require(
            HTTPURLResponse(url: url, statusCode: 200, httpVersion: nil, headerFields: fields))
        return CachedURLResponse(
            response: response, data: Data(text.utf8), userInfo: ["mine": text], storagePolicy: policy)
    }

    private func text(for request: URLRequest) -> String? {
        cache.cachedResponse(for: request).map { String(decoding: $0.data, as: UTF8.self) }
    }

    @Test func `what is stored comes back with all that it has, for the same URL without its fragment`() throws {
        let request = try Self.request("http://a.test/x?y=1")
        cache.storeCachedResponse(try Self.answer(to: request, "one"), for: request)
        let found = try #require(cache.cachedResponse(for: try Self.request("http://a.test/x?y=1#part")))
        #expect(found.data == Data("one".utf8))
        #expect(found.userInfo?["mine"] as? String == "one")
        #expect((found.response as? HTTPURLResponse)?.statusCode == 200)
        for other in ["http://a.test/x?y=2", "http://a.test/x", "https://a.test/x?y=1", "http://b.test/x?y=1"] {
            #expect(text(for: try Self.request(other)) == nil, "\(other)")
        }
        #expect(text(for: try Self.request("http://a.test:80/x?y=1")) == "one")
        #expect(text(for: try Self.request("http://A.test/x?y=1")) == "one")
    }

    @Test func `only GET is stored, and found for GET and HEAD`() throws {
        let post = try Self.request("http://a.test/", method: "POST")
        cache.storeCachedResponse(try Self.answer(to: post, "one"), for: post)
        #expect(cache.currentMemoryUsage == 0)
        let get = try Self.request("http://a.test/")
        cache.storeCachedResponse(try Self.answer(to: get, "one"), for: get)
        #expect(text(for: try Self.request("http://a.test/", method: "HEAD")) == "one")
        #expect(text(for: post) == nil)
    }

    @Test func `variants are found by the fields that they vary by`() throws {
        for language in ["de", "fr"] {
            let request = try Self.request("http://a.test/", ["Accept-Language": language])
            cache.storeCachedResponse(
                try Self.answer(to: request, language, ["Vary": "Accept-Language"]), for: request)
        }
        #expect(text(for: try Self.request("http://a.test/", ["Accept-Language": "de"])) == "de")
        #expect(text(for: try Self.request("http://a.test/", ["Accept-Language": "fr"])) == "fr")
        #expect(text(for: try Self.request("http://a.test/", ["Accept-Language": "it"])) == nil)
        // A session adds the field: what the request does not say does not rule out.
        #expect(text(for: try Self.request("http://a.test/")) == "fr")
    }

    @Test func `what may be stored nowhere is not, nor what varies by anything, nor what is no answer of HTTP`() throws
    {
        let request = try Self.request("http://a.test/")
        cache.storeCachedResponse(try Self.answer(to: request, "one", policy: .notAllowed), for: request)
        cache.storeCachedResponse(try Self.answer(to: request, "one", ["Vary": "*"]), for: request)
        let plain = URLResponse(
            url: try #require(request.url), mimeType: nil, expectedContentLength: 3, textEncodingName: nil)
        cache.storeCachedResponse(CachedURLResponse(response: plain, data: Data("one".utf8)), for: request)
        #expect(cache.currentMemoryUsage == 0)
        #expect(text(for: request) == nil)
    }

    @Test func `removing: one, all, and those since a date`() throws {
        let requests = try (0..<3).map { try Self.request("http://a.test/\($0)") }
        for request in requests { cache.storeCachedResponse(try Self.answer(to: request, "x"), for: request) }
        cache.removeCachedResponse(for: requests[0])
        #expect(text(for: requests[0]) == nil)
        #expect(text(for: requests[1]) == "x")
        cache.removeCachedResponses(since: Date().addingTimeInterval(60))
        #expect(text(for: requests[1]) == "x")
        cache.removeCachedResponses(since: Date().addingTimeInterval(-60))
        #expect(text(for: requests[1]) == nil)
        cache.storeCachedResponse(try Self.answer(to: requests[2], "x"), for: requests[2])
        cache.removeAllCachedResponses()
        #expect(cache.currentMemoryUsage == 0)
    }

    @Test func `lowering the capacity lets go at once of what was not used for the longest time`() throws {
        let requests = try (0..<10).map { try Self.request("http://a.test/\($0)") }
        let body = String(repeating: "x", count: 5000)
        for request in requests { cache.storeCachedResponse(try Self.answer(to: request, body), for: request) }
        let full = cache.currentMemoryUsage
        #expect(full > 50_000 && full < 60_000)
        _ = text(for: requests[0])
        cache.memoryCapacity = full / 2
        #expect(cache.currentMemoryUsage <= full / 2)
        #expect(text(for: requests[0]) == body)
        #expect(text(for: requests[9]) == body)
        #expect(text(for: requests[1]) == nil)
        cache.memoryCapacity = -1
        #expect(cache.memoryCapacity == 0)
        #expect(cache.currentMemoryUsage == 0)
    }

    @Test func `an object of the caller's that is let go may use the cache`() throws {
        let request = try Self.request("http://a.test/"), url = try #require(request.url)
        let response = try #require(HTTPURLResponse(url: url, statusCode: 200, httpVersion: nil, headerFields: nil))
        cache.storeCachedResponse(
            CachedURLResponse(
                response: response, data: Data(), userInfo: ["mine": Reentrant(cache)], storagePolicy: .allowed),
            for: request)
        cache.removeAllCachedResponses()
        #expect(cache.currentMemoryUsage == 0)
    }

    private final class Reentrant {
        private let cache: URLCache
        init(_ cache: URLCache) { self.cache = cache }
        deinit { cache.removeAllCachedResponses() }
    }

    @Test func `sessions of default configurations share one, ephemeral ones have their own`() {
        #expect(URLSessionConfiguration.default.urlCache === URLCache.shared)
        let ephemeral = URLSessionConfiguration.ephemeral
        #expect(ephemeral.urlCache != nil)
        #expect(ephemeral.urlCache !== URLCache.shared)
        #expect(ephemeral.urlCache !== URLSessionConfiguration.ephemeral.urlCache)
        #expect((ephemeral.copy() as? URLSessionConfiguration)?.urlCache === ephemeral.urlCache)
    }
}
