import ClientMachines
import Foundation
import NIOCore
import Testing

@testable import SessionNetworking

@Suite struct LoadEventDataTests {
    @Test func `data become as many events as they need`() {
        #expect(LoadEvent.pieces(of: Data()) == [])
        #expect(LoadEvent.pieces(of: Data("abcde".utf8), upTo: 5) == [.data(ByteBuffer(string: "abcde"))])
        let pieces = LoadEvent.pieces(of: Data("xxabcde".utf8).dropFirst(2), upTo: 2)
        #expect(pieces == ["ab", "cd", "e"].map { .data(ByteBuffer(string: $0)) })
    }
}
