import ClientMachines
import Foundation
import HTTPBasics
import TestSupport
import Testing

@testable import SessionNetworking

/// A task's public face: it shows at once what was called, whatever the machine makes of it later.
@Suite(.endsInTime) struct URLSessionTaskTests {
    private let world = FakeWorld()

    // BEHAVIOUR 1.H2-states, 1.H2-resume, 1.H2-error
    @Test func `calls are inputs in their order, and the state shows them at once`() {
        let task = world.makeSession().dataTask(with: Sample.url)
        #expect(task.state == .suspended)
        #expect(task.countOfBytesExpectedToSend == 0)
        task.resume()
        #expect(task.state == .running)
        #expect(task.error == nil)
        task.suspend()
        #expect(task.state == .suspended)
        task.resume()
        task.cancel()
        #expect(task.state == .canceling)
        task.cancel()
        task.resume()
        #expect(world.engine.takeWords() == ["start 1", "suspend 1", "resume 1", "cancel 1"])
        world.tell(task, .complete(Sample.cancelled))
        #expect(task.state == .canceling)
        world.queue.runAll()
        #expect(task.state == .completed)
        #expect((task.error as? URLError)?.code == .cancelled)
    }

    @Test func `cancelled before any resume, a task still completes`() {
        let session = world.makeSession(delegate: world.spy("s"))
        let task = session.dataTask(with: Sample.url)
        task.cancel()
        #expect(world.engine.takeWords() == ["start 1 suspended", "cancel 1"])
        world.tell(task, .complete(Sample.cancelled))
        world.queue.runAll()
        #expect(world.journal.take() == ["s didCreateTask", "s didComplete -999, state completed"])
    }

    @Test func `a task made by its initialiser does nothing and breaks nothing`() {
        let task = URLSessionDownloadTask()
        task.resume()
        task.suspend()
        task.cancel()
        task.cancel { _ in Issue.record("there is nothing to hand over") }
        #expect(task.state == .suspended)
        #expect(task.taskIdentifier == 0)
    }

    // BEHAVIOUR 1.C5-requests, 1.H2-received, 1.H2-expected, 1.H2-sent, 2.F27
    @Test func `requests, response and counts follow the machine`() {
        var request = URLRequest(url: Sample.url)
        request.httpMethod = "POST"
        request.httpBody = Data("body".utf8)
        let task = world.makeSession().dataTask(with: request)
        #expect(task.countOfBytesExpectedToSend == 4)
        #expect(task.countOfBytesExpectedToReceive == -1)
        task.resume()
        world.tell(
            task, .sentBody(bytes: 4, total: 4, expected: 4), .requestChanged(Sample.next), .response(Sample.ok),
            Sample.data("ab"))
        #expect(task.countOfBytesSent == 4)
        #expect(task.countOfBytesReceived == 2)
        #expect(task.countOfBytesExpectedToReceive == 3)
        #expect((task.response as? HTTPURLResponse)?.statusCode == 200)
        #expect(task.originalRequest?.url?.path == "/a")
        #expect(task.currentRequest?.url?.path == "/b")
        #expect(task.currentRequest?.httpMethod == "GET")
    }

    // BEHAVIOUR 1.I3-again
    @Test func `a body that is sent again is counted again`() {
        var request = URLRequest(url: Sample.url)
        request.httpMethod = "POST"
        request.httpBody = Data("body".utf8)
        let task = world.makeSession().dataTask(with: request)
        task.resume()
        for _ in 0..<2 { world.tell(task, .sentBody(bytes: 4, total: 4, expected: 4)) }
        #expect(task.countOfBytesSent == 8)
        #expect(task.countOfBytesExpectedToSend == 4)
    }

    // BEHAVIOUR 1.A3-priority
    @Test func `a priority is kept and changes nothing`() {
        let task = world.makeSession().dataTask(with: Sample.url)
        #expect(task.priority == 0.5)
        task.resume()
        for priority in [URLSessionTask.lowPriority, URLSessionTask.highPriority, 0, 1] {
            task.priority = priority
            #expect(task.priority == priority)
        }
        #expect(world.engine.takeWords() == ["start 1"])
    }

