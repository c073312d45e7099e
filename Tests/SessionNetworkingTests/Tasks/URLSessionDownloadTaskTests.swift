import ClientMachines
import Foundation
import TestSupport
import Testing

@testable import SessionNetworking

@Suite(.endsInTime) struct URLSessionDownloadTaskTests {
    private let world = FakeWorld()

    // BEHAVIOUR 1.F2-handler
    @Test func `resume data can be waited for`() async throws {
        let task = world.makeSession().downloadTask(with: Sample.url)
        task.resume()
        async let data = task.cancelByProducingResumeData()
        while task.state != .canceling { await Task.yield() }
        world.tell(task, .complete(Failure(.cancelled, .caller, "", resume: Sample.token)))
        world.queue.runAll()
        let received = try #require(await data)
        #expect(ResumeDataCoding.decode(received) == Sample.token)
        #expect((task.error as? URLError)?.downloadTaskResumeData == received)
    }

    @Test func `where there is none, nobody waits for ever`() async {
        #expect(await URLSessionDownloadTask().cancelByProducingResumeData() == nil)
        let task = world.makeSession().downloadTask(with: Sample.url)
        task.resume()
        world.tell(task, .complete(nil))
        world.queue.runAll()
        async let data = task.cancelByProducingResumeData()
        while world.queue.count == 0 { await Task.yield() }
        world.queue.runAll()
        #expect(await data == nil)
    }
}
