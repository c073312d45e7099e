import ClientMachines
import Foundation
import HTTPBasics
import MachineContract
import NIOCore
import Locks
import TestSupport
import Testing

@testable import SessionNetworking

/// The asynchronous forms against an engine that answers from a thread of its own.
@Suite(.endsInTime) struct URLSessionAsyncTests {
    /// Says for each start and cancel what a machine might.
    private final class AnsweringEngine: Engine {
        typealias Answer = @Sendable (ClientInput) -> [UserCall]
        private let loop = DispatchQueue(label: "loop")
        private let sink = Lock<(any CallSink<ClientOutput>)?>(nil)
        private let answer: Answer
        let heard = Journal()

        init(_ answer: @escaping Answer) { self.answer = answer }

        func attach(_ sink: any CallSink<ClientOutput>) { self.sink.withLock { $0 = sink } }

        func enqueue(_ input: ClientInput) -> Bool {
            loop.async { [self] in
                let sink = sink.withLock { $0 }
                switch input {
                case .start(let id, _, _):
                    for call in answer(input) { sink?.take(.tell(id, call)) }
                case .cancel(let id, _):
                    heard.note("cancel")
                    for call in answer(input) { sink?.take(.tell(id, call)) }
                case .delivered(_, let bytes): heard.note("delivered \(bytes)")
                default: break
                }
                sink?.flush()
            }
            return false
        }

        func wake() {}

        /// Waits until everything that was submitted so far has been answered.
        func settle() { loop.sync {} }
    }

    private static func session(
        delegate: (any URLSessionDelegate)? = nil, _ answer: @escaping AnsweringEngine.Answer
    ) -> (URLSession, AnsweringEngine) {
        let engine = AnsweringEngine(answer)
        let world = SessionWorld(
            makeEngine: { _, sink in
                engine.attach(sink)
                return engine
            }, makeExecutor: { QueueExecutor($0) })
        let session = URLSession(
            configuration: .ephemeral, delegate: delegate, delegateQueue: nil, world: world)
        return (session, engine)
    }

    private static func answering(_ calls: UserCall...) -> AnsweringEngine.Answer {
        { input in if case .start = input { calls } else { [] } }
    }

    /// Never answers a start; a cancel completes the task.
    private static let silent: AnsweringEngine.Answer = { input in
        if case .cancel = input { [.complete(Sample.cancelled)] } else { [] }
    }

