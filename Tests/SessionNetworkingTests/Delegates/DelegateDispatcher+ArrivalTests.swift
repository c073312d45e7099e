import ClientMachines
import Foundation
import NIOCore
import TestSupport
import Testing

@testable import SessionNetworking

/// How the body of an asynchronous call reaches its caller, past a delegate of the call's own.
@Suite(.endsInTime) struct DelegateArrivalTests {
    private let world = FakeWorld()

    private final class Deaf: NSObject, URLSessionDataDelegate {}

    // BEHAVIOUR 1.B1-12
    @Test func `the delegate of an asynchronous call hears its body, the session's does not`() async throws {
        let session = world.makeSession(delegate: world.spy("s"))
        let result = AsyncResult<(Data, URLResponse)>()
        let task = session.makeDataTask(
            URLRequest(url: Sample.url), .asyncData(BodyCollector(), result), delegate: world.spy("t"))
        task.resume()
        world.tell(task, .response(Sample.ok), Sample.data("ab"), Sample.data("c"), .complete(nil))
        world.queue.runAll()
        #expect(world.journal.take() == ["t didCreateTask", "t didReceive data 2", "t didReceive data 1"])
        #expect(try await result.value {}.0 == Data("abc".utf8))
        #expect(!world.engine.takeWords().contains { $0.hasPrefix("delivered") })
    }

    // BEHAVIOUR 1.B1-12
    @Test func `the delegate of an asynchronous download hears what was written, and not where`() async throws {
        let session = world.makeSession(delegate: world.spy("s"))
        let result = AsyncResult<(URL, URLResponse)>()
        let task = session.makeDownloadTask(
            URLRequest(url: Sample.url), .asyncFile(FileCollector(), result), delegate: world.spy("t"))
        task.resume()
        let file = try TemporaryFile()
        world.tell(
            task, .response(Sample.ok), .wrote(bytes: 3, total: 3, expected: 3), .file(path: file.path), .complete(nil))
        world.queue.runAll()
        #expect(world.journal.take() == ["t didCreateTask", "t didWriteData 3, 3 of 3"])
        #expect(try await result.value {}.0.path == file.path)
        #expect(file.exists)
        try FileManager.default.removeItem(at: file.url)
    }

    // BEHAVIOUR 1.B1-12
    @Test func `a reader gets no bytes that the delegate has not heard, and its reading opens the window`() async throws
    {
        let session = world.makeSession()
        let result = AsyncResult<(URLSession.AsyncBytes, URLResponse)>()
        let channel = ByteChannel { [journal = world.journal] in journal.note("read \($0)") }
        let task = session.makeDataTask(
            URLRequest(url: Sample.url), .asyncBytes(channel, result), delegate: world.spy("t"))
        task.resume()
        world.tell(task, .response(Sample.ok), Sample.data("abc"), .complete(nil))
        world.queue.runAll()
        #expect(world.journal.take() == ["t didCreateTask", "t didReceive data 3"])
        var read: [UInt8] = []
        let (bytes, _) = try await result.value {}
        for try await byte in bytes { read.append(byte) }
        #expect(read == Array("abc".utf8))
        #expect(!world.engine.takeWords().contains { $0.hasPrefix("delivered") })
    }

    // BEHAVIOUR 1.B1-12
    @Test func `a delegate without the method costs no hop once that is known`() {
        let session = world.makeSession(knownTypes: KnownTypes(lacking: DelegateMethods(.data)))
        let body = BodyCollector()
        let task = session.makeDataTask(
            URLRequest(url: Sample.url), .asyncData(body, AsyncResult()), delegate: Deaf())
        task.resume()
        world.queue.runAll()
        world.tell(task, Sample.data("abc"))
        #expect(world.queue.count == 0)
        #expect(body.take() == Data("abc".utf8))
    }

    @Test func `bytes keep their order when the method is found missing under way`() {
        let session = world.makeSession()
        let body = BodyCollector()
        let task = session.makeDataTask(
            URLRequest(url: Sample.url), .asyncData(body, AsyncResult()), delegate: Deaf())
        task.resume()
        world.tell(task, Sample.data("a"))
        world.tell(task, Sample.data("b"))
        world.queue.runAll()
        world.tell(task, Sample.data("c"))
        #expect(body.take() == Data("ab".utf8))
        world.queue.runAll()
        #expect(body.take() == Data("c".utf8))
    }

    // BEHAVIOUR 1.B1-12
    @Test func `bytes keep their order when another task finds the method missing`() {
        let known = KnownTypes()
        let elsewhere = FakeWorld()
        let body = BodyCollector()
        let task = world.makeSession(knownTypes: known).makeDataTask(
            URLRequest(url: Sample.url), .asyncData(body, AsyncResult()), delegate: Deaf())
        let other = elsewhere.makeSession(knownTypes: known).makeDataTask(
            URLRequest(url: Sample.url), .asyncData(BodyCollector(), AsyncResult()), delegate: Deaf())
        task.resume()
        other.resume()
        world.tell(task, Sample.data("a"))
        elsewhere.tell(other, Sample.data("x"))
        elsewhere.queue.runAll()
        world.tell(task, Sample.data("b"))
        world.queue.runAll()
        #expect(body.take() == Data("ab".utf8))
    }

    // BEHAVIOUR 1.B1-12
    @Test func `the window opens for a delegate whose method was found missing under way`() {
        let session = world.makeSession()
        let task = session.makeDataTask(
            URLRequest(url: Sample.url), .asyncData(BodyCollector(), AsyncResult()), delegate: Deaf())
        task.resume()
        world.tell(task, Sample.data("a"))
        world.queue.runAll()
        _ = world.engine.takeWords()
        world.tell(task, Sample.data(String(repeating: "b", count: 1 << 20)))
        world.queue.runAll()
        #expect(world.engine.takeWords().contains { $0.hasPrefix("delivered") })
    }

    // BEHAVIOUR 1.B1-12
    @Test func `a task with a handler tells no body, not even to its own delegate`() {
        let session = world.makeSession(delegate: world.spy("s"))
        let task = session.dataTask(with: Sample.url) { [journal = world.journal] data, _, _ in
            journal.note("handler \(data?.count ?? -1)")
        }
        task.delegate = world.spy("t")
        _ = world.journal.take()
        task.resume()
        world.tell(task, .response(Sample.ok), Sample.data("abc"), .complete(nil))
        world.queue.runAll()
        #expect(world.journal.take() == ["handler 3"])
    }
}
