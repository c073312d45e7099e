import ClientMachines
import Foundation
import NIOCore
import Testing

@testable import SessionNetworking

@Suite struct UploadTaskTests {
    private let world = FakeWorld()

    private var request: URLRequest {
        var request = URLRequest(url: Sample.url)
        request.httpMethod = "PUT"
        request.httpBody = Data("ignored".utf8)
        return request
    }

    private var streamed: URLRequest {
        var request = request
        request.httpBodyStream = InputStream(data: Data("ignored".utf8))
        return request
    }

    // BEHAVIOUR 1.I1-own
    @Test func `an upload task sends what it was given, and nothing of its request's`() {
        let session = world.makeSession()
        let file = URL(fileURLWithPath: "/nowhere/at/all")
        let take: @Sendable (Data?, URLResponse?, (any Error)?) -> Void = { _, _, _ in }
        let tasks = [
            session.uploadTask(with: request, from: Data("abc".utf8)),
            session.uploadTask(with: streamed, from: Data("abc".utf8), completionHandler: take),
            session.uploadTask(with: request, from: nil, completionHandler: take),
            session.uploadTask(with: streamed, fromFile: file),
            session.uploadTask(with: request, fromFile: file, completionHandler: take),
            session.uploadTask(withStreamedRequest: streamed),
        ]
        for task in tasks { task.resume() }
        let abc = RequestBody.bytes(ByteBuffer(string: "abc")), path = RequestBody.file(path: file.path)
        let wanted: [RequestBody?] = [abc, abc, .bytes(ByteBuffer()), path, path, .stream(.awaited)]
        let sent: [RequestBody?] = world.engine.takePlans().map(\.request.body)
        #expect(sent == wanted)
        #expect(tasks.map(\.countOfBytesExpectedToSend) == [3, 3, 0, -1, -1, -1])
    }

    // BEHAVIOUR 1.H2-sent
    @Test func `the length of a file is known before it is sent`() throws {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try Data("12345".utf8).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        #expect(world.makeSession().uploadTask(with: request, fromFile: file).countOfBytesExpectedToSend == 5)
    }

    @Test func `a URL that is no file's fails the task`() {
        let session = world.makeSession()
        session.uploadTask(with: request, fromFile: Sample.url).resume()
        #expect(world.engine.takePlans().map(\.refusal) == [.fileDoesNotExist])
    }

    // BEHAVIOUR 1.I1-own
    @Test func `a redirect shows no body, and the delegate's does not take its place`() throws {
        let shown = ShownRequests()
        let answers = SpyDelegate.Answers(redirect: { request in
            shown.list.append(request)
            var other = request
            other.httpBody = Data("of the delegate".utf8)
            return other
        })
        let spy = SpyDelegate("s", world.journal, answers)
        let session = world.makeSession(delegate: spy)
        let task = session.uploadTask(with: request, from: Data("abc".utf8))
        task.resume()
        _ = world.engine.takeInputs()
        var next = Sample.next
        next.body = .bytes(ByteBuffer(string: "abc"))
        world.ask(task, 1, .redirect(Sample.response(307), next: next))
        world.queue.runAll()
        #expect(shown.list.count == 1)
        #expect(shown.list.first?.httpBody == nil)
        let bodies: [RequestBody?] = world.engine.takeInputs().map { input in
            guard case .answer(_, .redirect(let request)) = input else { return nil }
            return request?.body
        }
        let wanted: [RequestBody?] = [.bytes(ByteBuffer(string: "abc"))]
        #expect(bodies == wanted)
    }

    private final class ShownRequests: @unchecked Sendable {  // Safety: used on the thread that runs the queue.
        var list: [URLRequest] = []
    }
}
