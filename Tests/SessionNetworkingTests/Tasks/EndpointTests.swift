import Foundation
import NIOCore
import Testing

@testable import SessionNetworking

@Suite struct EndpointTests {
    @Test(arguments: [[], ["a"], ["a", "bc", "", "d"]] as [[String]])
    func `a collected body is whole, and taken once`(pieces: [String]) {
        let body = BodyCollector()
        for piece in pieces { body.append(ByteBuffer(string: piece)) }
        #expect(body.take() == Data(pieces.joined().utf8))
        #expect(body.take().isEmpty)
    }

    @Test func `only bodies that the caller gets as a whole are collected`() {
        let collecting: [Endpoint] = [
            .dataHandler(BodyCollector(), CompletionHandler { _, _, _ in }),
            .asyncData(BodyCollector(), AsyncResult()),
        ]
        let passing: [Endpoint] = [
            .delegate, .fileHandler(FileCollector(), CompletionHandler { _, _, _ in }),
            .asyncFile(FileCollector(), AsyncResult()), .asyncBytes(ByteChannel { _ in }, AsyncResult()),
        ]
        #expect(collecting.map(\.collectsBody) == [true, true])
        #expect(passing.map(\.collectsBody) == [false, false, false, false])
    }

    @Test func `a completion handler is called once`() {
        let journal = Journal()
        let handler = CompletionHandler<Data> { _, _, _ in journal.note("called") }
        handler.call(nil, nil, nil)
        handler.call(nil, nil, nil)
        #expect(journal.take() == ["called"])
    }
}
