import ClientMachines
import Foundation
import Locks
import Testing

@testable import SessionNetworking

/// Who holds whom, and until when (BEHAVIOUR 1.H1-delegate, 1.B1-7).
@Suite struct DelegateLifetimeTests {
    private let world = FakeWorld()

    // BEHAVIOUR 1.B20, 1.H1-cancel, 1.H1-delegate
    @Test func `the session's last message comes after the last task's, then the delegate is free`() {
        weak var spy: SpyDelegate?
        weak var weakSession: URLSession?
        do {
            let delegate = world.spy("s")
            spy = delegate
            let session = world.makeSession(delegate: delegate)
            weakSession = session
            let running = session.dataTask(with: Sample.url)
            running.resume()
            let neverResumed = session.dataTask(with: Sample.url)
            session.invalidateAndCancel()
            #expect(
                world.engine.takeWords() == ["start 1", "start 2 suspended", "cancel 2", "invalidate, cancelling"])
            #expect(session.delegate != nil)
            world.tell(running, .complete(Sample.cancelled))
            world.tell(neverResumed, .complete(Sample.cancelled))
            world.engine.say(.invalidated)
        }
        #expect(weakSession != nil, "held until its last message")
        world.queue.runAll()
        #expect(
            world.journal.take() == [
                "s didCreateTask", "s didCreateTask", "s didComplete -999, state completed",
                "s didComplete -999, state completed", "s didBecomeInvalid",
            ])
        #expect(spy == nil)
        #expect(weakSession == nil)
    }

    @Test func `invalidated twice, the last message comes once`() {
        let session = world.makeSession(delegate: world.spy("s"))
        session.finishTasksAndInvalidate()
        session.invalidateAndCancel()
        #expect(world.engine.takeWords() == ["invalidate", "invalidate, cancelling"])
        world.engine.say(.invalidated)
        world.queue.runAll()
        #expect(world.journal.take() == ["s didBecomeInvalid"])
        #expect(session.delegate == nil)
        session.invalidateAndCancel()
        world.queue.runAll()
        #expect(world.journal.take().isEmpty)
    }

    // BEHAVIOUR 1.H1-delegate
    @Test func `a session that is dropped tells its machine, and lets its delegate go without a word`() {
        weak var spy: SpyDelegate?
        do {
            let delegate = world.spy("s")
            spy = delegate
            _ = world.makeSession(delegate: delegate)
        }
        #expect(world.engine.takeWords() == ["invalidate, cancelling"])
        world.engine.say(.invalidated)
        world.queue.runAll()
        #expect(world.journal.take().isEmpty)
        #expect(spy == nil)
    }

    @Test func `a running task holds its session and is held, a completed one neither`() {
        weak var session: URLSession?
        weak var task: URLSessionTask?
        do {
            let made = world.makeSession()
            session = made
            let running = made.dataTask(with: Sample.url)
            task = running
            running.resume()
        }
        #expect(session != nil)
        #expect(task != nil)
        world.engine.say(.tell(TaskID(1), .complete(nil)))
        world.queue.runAll()
        #expect(task == nil)
        #expect(session == nil)
    }

    @Test func `a task that is dropped before its start is forgotten`() {
        let session = world.makeSession()
        weak var task: URLSessionTask?
        do {
            let dropped = session.dataTask(with: Sample.url)
            task = dropped
        }
        #expect(task == nil)
        session.finishTasksAndInvalidate()
        #expect(world.engine.takeWords() == ["invalidate"])
    }

    // BEHAVIOUR 1.B1-7
    @Test func `a task's delegate is let go at its completion, whatever its end does with the task`() {
        final class Curious: NSObject, URLSessionTaskDelegate {
            private let task = Lock<URLSessionTask?>(nil)
            let journal: Journal
            init(_ journal: Journal) { self.journal = journal }
            func watch(_ task: URLSessionTask) { self.task.withLock { $0 = task } }
            deinit {
                let state = task.withLock { $0?.state }
                journal.note("gone, state \(state == .completed ? "completed" : "other")")
            }
        }
        let session = world.makeSession()
        // Twice: only the second time is it known that the type lacks every method, and nothing else holds it then.
        for _ in 0..<2 {
            let task = session.dataTask(with: Sample.url)
            do {
                let delegate = Curious(world.journal)
                delegate.watch(task)
                task.delegate = delegate
            }
            task.resume()
            world.tell(task, .complete(nil))
            world.queue.runAll()
            #expect(task.delegate == nil)
            #expect(world.journal.take() == ["gone, state completed"])
        }
    }

    @Test func `a delegate that is replaced before the start is let go at once`() {
        let session = world.makeSession()
        let task = session.dataTask(with: Sample.url)
        weak var first: SpyDelegate?
        do {
            let delegate = world.spy("first")
            first = delegate
            task.delegate = delegate
        }
        #expect(first != nil)
        task.delegate = nil
        #expect(first == nil)
    }

    @Test func `a completion handler is let go once it was called`() {
        let session = world.makeSession()
        weak var captured: Journal?
        let tasks: [URLSessionTask]
        do {
            let journal = Journal()
            captured = journal
            tasks = [
                session.dataTask(with: Sample.url) { _, _, _ in journal.note("called") },
                session.downloadTask(with: Sample.url) { _, _, _ in journal.note("called") },
            ]
        }
        for task in tasks {
            #expect(captured != nil)
            task.resume()
            world.tell(task, .complete(nil))
        }
        world.queue.runAll()
        #expect(captured == nil, "the task is still held, its handler is not")
    }
}
