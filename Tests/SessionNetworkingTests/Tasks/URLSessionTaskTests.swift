import ClientMachines
import Foundation
import HTTPBasics
import Testing

@testable import SessionNetworking

/// A task's public face: it shows at once what was called, whatever the machine makes of it later.
@Suite struct URLSessionTaskTests {
    private let world = FakeWorld()

    @Test func `calls are inputs in their order, and the state shows them at once`() {
        let task = world.makeSession().dataTask(with: Sample.url)
        #expect(task.state == .suspended)
        task.resume()
        #expect(task.state == .running)
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

    @Test func `progress is written on the delegate queue and ends complete`() {
        let task = world.makeSession().dataTask(with: Sample.url) { _, _, _ in }
        let progress = task.progress
        #expect(task.progress === progress)
        task.resume()
        world.tell(task, .response(Sample.response(200, length: 10)), Sample.data("abcd"))
        #expect(progress.completedUnitCount == 0)
        world.queue.runAll()
        #expect(progress.totalUnitCount == 10)
        #expect(progress.completedUnitCount == 4)
        world.tell(task, .complete(Sample.cancelled))
        world.queue.runAll()
        #expect(progress.totalUnitCount == progress.completedUnitCount)
    }

    @Test func `cancelling the progress cancels the task`() async {
        let task = world.makeSession().dataTask(with: Sample.url)
        let progress = task.progress
        task.resume()
        progress.cancel()
        // Foundation calls its handlers from another thread.
        while task.state != .canceling { await Task.yield() }
        #expect(world.engine.takeWords() == ["start 1", "cancel 1"])
    }

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

    @Test func `a copy of a task is the task`() {
        let task = world.makeSession().dataTask(with: Sample.url)
        #expect(task.copy() as? URLSessionTask === task)
    }
}
