import Foundation
import Testing

@testable import SessionNetworking

@Suite struct EndpointTests {
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