    // BEHAVIOUR 1.H1-finish, 1.H1-cancel
    @Test(arguments: [false, true])
    func `a task that a delegate suspends when it is made ends with its session`(cancelling: Bool) async {
        let (session, _) = Self.session(delegate: Throttle(), Self.silent)
        let error = await #expect(throws: URLError.self) {
            async let result = session.data(from: Sample.url)
            while Throttle.made.withLock({ $0.remove(session.hashValue) == nil }) { await Task.yield() }
            if cancelling { session.invalidateAndCancel() } else { session.finishTasksAndInvalidate() }
            return try await result
        }
        #expect(error?.code == .cancelled)
    }

    /// Lets no task begin by itself.
    private final class Throttle: NSObject, URLSessionTaskDelegate {
        /// Sessions in which it has suspended a task.
        static let made = Lock<Set<Int>>([])

        func urlSession(_ session: URLSession, didCreateTask task: URLSessionTask) {
            task.suspend()
            Self.made.withLock { _ = $0.insert(session.hashValue) }
        }
    }

    // BEHAVIOUR 1.H1-kinds
    @Test func `tasks are listed by kind`() async {
        let (session, _) = Self.session(Self.silent)
        let data = session.dataTask(with: Sample.url), download = session.downloadTask(with: Sample.url)
        _ = session.dataTask(with: Sample.url)
        for task in [data, download] as [URLSessionTask] { task.resume() }
        let (dataTasks, uploads, downloads) = await session.tasks
        #expect(dataTasks == [data])
        #expect(uploads.isEmpty)
        #expect(downloads == [download])
        #expect(await session.allTasks == [data, download])
    }

    @Test(arguments: [false, true]) func `data comes with its response`(hasDelegate: Bool) async throws {
        let (session, _) = Self.session(
            delegate: hasDelegate ? SpyDelegate("s", Journal()) : nil,
            Self.answering(.response(Sample.ok), Sample.data("ab"), Sample.data("c"), .complete(nil)))
        let (data, response) = try await session.data(from: Sample.url)
        #expect(data == Data("abc".utf8))
        #expect((response as? HTTPURLResponse)?.statusCode == 200)
    }

    @Test func `a failure is thrown as the task's error`() async {
        let failure = Failure(.timedOut, .peer, "", url: Sample.reference)
        let (session, _) = Self.session(Self.answering(.response(Sample.ok), .complete(failure)))
        await #expect(throws: URLError.self) { try await session.data(from: Sample.url) }
        await #expect {
            try await session.download(from: Sample.url)
        } throws: { error in
            (error as? URLError)?.code == .timedOut
        }
    }

    // BEHAVIOUR 1.A1-file
    @Test func `a downloaded file belongs to the caller`() async throws {
        let file = try TemporaryFile()
        let (session, _) = Self.session(
            Self.answering(.response(Sample.ok), .file(path: file.path), .complete(nil)))
        let (location, _) = try await session.download(from: Sample.url)
        #expect(location.path == file.path)
        #expect(file.exists)
        try FileManager.default.removeItem(at: file.url)
    }

    // BEHAVIOUR 1.A1-async
    @Test func `the asynchronous forms send what tasks send`() async throws {
        let file = try TemporaryFile()
        let plans = Lock<[TaskPlan]>([])
        let (session, engine) = Self.session { input in
            guard case .start(_, let plan, _) = input else { return [] }
            plans.withLock { $0.append(plan) }
            return [.response(Sample.ok)] + (plan.kind == .data ? [] : [.file(path: file.path)]) + [.complete(nil)]
        }
        var request = URLRequest(url: Sample.url, timeoutInterval: 7)
        request.httpMethod = "POST"
        request.httpBody = Data("body".utf8)
        request.setValue("1", forHTTPHeaderField: "X")
        _ = try await session.data(for: request)
        _ = try await session.bytes(for: request)
        _ = try await session.download(for: request)
        try FileManager.default.removeItem(at: file.url)
        for task in [session.dataTask(with: request), session.downloadTask(with: request)] { task.resume() }
        engine.settle()
        let seen = plans.withLock { $0 }
        #expect(seen.map(\.kind) == [.data, .data, .download(resuming: nil), .data, .download(resuming: nil)])
        #expect(Set(seen.map(\.request)).count == 1)
        #expect(Set(seen.map(\.requestTimeout)) == [.seconds(7)])
    }

    // BEHAVIOUR 1.A1-bytes
    @Test func `bytes begin at the head, credit goes back as they are read`() async throws {
        let (session, engine) = Self.session(
            Self.answering(.response(Sample.ok), Sample.data("ab"), Sample.data("c"), .complete(nil)))
        let (bytes, response) = try await session.bytes(from: Sample.url)
        #expect((response as? HTTPURLResponse)?.statusCode == 200)
        var all: [UInt8] = []
        for try await byte in bytes { all.append(byte) }
        #expect(all == Array("abc".utf8))
        engine.settle()
        #expect(engine.heard.take() == ["delivered 4096", "delivered 4096"], "no piece counts as less (1.B2-pieces)")
    }

    // BEHAVIOUR 1.A1-bytes
    @Test func `bytes end with the error that the task failed with`() async throws {
        let failure = Failure(.networkConnectionLost, .environment, "", url: Sample.reference)
        let (session, _) = Self.session(
            Self.answering(.response(Sample.ok), Sample.data("ab"), .complete(failure)))
        let (bytes, _) = try await session.bytes(from: Sample.url)
        var count = 0
        do {
            for try await _ in bytes { count += 1 }
            Issue.record("no error came")
        } catch {
            #expect((error as? URLError)?.code == .networkConnectionLost)
        }
        #expect(count == 2)
    }

    // BEHAVIOUR 1.A1-bytes
    @Test func `who stops reading cancels the transfer`() async throws {
        let (session, engine) = Self.session { input in
            if case .start = input { [.response(Sample.ok), Sample.data("ab")] } else { Self.silent(input) }
        }
        do {
            let (bytes, _) = try await session.bytes(from: Sample.url)
            for try await _ in bytes { break }
        }
        engine.settle()
        #expect(engine.heard.take().contains("cancel"))
    }

    // BEHAVIOUR 1.A1-cancel
    @Test func `cancelling the waiting Swift task cancels the transfer`() async {
        let (session, engine) = Self.session(Self.silent)
        let waiting = Task { try await session.data(from: Sample.url) }
        waiting.cancel()
        await #expect {
            try await waiting.value
        } throws: { error in
            (error as? URLError)?.code == .cancelled
        }
        engine.settle()
        #expect(engine.heard.take() == ["cancel"])
    }

    // BEHAVIOUR 1.A1-cancel
    @Test func `cancelling a Swift task that iterates over a body cancels the transfer`() async throws {
        let (session, engine) = Self.session { input in
            if case .start = input { [.response(Sample.ok), Sample.data("ab")] } else { Self.silent(input) }
        }
        let (bytes, _) = try await session.bytes(from: Sample.url)
        let reading = Task { for try await _ in bytes {} }
        reading.cancel()
        await #expect {
            try await reading.value
        } throws: { error in
            (error as? URLError)?.code == .cancelled
        }
        engine.settle()
        #expect(engine.heard.take().contains("cancel"))
    }
}
