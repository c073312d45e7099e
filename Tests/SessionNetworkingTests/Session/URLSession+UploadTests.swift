import ClientMachines
import Foundation
import NIOCore
import ScriptedServer
import TestSupport
import Testing

@testable import SessionNetworking

@Suite(.endsInTime) struct UploadTaskTests {
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
        let abc = RequestBody.bytes(ByteBuffer(string: "abc")), path = RequestBody.file(BodyFile(path: file.path))
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

    // BEHAVIOUR 1.H2-sent
    @Test func `what is no file has no length`() throws {
        let folder = try TestFolder()
        let task = world.makeSession().uploadTask(with: request, fromFile: folder.url)
        #expect(task.countOfBytesExpectedToSend == NSURLSessionTransferSizeUnknown)
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

    // BEHAVIOUR 1.I6-data, 1.I6-resume
    @Test(arguments: [false, true])
    func `an upload goes on with the file that was begun, and with no other of its length`(isChanged: Bool) async throws
    {
        let folder = try TestFolder()
        let file = try folder.write(String(repeating: "a", count: 1_000_000))
        let server = try await ScriptedServer.start { script in
            let reply = ServerReply.status(201).keepingUploads(below: "/uploads")
            script.route("PUT", "/in", reply: reply.stall(at: .requestBody(1000)))
            script.route(nil, "/uploads/*", reply: reply)
        }
        let configuration = URLSessionConfiguration.ephemeral
        configuration.resumableUploadVersion = .interop6
        let session = URLSession(configuration: configuration)
        var request = URLRequest(url: try #require(URL(string: server.url + "/in")))
        request.httpMethod = "PUT"
        let cut = await #expect(throws: URLError.self) {
            try await session.upload(for: request, fromFile: file, delegate: OfferCanceller())
        }
        let resumeData = try #require(cut?.uploadTaskResumeData)
        if isChanged { try folder.overwrite(file, with: String(repeating: "b", count: 1_000_000)) }
        let end = await withCheckedContinuation { continuation in
            session.uploadTask(withResumeData: resumeData) { _, response, error in
                let status = (response as? HTTPURLResponse)?.statusCode
                continuation.resume(returning: status ?? (error as? URLError)?.errorCode)
            }.resume()
        }
        #expect(end == (isChanged ? URLError.requestBodyStreamExhausted.rawValue : 201))
        session.invalidateAndCancel()
        _ = try await server.stop()
    }

    /// Cancels an upload as soon as its server says that it could be continued.
    private final class OfferCanceller: NSObject, URLSessionTaskDelegate {
        func urlSession(
            _ session: URLSession, task: URLSessionTask, didReceiveInformationalResponse response: HTTPURLResponse
        ) {
            (task as? URLSessionUploadTask)?.cancel(byProducingResumeData: { _ in })
        }
    }

    private final class ShownRequests: @unchecked Sendable {  // Safety: used on the thread that runs the queue.
        var list: [URLRequest] = []
    }
}
