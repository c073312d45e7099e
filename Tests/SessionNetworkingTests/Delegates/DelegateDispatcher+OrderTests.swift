import ClientMachines
import Foundation
import TestSupport
import Testing

@testable import SessionNetworking

/// What each style of task tells its user, in which order (BEHAVIOUR 1.B2, 1.B3, 1.B6, 1.B7).
@Suite(.endsInTime) struct DelegateOrderTests {
    private let world = FakeWorld()

    // BEHAVIOUR 1.B1-1, 1.B1-2, 1.B2, 1.H2-completed
    @Test func `a data task's messages come in order, on the delegate queue but for the first`() {
        let session = world.makeSession(delegate: world.spy("s"))
        let task = session.dataTask(with: Sample.url)
        #expect(world.journal.take() == ["s didCreateTask"], "at once, on the caller's thread")
        task.resume()
        #expect(
            world.engine.takePlans().map(\.asks) == [
                [.redirect, .challenge, .connection, .bodyStream, .response, .willCache]
            ])
        world.tell(task, .sentBody(bytes: 3, total: 3, expected: 3), .informational(Sample.response(103)))
        world.ask(task, 1, .response(Sample.ok))
        #expect(world.journal.take().isEmpty, "nothing from the loop's own thread")
        world.queue.runAll()
        #expect(
            world.journal.take() == [
                "s didSendBodyData 3, 3 of 3", "s didReceiveInformationalResponse 103", "s didReceive response 200",
            ])
        #expect(world.engine.takeWords() == ["answer 1 allow"])
        world.tell(task, Sample.data("ab"), Sample.data("c"), .complete(nil))
        #expect(task.state == .running)
        world.queue.runAll()
        #expect(
            world.journal.take() == [
                "s didReceive data 2", "s didReceive data 1", "s didComplete no error, state completed",
            ])
        #expect(task.countOfBytesReceived == 3)
        #expect(task.error == nil)
    }

    // BEHAVIOUR 1.B1-12, 1.B3
    @Test func `a completion handler takes the place of response, data and completion, not of the questions`() {
        let session = world.makeSession(delegate: world.spy("s"))
        let task = session.dataTask(with: Sample.url) { [journal = world.journal] data, response, error in
            let status = (response as? HTTPURLResponse)?.statusCode
            journal.note("handler \(data.map { String(decoding: $0, as: UTF8.self) } ?? "nil") \(status ?? 0)")
            #expect(error == nil)
        }
        task.resume()
        #expect(world.engine.takePlans().map(\.asks) == [[.redirect, .challenge, .connection, .bodyStream]])
        world.tell(task, .sentBody(bytes: 3, total: 3, expected: 3))
        world.ask(task, 1, Sample.redirect)
        world.ask(task, 2, Sample.challenge)
        world.tell(task, .response(Sample.ok), Sample.data("ab"), Sample.data("c"), .complete(nil))
        world.queue.runAll()
        #expect(
            world.journal.take() == [
                "s didCreateTask", "s didSendBodyData 3, 3 of 3", "s willPerformHTTPRedirection 302 to /b",
                "s didReceive challenge", "handler abc 200",
            ])
        #expect(
            world.engine.takeWords() == ["answer 1 redirect /b", "answer 2 challenge performDefaultHandling"])
    }

    // BEHAVIOUR 1.B3, 1.B3-failure, 1.B12-body
    @Test func `an empty body is empty data for the handler, a failure is none`() {
        let session = world.makeSession()
        for failure in [nil, Sample.cancelled] {
            let task = session.dataTask(with: Sample.url) { [journal = world.journal] data, response, error in
                let code = (error as? URLError)?.code.rawValue ?? 0
                journal.note("\(data?.count ?? -1) \(response == nil ? "nil" : "response") \(code)")
            }
            task.resume()
            world.tell(task, .response(Sample.ok), .complete(failure))
        }
        world.queue.runAll()
        #expect(world.journal.take() == ["0 response 0", "-1 response -999"])
    }

    // BEHAVIOUR 1.B6, 1.B6-removed
    @Test func `a download's file is there for one call only, completion is last`() throws {
        let file = try TemporaryFile()
        let session = world.makeSession(delegate: world.spy("s"))
        let task = session.downloadTask(with: Sample.url)
        task.resume()
        #expect(
            world.engine.takePlans().map(\.asks) == [[.redirect, .challenge, .connection, .bodyStream]],
            "no question about the response")
        world.tell(
            task, .response(Sample.ok), .wrote(bytes: 2, total: 2, expected: 3))
        world.queue.runAll()
        world.tell(task, .wrote(bytes: 1, total: 3, expected: 3), .file(path: file.path), .complete(nil))
        world.queue.runAll()
        #expect(
            world.journal.take() == [
                "s didCreateTask", "s didWriteData 2, 2 of 3", "s didWriteData 1, 3 of 3",
                "s didFinishDownloading, file there", "s didComplete no error, state completed",
            ])
        #expect(!file.exists)
    }

    @Test func `a file that the delegate has moved stays`() throws {
        let file = try TemporaryFile()
        let other = file.url.appendingPathExtension("moved")
        var answers = SpyDelegate.Answers()
        answers.file = { try? FileManager.default.moveItem(at: $0, to: other) }
        let session = world.makeSession(delegate: SpyDelegate("s", world.journal, answers))
        let task = session.downloadTask(with: Sample.url)
        task.resume()
        world.tell(task, .file(path: file.path), .complete(nil))
        world.queue.runAll()
        #expect(FileManager.default.fileExists(atPath: other.path))
        try FileManager.default.removeItem(at: other)
    }

    @Test func `a file that nobody takes is removed`() throws {
        let file = try TemporaryFile()
        let session = world.makeSession()
        let task = session.downloadTask(with: Sample.url)
        task.resume()
        world.tell(task, .file(path: file.path), .complete(nil))
        world.queue.runAll()
        #expect(!file.exists)
    }

    // BEHAVIOUR 1.A1-file, 1.B6-removed
    @Test func `a download with a handler gives the file for the time of the call`() throws {
        let file = try TemporaryFile()
        let session = world.makeSession(delegate: world.spy("s"))
        let task = session.downloadTask(with: Sample.url) { [journal = world.journal] location, _, _ in
            journal.note("handler \(location.map { FileManager.default.fileExists(atPath: $0.path) } ?? false)")
        }
        task.resume()
        world.tell(
            task, .response(Sample.ok), .wrote(bytes: 3, total: 3, expected: 3), .file(path: file.path),
            .complete(nil))
        world.queue.runAll()
        #expect(world.journal.take() == ["s didCreateTask", "handler true"])
        #expect(!file.exists)
        #expect(task.countOfBytesReceived == 3)
    }

    // BEHAVIOUR 1.B7, 1.B7-total
    @Test func `a resumed download says first where it goes on`() throws {
        let session = world.makeSession(delegate: world.spy("s"))
        let data = try #require(ResumeDataCoding.encode(Sample.token))
        let task = session.downloadTask(withResumeData: data)
        task.resume()
        #expect(world.engine.takePlans().map(\.kind) == [.download(resuming: Sample.token)])
        world.tell(task, .resumed(offset: 7, expected: 20), .wrote(bytes: 3, total: 10, expected: 20))
        world.queue.runAll()
        #expect(
            world.journal.take() == ["s didCreateTask", "s didResumeAtOffset 7 of 20", "s didWriteData 3, 10 of 20"])
    }

    // BEHAVIOUR 1.F2-handler
    @Test func `resume data is handed over before the completion, and is the same there`() throws {
        let session = world.makeSession(delegate: world.spy("s"))
        let task = session.downloadTask(with: Sample.url)
        task.resume()
        task.cancel { [journal = world.journal] data in
            journal.note("handler \(data.flatMap { ResumeDataCoding.decode($0) }?.offset ?? -1)")
        }
        #expect(world.engine.takeWords() == ["start 1", "cancel 1 keeping"])
        let failure = Failure(.cancelled, .caller, "", url: Sample.reference, resume: Sample.token)
        world.tell(task, .complete(failure))
        world.queue.runAll()
        #expect(
            world.journal.take() == ["s didCreateTask", "handler 7", "s didComplete -999, state completed"])
        let data = try #require((task.error as? URLError)?.downloadTaskResumeData)
        #expect(ResumeDataCoding.decode(data) == Sample.token)
        // Too late: there is nothing to keep.
        task.cancel { [journal = world.journal] data in journal.note("late handler \(data == nil)") }
        world.queue.runAll()
        #expect(world.journal.take() == ["late handler true"])
        #expect(world.engine.takeWords().isEmpty)
    }

    @Test func `an asynchronous caller without a delegate is resumed without a hop`() async throws {
        let session = world.makeSession()
        let result = AsyncResult<(Data, URLResponse)>()
        let task = session.makeDataTask(URLRequest(url: Sample.url), .asyncData(BodyCollector(), result))
        task.resume()
        world.tell(task, .response(Sample.ok), Sample.data("abc"), .complete(nil))
        #expect(world.queue.count == 0)
        let (data, _) = try await result.value {}
        #expect(data == Data("abc".utf8))
    }

    // BEHAVIOUR 1.B1-12
    @Test func `an asynchronous caller with a delegate is resumed after the delegate's last call`() async throws {
        let session = world.makeSession(delegate: world.spy("s"))
        let result = AsyncResult<(Data, URLResponse)>()
        let task = session.makeDataTask(URLRequest(url: Sample.url), .asyncData(BodyCollector(), result))
        task.resume()
        world.tell(
            task, .sentBody(bytes: 1, total: 1, expected: 1), .response(Sample.ok), Sample.data("abc"), .complete(nil))
        #expect(task.state == .running)
        world.queue.runAll()
        #expect(world.journal.take() == ["s didCreateTask", "s didSendBodyData 1, 1 of 1"])
        #expect(try await result.value {}.0.count == 3)
    }

    // BEHAVIOUR 1.B1-1
    @Test func `all that is pending comes in one hop, and calls are never nested`() {
        let session = world.makeSession(delegate: world.spy("s"))
        let task = session.dataTask(with: Sample.url)
        task.resume()
        world.tell(task, Sample.data("a"), Sample.data("b"))
        #expect(world.queue.count == 1)
        session.onDelegateQueue { [world] in
            world.tell(task, Sample.data("c"))
            world.journal.note("job ends, \(world.queue.count) on the queue beside it")
        }
        world.queue.runAll()
        #expect(
            world.journal.take() == [
                "s didCreateTask", "s didReceive data 1", "s didReceive data 1",
                "job ends, 0 on the queue beside it", "s didReceive data 1",
            ])
    }

    @Test func `the machine hears what was delivered, some at a time`() {
        let session = world.makeSession(delegate: world.spy("s"))
        let task = session.dataTask(with: Sample.url)
        task.resume()
        _ = world.engine.takeInputs()
        let piece = String(repeating: "x", count: 100_000)
        world.tell(task, Sample.data(piece), Sample.data(piece))
        world.queue.runAll()
        #expect(world.engine.takeWords().isEmpty)
        world.tell(task, Sample.data(piece))
        #expect(world.engine.takeWords().isEmpty, "not delivered yet")
        world.queue.runAll()
        #expect(world.engine.takeWords() == ["delivered 1 300000"])
    }

    @Test func `a body that nobody wants opens the window all the same`() {
        let session = world.makeSession()
        let task = session.dataTask(with: Sample.url)
        task.resume()
        _ = world.engine.takeInputs()
        world.tell(task, Sample.data(String(repeating: "x", count: 270_000)))
        world.queue.runAll()
        #expect(world.engine.takeWords() == ["delivered 1 270000"])
    }
}

/// A file that a download might have made.
struct TemporaryFile {
    let url = FileManager.default.temporaryDirectory.appendingPathComponent("understudy-test-\(UUID().uuidString)")
    var path: String { url.path }
    var exists: Bool { FileManager.default.fileExists(atPath: path) }

    init() throws { try Data("abc".utf8).write(to: url) }
}
