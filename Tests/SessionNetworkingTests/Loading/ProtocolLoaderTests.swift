import ClientMachines
import Foundation
import Locks
import TestSupport
import Testing

@testable import SessionNetworking

@Suite(.endsInTime) struct ProtocolLoaderTests {
    private static func count(_ stream: InputStream?) -> Int64 {
        guard let stream else { return 0 }
        stream.open()
        defer { stream.close() }
        var piece = [UInt8](repeating: 0, count: 100), sum: Int64 = 0
        while true {
            let count = stream.read(&piece, maxLength: piece.count)
            guard count > 0 else { return sum }
            sum += Int64(count)
        }
    }

    // BEHAVIOUR 3.A1-again
    @Test func `every load reads a form from its beginning`() async throws {
        let read = Lock<[Int64]>([])
        let stage = MockProtocol.Stage { mock, client in
            let count = Self.count(mock.request.httpBodyStream)
            read.withLock { $0.append(count) }
            guard mock.request.url?.path == "/a" else { return mock.finish() }
            let response = HTTPURLResponse(url: Sample.url, statusCode: 307, httpVersion: nil, headerFields: nil)
            var next = mock.request
            next.url = URL(string: "http://mock.test/b")
            if let response { client.urlProtocol(mock, wasRedirectedTo: next, redirectResponse: response) }
        }
        var form = MultipartFormData()
        form.append("Ann", name: "user")
        var request = MockProtocol.request("http://mock.test/a", stage)
        request.httpMethod = "POST"
        request.setBody(form)
        let session = MockProtocol.session()
        for _ in 0..<2 { _ = try await session.data(for: request) }
        session.invalidateAndCancel()
        #expect(read.withLock { $0 } == Array(repeating: form.contentLength, count: 4))
    }

    /// No buffer holds 4 GiB.
    @Test(arguments: [false, true]) func `large data of a protocol class come in pieces`(isCached: Bool) {
        let stage = MockProtocol.Stage { mock, client in
            let data = Data(count: LoadEvent.pieceBytes + 1)
            let cached = CachedURLResponse(response: Sample.publicResponse, data: data)
            if isCached { return client.urlProtocol(mock, cachedResponseIsValid: cached) }
            mock.respond()
            client.urlProtocol(mock, didLoad: data)
        }
        let world = FakeWorld(), pieces = Lock<[Int]>([])
        let task = world.makeSession().dataTask(with: MockProtocol.request("http://mock.test/a", stage))
        let inlet = EventInlet(
            enqueue: { event in
                if case .data(let bytes) = event { pieces.withLock { $0.append(bytes.readableBytes) } }
                return false
            }, wake: {})
        let loader = ProtocolLoader(MockProtocol.self, for: task, kept: nil, executor: world.queue, inlet: inlet)
        loader.begin()
        world.queue.runAll()
        #expect(pieces.withLock { $0 } == [LoadEvent.pieceBytes, 1])
        loader.end()
    }

    // BEHAVIOUR 2.H18, 2.H18-late
    @Test func `a load that is ended before it begins is started and stopped, and not heard`() {
        let world = FakeWorld(), heard = Journal(), stage = MockProtocol.Stage(MockProtocol.hello)
        let task = world.makeSession().dataTask(with: MockProtocol.request("http://mock.test/a", stage))
        let inlet = EventInlet(
            enqueue: { event in
                heard.note("\(event)")
                return false
            }, wake: {})
        let loader = ProtocolLoader(MockProtocol.self, for: task, kept: nil, executor: world.queue, inlet: inlet)
        loader.end()
        loader.begin()
        world.queue.runAll()
        #expect(stage.journal.take() == ["start /a", "stop"])
        #expect(heard.take() == [])
    }
}