    // BEHAVIOUR 1.A3-hints, 1.A3-description
    @Test func `a caller's guesses and texts are kept`() {
        let task = world.makeSession().dataTask(with: Sample.url)
        #expect(task.countOfBytesClientExpectsToSend == NSURLSessionTransferSizeUnknown)
        #expect(task.countOfBytesClientExpectsToReceive == NSURLSessionTransferSizeUnknown)
        #expect(task.taskDescription == nil)
        task.countOfBytesClientExpectsToSend = 7
        task.countOfBytesClientExpectsToReceive = 8
        task.taskDescription = "mine"
        #expect(task.countOfBytesClientExpectsToSend == 7)
        #expect(task.countOfBytesClientExpectsToReceive == 8)
        #expect(task.taskDescription == "mine")
    }

    // BEHAVIOUR 1.A3-progress
    @Test func `progress covers both bodies, is written on the delegate queue and ends complete`() {
        var request = URLRequest(url: Sample.url)
        request.httpMethod = "POST"
        request.httpBody = Data("abc".utf8)
        let task = world.makeSession().dataTask(with: request) { _, _, _ in }
        let progress = task.progress
        #expect(task.progress === progress)
        #expect(progress.totalUnitCount == 3)
        task.resume()
        world.tell(
            task, .sentBody(bytes: 3, total: 3, expected: 3), .response(Sample.response(200, length: 10)),
            Sample.data("abcd"))
        #expect(progress.completedUnitCount == 0)
        world.queue.runAll()
        #expect(progress.totalUnitCount == 13)
        #expect(progress.completedUnitCount == 7)
        world.tell(task, .complete(Sample.cancelled))
        world.queue.runAll()
        #expect(progress.totalUnitCount == progress.completedUnitCount)
    }

    // BEHAVIOUR 1.A3-progress
    @Test(arguments: [0, 4])
    func `a progress that is first asked for at the end is complete`(bytes: Int) {
        let task = world.makeSession().dataTask(with: Sample.url) { _, _, _ in }
        task.resume()
        world.tell(task, .response(Sample.response(200)), Sample.data(String(repeating: "x", count: bytes)))
        world.tell(task, .complete(nil))
        world.queue.runAll()
        #expect(task.progress.isFinished && task.progress.totalUnitCount == max(1, Int64(bytes)))
    }

    // BEHAVIOUR 1.A3-progress
    @Test(arguments: [Int64.max, Int64.max - 1, 9_007_199_254_740_992] as [Int64])
    func `a total of any size is a progress's, also within another one`(length: Int64) {
        var request = URLRequest(url: Sample.url)
        request.httpMethod = "POST"
        request.httpBody = Data("abc".utf8)
        let task = world.makeSession().dataTask(with: request) { _, _, _ in }
        let whole = Progress(totalUnitCount: 10)
        whole.addChild(task.progress, withPendingUnitCount: 5)
        task.resume()
        world.tell(
            task, .sentBody(bytes: 3, total: 3, expected: 3), .response(Sample.response(200, length: length)),
            Sample.data("abcd"))
        world.queue.runAll()
        #expect(task.progress.totalUnitCount >= length)
        #expect(task.countOfBytesExpectedToReceive == length)
        #expect(whole.fractionCompleted < 0.01)
        world.tell(task, .complete(Sample.cancelled))
        world.queue.runAll()
        #expect(task.progress.isFinished)
    }

    // BEHAVIOUR 1.A3-progress
    @Test func `cancelling the progress cancels the task`() async {
        let task = world.makeSession().dataTask(with: Sample.url)
        let progress = task.progress
        task.resume()
        progress.cancel()
        // Foundation calls its handlers from another thread.
        while task.state != .canceling { await Task.yield() }
        #expect(world.engine.takeWords() == ["start 1", "cancel 1"])
    }

    // BEHAVIOUR 1.A3-progress
    @Test func `however often the progress is paused and resumed, the task ends up as the progress does`() async {
        let session = world.makeSession()
        for _ in 0..<10 {
            let task = session.dataTask(with: Sample.url)
            let progress = task.progress
            task.resume()
            for _ in 0..<20 {
                progress.pause()
                progress.resume()
            }
            progress.pause()
            while task.state != .suspended { await Task.yield() }
            // Whatever handlers are still under way, they find nothing to do.
            for _ in 0..<100 { await Task.yield() }
            #expect(task.state == .suspended)
        }
    }

    // BEHAVIOUR 1.H1-copy
    @Test func `a copy of a task is the task`() {
        let task = world.makeSession().dataTask(with: Sample.url)
        #expect(task.copy() as? URLSessionTask === task)
    }
}
