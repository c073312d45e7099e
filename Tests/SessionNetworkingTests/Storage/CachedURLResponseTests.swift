import Foundation
import Testing

@testable import SessionNetworking

@Suite struct CachedURLResponseTests {
    @Test func `equal answers under the same policy are equal`() {
        let one = CachedURLResponse(response: Sample.publicResponse, data: Data("a".utf8))
        let same = CachedURLResponse(
            response: Sample.publicResponse, data: Data("a".utf8), userInfo: ["k": 1], storagePolicy: .allowed)
        let other = CachedURLResponse(
            response: Sample.publicResponse, data: Data("a".utf8), storagePolicy: .notAllowed)
        #expect(one == same && one.hash == same.hash && one != other)
        #expect(!one.isEqual("a") && !one.isEqual(nil))
        #expect(one.copy() as? CachedURLResponse === one)
        #expect(same.userInfo?["k"] as? Int == 1 && other.storagePolicy == .notAllowed)
    }
}
