import ClientMachines
import Foundation
import HTTPBasics
import Testing

@testable import SessionNetworking

@Suite struct StoragesAtHandTests {
    @Test func `a circle of kept redirects is answered by what each URL has`() throws {
        let cache = URLCache(memoryCapacity: 1 << 20, diskCapacity: 0)
        let keys = try [("a", 301), ("b", 302)].map { path, status in
            let url = try #require(URL(string: "http://a.test/\(path)"))
            let fields = ["Cache-Control": "max-age=9"]
            let response = try #require(
                HTTPURLResponse(url: url, statusCode: status, httpVersion: nil, headerFields: fields))
            cache.storeCachedResponse(CachedURLResponse(response: response, data: Data()), for: URLRequest(url: url))
            return try #require(URLReference(url.absoluteString).flatMap { CacheKey($0) })
        }
        let storages = StoragesAtHand(cache, nil, first: keys[0], offered: cache.find(keys[0]))
        let statuses = [0, 1, 1, 0].map { index -> [Int] in
            guard case .kept(let offered) = storages.answer(.kept(keys[index])) else { return [] }
            return offered.map(\.status)
        }
        #expect(statuses == [[301], [302], [302], [301]])
        #expect(storages.foundLater.map(\.record.status) == [302, 301])
    }
}
