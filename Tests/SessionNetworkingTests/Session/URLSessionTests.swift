import ClientMachines
import Foundation
import Testing

@testable import SessionNetworking

@Suite struct URLSessionTests {
    private let world = FakeWorld()

    // BEHAVIOUR 1.A3-identifier
    @Test func `identifiers count from 1 and are never used again`() {
        let session = world.makeSession()
        let tasks = (0..<3).map { _ in session.dataTask(with: Sample.url) }
        #expect(tasks.map(\.taskIdentifier) == [1, 2, 3])
        _ = session.dataTask(with: Sample.url)
        #expect(session.dataTask(with: Sample.url).taskIdentifier == 5)
    }

    // BEHAVIOUR 1.A2-copy
    @Test func `a configuration is copied on the way in and on the way out`() {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.timeoutIntervalForRequest = 7
        let session = world.makeSession(configuration: configuration)
        configuration.timeoutIntervalForRequest = 8
        session.configuration.timeoutIntervalForRequest = 9
        #expect(session.configuration.timeoutIntervalForRequest == 7)
        session.dataTask(with: Sample.url).resume()
        #expect(world.engine.takePlans().map(\.requestTimeout) == [.seconds(7)])
    }

    // BEHAVIOUR 1.A2-service
    @Test func `a task is marked by its request's type of service, else by the session's`() {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.networkServiceType = .background
        let session = world.makeSession(configuration: configuration)
        var request = URLRequest(url: Sample.url)
        session.dataTask(with: request).resume()
        request.networkServiceType = .responsiveData
        session.dataTask(with: request).resume()
        #expect(world.engine.takePlans().map(\.codePoint) == [1, 18])
    }

    // BEHAVIOUR 1.A1-shared
    @Test func `the shared session cannot be invalidated`() {
        let session = URLSession.shared
        session.finishTasksAndInvalidate()
        session.invalidateAndCancel()
        #expect(session === URLSession.shared)
        #expect(session.delegate == nil)
        #expect(session.configuration.timeoutIntervalForRequest == 60)
        #expect(session.configuration.httpAdditionalHeaders == nil)
        #expect(session.dispatcher.state.withLock { $0.invalidated } == nil)
    }

    // BEHAVIOUR 1.H1-all
    @Test func `all tasks are those that run or are suspended`() {
        let session = world.makeSession()
        let tasks = (0..<5).map { _ in session.dataTask(with: Sample.url) }
        for task in tasks.dropFirst() { task.resume() }
        tasks[1].suspend()
        tasks[2].cancel()
        world.tell(tasks[3], .complete(nil))
        session.getAllTasks { [journal = world.journal] tasks in
            journal.note("\(tasks.map(\.taskIdentifier))")
        }
        #expect(world.journal.take().isEmpty, "on the delegate queue")
        world.queue.runAll()
        #expect(world.journal.take() == ["[2, 5]"])
    }

    // BEHAVIOUR 1.H1-cancel, 1.H1-all
    @Test func `right after invalidateAndCancel every task that was not complete is cancelling, and none is listed`() {
        let session = world.makeSession(delegate: world.spy("s"))
        let tasks = (0..<5).map { _ in session.dataTask(with: Sample.url) }
        for task in tasks.dropFirst() { task.resume() }
        tasks[2].suspend()
        tasks[3].cancel()
        world.tell(tasks[4], .complete(nil))
        world.queue.runAll()
        _ = (world.journal.take(), world.engine.takeInputs())
        session.invalidateAndCancel()
        #expect(tasks.map(\.state) == [.canceling, .canceling, .canceling, .canceling, .completed])
        // The machine hears of it once, for all that it knows.
        #expect(world.engine.takeWords() == ["start 1 suspended", "cancel 1", "invalidate, cancelling"])
        session.getAllTasks { [journal = world.journal] in journal.note("\($0.count) tasks") }
        world.queue.runAll()
        #expect(world.journal.take() == ["0 tasks"])
    }

    // BEHAVIOUR 1.H1-late
    @Test func `a task made after the invalidation completes as cancelled, without a word to the session's delegate`() {
        let session = world.makeSession(delegate: world.spy("s"))
        session.finishTasksAndInvalidate()
        world.engine.say(.invalidated)
        world.queue.runAll()
        #expect(world.journal.take() == ["s didBecomeInvalid"])
        let task = session.dataTask(with: Sample.url) { [journal = world.journal] _, _, error in
            journal.note("handler \((error as? URLError)?.code.rawValue ?? 0)")
        }
        task.resume()
        #expect(world.engine.takeWords() == ["invalidate", "start 1"])
        world.tell(task, .complete(Sample.cancelled))
        world.queue.runAll()
        #expect(world.journal.take() == ["handler -999"])
    }

    // BEHAVIOUR 1.H1-late
    @Test func `a task made after the invalidation tells its own delegate`() {
        let session = world.makeSession(delegate: world.spy("s"))
        session.invalidateAndCancel()
        world.engine.say(.invalidated)
        world.queue.runAll()
        let task = session.dataTask(with: Sample.url)
        task.delegate = world.spy("t")
        task.resume()
        world.tell(task, .complete(Sample.cancelled))
        world.queue.runAll()
        #expect(world.journal.take() == ["s didBecomeInvalid", "t didComplete -999, state completed"])
        #expect(task.state == .completed)
        #expect((task.error as? URLError)?.code == .cancelled)
        #expect(task.delegate == nil)
    }

    // BEHAVIOUR 1.H1-copy, 1.A3-description
    @Test func `a copy of a session is the session`() {
        let session = world.makeSession()
        #expect(session.copy() as? URLSession === session)
        #expect(session.sessionDescription == nil)
        session.sessionDescription = "mine"
        #expect(session.sessionDescription == "mine")
    }

    // BEHAVIOUR 1.H1-flush, 1.H1-reset
    @Test func `reset and flush tell the machine first, then call their handler on the delegate queue`() {
        let session = world.makeSession()
        session.reset { [journal = world.journal] in journal.note("reset") }
        session.flush { [journal = world.journal] in journal.note("flush") }
        #expect(world.engine.takeInputs() == [.forgetCredentials, .renewConnections, .renewConnections])
        #expect(world.journal.take().isEmpty)
        world.queue.runAll()
        #expect(world.journal.take() == ["reset", "flush"])
    }

    // BEHAVIOUR 1.F3-invalid
    @Test(arguments: [Data(), Data("bplist00 nonsense".utf8), Data(repeating: 7, count: 2_000_000)])
    func `data that is no resume data makes a task that fails`(_ data: Data) {
        let task = world.makeSession().downloadTask(withResumeData: data)
        #expect(task.originalRequest == nil)
        task.resume()
        #expect(world.engine.takePlans().map(\.refusal) == [.unsupportedURL])
    }

    // BEHAVIOUR 1.B12-scheme
    @Test func `a request without a URL makes a task that fails`() {
        var request = URLRequest(url: Sample.url)
        request.url = nil
        world.makeSession().dataTask(with: request).resume()
        #expect(world.engine.takePlans().map(\.refusal) == [.unsupportedURL])
    }
}
