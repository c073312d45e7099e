import Foundation
import NIOCore
import Testing

@testable import SessionNetworking

@Suite struct BodyCollectorTests {
    @Test(arguments: [[], ["a"], ["a", "bc", "", "d"]] as [[String]])
    func `a collected body is whole, and taken once`(pieces: [String]) {
        let body = BodyCollector()
        for piece in pieces { body.append(ByteBuffer(string: piece)) }
        #expect(body.take() == Data(pieces.joined().utf8))
        #expect(body.take().isEmpty)
    }

    @Test(arguments: [1, 2, 3, 4, 5, 100]) func `a body that takes several buffers is whole`(segmentBytes: Int) {
        let body = BodyCollector(segmentBytes: segmentBytes)
        for piece in ["a", "bc", "defgh", "", "i"] { body.append(ByteBuffer(string: piece)) }
        #expect(body.take() == Data("abcdefghi".utf8))
        #expect(body.take().isEmpty)
    }

    @Test func `what nobody will ask for is not kept`() {
        let body = BodyCollector(keeps: false)
        body.append(ByteBuffer(string: "abc"))
        #expect(body.take().isEmpty)
    }
}
