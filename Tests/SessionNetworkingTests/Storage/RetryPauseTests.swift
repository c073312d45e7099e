import Foundation
import Testing

@testable import SessionNetworking

@Suite struct RetryPauseTests {
    @Test func `it doubles up to a minute, and begins anew after a success`() {
        var pause = RetryPause()
        let first = (0..<8).map { _ in pause.next() }
        #expect(first == [1, 2, 4, 8, 16, 32, 60, 60].map { .seconds($0) })
        pause.reset()
        #expect(pause.next() == .seconds(1))
    }
}
